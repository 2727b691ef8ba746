import { defineConfig } from 'vitest/config';

const root = (name: string) => new URL(`./${name}`, import.meta.url).pathname;

// One run for all tests that need Node only. The widget's elements need a real browser: see its web-test-runner.config.mjs.
export default defineConfig({
  test: {
    projects: [
      ...['contract', 'oauth', 'express', 'server', 'cli'].map((name) => ({
        test: { name, root: root(name), include: ['test/**/*.test.{ts,tsx}'] },
      })),
      { test: { name: 'widget-bundle', root: root('widget'), include: ['test/bundle.test.ts'] } },
      { test: { name: 'docs', root: root('..'), include: ['scripts/test/**/*.test.ts'] } },
    ],
  },
});
