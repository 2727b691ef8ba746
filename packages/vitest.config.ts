import { accessSync, constants, globSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ENGINE_INDEPENDENT, LONG_ON_POSTGRES } from './server/test-files.mjs';

const root = (name: string) => new URL(`./${name}`, import.meta.url).pathname;

/** Runs the sources of the server and the sandbox, so that both share one copy of the server's modules. */
const serverSources = {
  alias: [
    { find: /^@latchkey\/server$/, replacement: root('server/src/index.ts') },
    { find: /^@latchkey\/server\/(ui|extension|schemas|styles)$/, replacement: root('server/src/$1.ts') },
    { find: /^@latchkey\/sandbox$/, replacement: root('sandbox/src/index.ts') },
  ],
};

/** Memory that a folder in memory must have free, in bytes. Containers often limit it to 64 MiB. */
const ENOUGH_MEMORY = 1024 ** 3;

/**
 * Variables that put temporary files into memory, on Linux. SQLite waits for the disk at each commit, and the waits were a third of
 * the time of the tests that use files. No test can interrupt the power, so memory proves as much.
 */
function filesInMemory(): Record<string, string> {
  const folder = '/dev/shm';
  if (process.env.TMPDIR !== undefined) return {};
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ENOUGH_MEMORY ? { TMPDIR: folder } : {};
  } catch {
    return {};
  }
}

/** Limits for tests that hang. They are long enough for a slow, busy machine; no test asserts them. */
const PATIENT = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };

/** Settings of a project whose tests need PostgreSQL. */
const ON_POSTGRES = {
  globalSetup: [root('server/test/database/postgres-cluster.ts')],
  setupFiles: [root('server/test/database/postgres-started.ts')],
};

/** Tests of `npm run test:long`, beside those that depend on the project. */
const LONG_FILES = '**/*.long.test.ts';

/** The project that runs the long tests of another one. */
const longTestsOf = <T extends { test: { name: string } }>(project: T) => ({
  ...project,
  test: { ...project.test, name: `${project.test.name}-long`, include: [LONG_FILES], exclude: [] },
});

// Most of these tests start a sandbox and send it hundreds of requests.
const conformance = {
  test: {
    name: 'conformance',
    root: root('conformance'),
    include: ['test/**/*.test.ts'],
    exclude: [LONG_FILES],
    ...PATIENT,
    isolate: false,
  },
};

const simulation = {
  test: {
    name: 'simulation',
    root: root('../e2e/simulation'),
    include: ['*.test.ts'],
    exclude: [LONG_FILES],
    ...PATIENT,
  },
};

const cliOnPostgres = {
  test: {
    name: 'cli-postgres',
    root: root('cli'),
    include: ['test/postgres/**/*.test.ts'],
    exclude: [LONG_FILES],
    ...ON_POSTGRES,
    ...PATIENT,
    isolate: false,
  },
};

const sandbox = {
  resolve: serverSources,
  test: {
    name: 'sandbox',
    root: root('sandbox'),
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: [LONG_FILES],
    ...PATIENT,
    isolate: false,
  },
};

/** A project that runs the tests of a package. */
const project = (name: string) => ({
  test: {
    name,
    root: root(name),
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/stores/**'],
    ...PATIENT,
    // Half of the processor time of these projects was loading modules again for each file.
    isolate: false,
  },
});

/** Helpers through which tests reach the fake service. */
const FAKE_SERVICE = /@latchkey\/conformance\/scripted-service|\/(shop|scripted-service|canned-service)\.js'/;

/** A project that runs the tests of a package that use the fake service, which follows its second reading. */
function secondReading(name: string) {
  const { test } = project(name);
  const files = globSync(test.include, { cwd: test.root });
  const include = files.filter((file) => FAKE_SERVICE.test(readFileSync(`${test.root}/${file}`, 'utf8')));
  return { test: { ...test, name: `${name}-second`, include, env: { LATCHKEY_READING: 'second' } } };
}

/** A project that runs tests of the server on PostgreSQL. */
function serverOnPostgres(name: string, files: { include: readonly string[]; exclude?: readonly string[] }) {
  return {
    resolve: serverSources,
    test: {
      name,
      root: root('server'),
      include: [...files.include],
      exclude: ['test/{sqlite,pages,pure}/**', ...(files.exclude ?? [])],
      ...ON_POSTGRES,
      ...PATIENT,
      isolate: false,
    },
  };
}

// Runs all tests that need only Node. The widget's elements need a real browser: see its web-test-runner.config.mjs.
export default defineConfig({
  test: {
    // One more than there are cores: a test waits for a database, a process or a timer much of its time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      ...['contract', 'oauth', 'express'].map((name) => project(name)),
      // The tests of the callers that use the fake service, against its second reading of the specification.
      ...['oauth', 'client', 'express'].map((name) => secondReading(name)),
      conformance,
      longTestsOf(conformance),
      // Sessions in a real Redis and a real PostgreSQL.
      {
        test: {
          name: 'express-stores',
          root: root('express'),
          include: ['test/stores/**/*.test.ts'],
          ...ON_POSTGRES,
          globalSetup: ['test/stores/redis-server.ts', ...ON_POSTGRES.globalSetup],
          ...PATIENT,
          isolate: false,
        },
      },
      // One worker: most tests start the server, and loading it again for each file takes longer than the tests.
      {
        test: {
          name: 'client',
          root: root('client'),
          include: ['test/**/*.test.ts'],
          ...PATIENT,
          isolate: false,
          typecheck: { enabled: true, tsconfig: 'test/tsconfig.json' },
        },
      },
      // Most of these tests start processes, which is slow on a busy machine.
      {
        resolve: serverSources,
        test: {
          name: 'cli',
          root: root('cli'),
          include: ['test/**/*.test.ts'],
          exclude: ['test/postgres/**'],
          ...PATIENT,
          isolate: false,
          env: filesInMemory(),
        },
      },
      cliOnPostgres,
      longTestsOf(cliOnPostgres),
      sandbox,
      longTestsOf(sandbox),
      // The server's tests run on both engines. Tests that touch no database, or concern one engine, run once. One worker:
      // loading the server again for each file takes longer than most files.
      {
        resolve: serverSources,
        test: {
          name: 'server',
          root: root('server'),
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/postgres/**'],
          ...PATIENT,
          isolate: false,
          env: filesInMemory(),
        },
      },
      serverOnPostgres('server-postgres', {
        include: ['test/**/*.test.{ts,tsx}'],
        exclude: [...ENGINE_INDEPENDENT, ...LONG_ON_POSTGRES],
      }),
      serverOnPostgres('server-postgres-long', { include: LONG_ON_POSTGRES }),
      // The rules of the widget that need no browser.
      {
        test: {
          name: 'widget',
          root: root('widget'),
          include: ['src/**/*.test.ts'],
          exclude: ['src/**/*.browser.test.ts'],
          ...PATIENT,
          isolate: false,
        },
      },
      {
        test: {
          name: 'widget-bundle',
          root: root('widget'),
          include: ['test/{bundle,manifest,accessibility-statement}.test.ts'],
          ...PATIENT,
        },
      },
      simulation,
      longTestsOf(simulation),
      {
        test: {
          name: 'docs',
          root: root('..'),
          include: ['scripts/test/**/*.test.ts'],
          ...PATIENT,
          isolate: false,
        },
      },
    ],
  },
});
