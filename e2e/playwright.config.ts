import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../scripts/chromium.mjs';

const report = process.env.LATCHKEY_E2E_REPORT;

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    // Tracing evaluates code in every page, which Chromium takes for a gesture: no popup would ever be blocked.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: await ensureChromium(),
      args: CHROMIUM_ARGS,
      // Playwright switches the popup blocker off; a login widget has to live with it.
      ignoreDefaultArgs: ['--disable-popup-blocking'],
    },
  },
  projects: [
    { name: 'e2e', testMatch: '**/*.spec.ts' },
    // Pictures of every page and state for people to open: `npm run look`. They assert nothing, so they are no tests.
    ...(process.env.LATCHKEY_LOOK ? [{ name: 'look', testMatch: '**/*.look.ts' }] : []),
  ],
});
