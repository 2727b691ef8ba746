import { defineConfig } from 'vitest/config';

// One run for all Node packages. The widget's tests need a real browser: packages/widget/web-test-runner.config.mjs.
export default defineConfig({
  test: {
    projects: ['contract', 'oauth', 'express', 'server'].map((name) => ({
      test: {
        name,
        root: new URL(`./${name}`, import.meta.url).pathname,
        include: ['test/**/*.test.{ts,tsx}'],
      },
    })),
  },
});
