import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../scripts/chromium.mjs';
import { firefoxOptions } from '../scripts/firefox.mjs';

const report = process.env.LATCHKEY_E2E_REPORT;
// Found once, by the first process that reads this; the workers inherit it.
const executablePath = process.env.LATCHKEY_CHROMIUM || (await ensureChromium());
process.env.LATCHKEY_CHROMIUM = executablePath;
// `npm test` names the other browsers too.
const { LATCHKEY_FIREFOX: firefox, LATCHKEY_WEBKIT: webKit } = process.env;

/** The flows that differ between browsers; the rest of Firefox's proof is in the widget's own suites. */
const FIREFOX = ['popup-sign-in.spec.ts', 'redirect.spec.ts'];
const WEBKIT = '**/webkit/*.spec.ts';

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Limits for what hangs, which no slow machine may meet; what a test asserts is told by its own means.
  timeout: 180_000,
  expect: { timeout: 45_000 },
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    // Tracing evaluates code in every page, which Chromium takes for a gesture: no popup would ever be blocked.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'Chromium', testMatch: '**/*.spec.ts', testIgnore: WEBKIT, use: chromiumUse() },
    ...(firefox ? [firefoxProject(firefox)] : []),
    ...(webKit ? [{ name: 'WebKit', testMatch: WEBKIT }] : []),
    // Pictures of every page and state for people to open: `npm run look`. They assert nothing, so they are no tests.
    ...(process.env.LATCHKEY_LOOK ? [{ name: 'look', testMatch: '**/*.look.ts', use: chromiumUse() }] : []),
  ],
});

function firefoxProject(path: string) {
  const launchOptions = {
    ...firefoxOptions(path),
    // Playwright waits for a load that a page out of Firefox's back-forward cache never has; Chromium's it switches off itself.
    firefoxUserPrefs: { 'browser.sessionhistory.max_total_viewers': 0 },
  };
  const use = { browserName: 'firefox' as const, launchOptions };
  return { name: 'Firefox', testMatch: FIREFOX, testIgnore: WEBKIT, use };
}

function chromiumUse() {
  return {
    launchOptions: {
      executablePath,
      args: CHROMIUM_ARGS,
      // Playwright switches the popup blocker off; a login widget has to live with it.
      ignoreDefaultArgs: ['--disable-popup-blocking'],
    },
  };
}
