import { accessSync, constants, globSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { REQUIREMENTS } from './contract/src/requirements.js';
import { ENGINE_INDEPENDENT } from './server/test-files.mjs';

const root = (name: string) => new URL(`./${name}`, import.meta.url).pathname;

/** Runs the sources of the server and the sandbox, so that both share one copy of the server's modules. */
const serverSources = {
  alias: [
    { find: /^@latchkey\/server$/, replacement: root('server/src/index.ts') },
    { find: /^@latchkey\/server\/(ui|extension|schemas|styles)$/, replacement: root('server/src/$1.ts') },
    { find: /^@latchkey\/stripe$/, replacement: root('stripe/src/index.ts') },
    { find: /^@latchkey\/stripe\/testing$/, replacement: root('stripe/src/testing.ts') },
    { find: /^@latchkey\/sandbox$/, replacement: root('sandbox/src/index.ts') },
    { find: /^@latchkey\/sandbox\/client$/, replacement: root('sandbox/src/control/client.ts') },
    { find: /^@latchkey\/sandbox\/routes$/, replacement: root('sandbox/src/control/routes/routes.ts') },
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

interface Project extends NonNullable<TestProjectInlineConfiguration['test']> {
  name: string;
  include?: string[];
  resolve?: TestProjectInlineConfiguration['resolve'];
}

/**
 * The tests of a package as up to three projects. `npm test` runs the one without a suffix. `npm run test:all` runs the one with `-all`,
 * with the files `*.all.test.ts`, and `npm run test:long` the one with `-long`, with the files `*.long.test.ts`.
 */
function levels({ name, include = ['test/**/*.test.{ts,tsx}'], exclude = [], resolve, ...rest }: Project) {
  const filesOf = (level: string) => include.map((pattern) => pattern.replace('.test.', `.${level}.test.`));
  const project = (suffix: string, files: Pick<Project, 'include' | 'exclude'>) => ({
    ...(resolve && { resolve }),
    // Half of the processor time of the tests was loading modules again for each file.
    test: { root: root(name), ...PATIENT, isolate: false, ...rest, name: `${name}${suffix}`, ...files },
  });
  return [
    project('', { include, exclude: [...filesOf('all'), ...filesOf('long'), ...exclude] }),
    ...['all', 'long'].map((level) => project(`-${level}`, { include: filesOf(level), exclude })),
  ];
}

/** Helpers through which tests reach the fake service. */
const FAKE_SERVICE = /@latchkey\/conformance\/scripted-service|\/(shop|scripted-service|canned-service)\.js'/;

/** The tests of a package that use the fake service, which follows its second reading of the specification here. */
function secondReading(name: string) {
  const pattern = 'test/**/*.test.{ts,tsx}';
  const files = globSync(pattern, { cwd: root(name), exclude: ['test/stores/**'] });
  const include = files.filter((file) => FAKE_SERVICE.test(readFileSync(root(`${name}/${file}`), 'utf8')));
  const env = { LATCHKEY_READING: 'second' };
  return { test: { name: `${name}-second`, root: root(name), include, env, ...PATIENT, isolate: false } };
}

// All tests that need only Node. The widget's elements need a real browser: see its web-test-runner.config.mjs.
export default defineConfig({
  test: {
    // One more than there are cores: a test waits for a database, a process or a timer much of its time.
    maxWorkers: availableParallelism() + 1,
    // Each requirement that a test proves is one of its tags.
    tags: REQUIREMENTS.map(({ id }) => ({ name: id })),
    projects: [
      ...['contract', 'oauth', 'conformance'].flatMap((name) => levels({ name })),
      ...levels({ name: 'express', exclude: ['test/stores/**'], env: filesInMemory() }),
      ...['oauth', 'client', 'express'].map((name) => secondReading(name)),
      // Sessions in a real Redis and a real PostgreSQL.
      {
        test: {
          name: 'express-stores-all',
          root: root('express'),
          include: ['test/stores/**/*.test.ts'],
          ...ON_POSTGRES,
          globalSetup: [root('express/test/stores/redis-server.ts'), ...ON_POSTGRES.globalSetup],
          ...PATIENT,
          isolate: false,
        },
      },
      ...levels({ name: 'client' }),
      ...levels({ name: 'cli', resolve: serverSources, exclude: ['test/postgres/**'], env: filesInMemory() }),
      ...levels({
        name: 'cli-postgres',
        root: root('cli'),
        include: ['test/postgres/**/*.test.ts'],
        ...ON_POSTGRES,
      }),
      ...levels({ name: 'sandbox', resolve: serverSources }),
      ...levels({ name: 'stripe', resolve: serverSources }),
      ...levels({
        name: 'server',
        resolve: serverSources,
        include: ['{src,test}/**/*.test.{ts,tsx}'],
        exclude: ['test/postgres/**'],
        env: filesInMemory(),
      }),
      // The server's tests on PostgreSQL.
      {
        resolve: serverSources,
        test: {
          name: 'server-postgres-all',
          root: root('server'),
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/{sqlite,pages,pure}/**', '**/*.long.test.ts', ...ENGINE_INDEPENDENT],
          ...ON_POSTGRES,
          ...PATIENT,
          isolate: false,
        },
      },
      // The rules of the widget that need no browser.
      ...levels({ name: 'widget', include: ['src/**/*.test.ts'], exclude: ['src/**/*.browser.test.ts'] }),
      ...levels({
        name: 'widget-bundle',
        root: root('widget'),
        include: ['test/{bundle,manifest,accessibility-statement}.test.ts'],
      }),
      // The elements where site owners test their components: browsers in Node, which have no layout.
      ...['jsdom', 'happy-dom'].flatMap((environment) =>
        levels({
          name: `widget-${environment}`,
          root: root('widget'),
          include: ['test/without-layout/*.test.ts'],
          environment,
        }),
      ),
      ...levels({ name: 'simulation', root: root('../e2e/simulation'), include: ['*.test.ts'] }),
      ...levels({ name: 'docs', root: root('..'), include: ['scripts/test/**/*.test.ts'] }),
    ],
  },
});
