import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const root = (name: string) => new URL(`./${name}`, import.meta.url).pathname;

// One run for all tests that need Node only. The widget's elements need a real browser: see its web-test-runner.config.mjs.
export default defineConfig({
  test: {
    // By default one core is left idle, and on two cores everything then runs on one.
    maxWorkers: availableParallelism(),
    projects: [
      ...['contract', 'test-services', 'oauth', 'express'].map((name) => ({
        test: {
          name,
          root: root(name),
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/stores/**'],
          testTimeout: 20_000,
          // Half of the processor time of these projects was loading modules again for each file.
          isolate: false,
        },
      })),
      // Sessions on a real Redis and a real PostgreSQL.
      {
        test: {
          name: 'express-stores',
          root: root('express'),
          include: ['test/stores/**/*.test.ts'],
          globalSetup: ['test/stores/redis-server.ts', '../server/test/database/postgres-cluster.ts'],
          testTimeout: 20_000,
        },
      },
      // One worker, for the sake of the server that most of its tests start.
      {
        test: {
          name: 'client',
          root: root('client'),
          include: ['test/**/*.test.ts'],
          testTimeout: 20_000,
          isolate: false,
          typecheck: { enabled: true, tsconfig: 'test/tsconfig.json' },
        },
      },
      // Most of its tests start processes, which takes its time on a busy machine.
      {
        test: {
          name: 'cli',
          root: root('cli'),
          include: ['test/**/*.test.ts'],
          exclude: ['test/postgres/**'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'cli-postgres',
          root: root('cli'),
          include: ['test/postgres/**/*.test.ts'],
          globalSetup: ['../server/test/database/postgres-cluster.ts'],
          testTimeout: 60_000,
        },
      },
      // The server's tests run on both engines; what does not touch a database, or is one engine's own, runs once. One
      // worker runs file after file: loading the server anew for each would take longer than most of them do.
      {
        test: {
          name: 'server',
          root: root('server'),
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/postgres/**'],
          testTimeout: 20_000,
          isolate: false,
        },
      },
      {
        test: {
          name: 'server-postgres',
          root: root('server'),
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/sqlite/**', 'test/pages/**', 'test/pure/**'],
          globalSetup: ['test/database/postgres-cluster.ts'],
          testTimeout: 20_000,
          isolate: false,
        },
      },
      {
        test: {
          name: 'widget-bundle',
          root: root('widget'),
          include: ['test/{bundle,manifest,accessibility-statement}.test.ts'],
        },
      },
      { test: { name: 'docs', root: root('..'), include: ['scripts/test/**/*.test.ts'] } },
    ],
  },
});
