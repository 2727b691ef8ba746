import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../scripts/chromium.mjs';
import { firefoxOptions } from '../scripts/firefox.mjs';
import { JOURNEY, LONG } from './levels.ts';

const report = process.env.LATCHKEY_E2E_REPORT;
// The test scripts set these variables. Without any, the first process that reads this file finds Chromium, and the workers inherit
// the variable.
const { LATCHKEY_HEADLESS_SHELL, LATCHKEY_FIREFOX: firefox, LATCHKEY_WEBKIT: webKit } = process.env;
if (!LATCHKEY_HEADLESS_SHELL) process.env.LATCHKEY_CHROMIUM ||= await ensureChromium();
const { LATCHKEY_CHROMIUM: chromium } = process.env;
const headless = chromiumUse(LATCHKEY_HEADLESS_SHELL || chromium);

/** Files with flows that Firefox runs too. Its other tests are in the widget's suite. */
const FLOWS_IN_FIREFOX = ['popup-sign-in.spec.ts', 'redirect.spec.ts'];
const MAIN_FLOWS = /@main-flow/;
const JOURNEYS = new RegExp(JOURNEY);
/** Tests that need a whole browser: its popup blocker, `npm start`, how it draws letters, and the main flows. */
const WHOLE_BROWSER = /@(main-flow|whole-chromium)|\b(npm-start|pictures)\.spec\.ts/;
const WINDOWS = /@windows/;
/** The main flows of the sandbox's console. In the long form they also run in Firefox. */
const CONSOLE_FLOWS = 'console/*-flow.spec.ts';
const WEBKIT = '**/webkit/*.spec.ts';
const SPECS = { testMatch: '**/*.spec.ts', testIgnore: WEBKIT };
/** Workers of a project with few tests. Each starts a browser, which takes as long as a test. Two projects run at once. */
const WHOLE_BROWSER_WORKERS = 2;

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // `pictures.spec.ts` compares pages with these. CONTRIBUTING.md says how to accept a change.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  // Node loads built packages as they are. Playwright would compile each of their 800 files once more, in every worker.
  build: { external: ['**/dist/**'] },
  fullyParallel: true,
  // Two more than there are cores: a test waits for its browser, its service or a page most of the time. With only one more, the
  // tests of two cores use two thirds of them.
  workers: availableParallelism() + 2,
  retries: 0,
  forbidOnly: true,
  // Limits for tests that hang. They are long enough for a slow machine; no test asserts them.
  timeout: 180_000,
  expect: { timeout: 45_000 },
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    // Tracing evaluates code in every page. Chromium counts that as a user gesture and would never block a popup.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    // `npm test` runs the journeys, in the same engine without the browser around it: less than half the processor time.
    { name: 'headless Chromium (journeys)', ...SPECS, grep: JOURNEYS, use: headless },
    {
      name: 'headless Chromium',
      ...SPECS,
      grepInvert: [JOURNEYS, WHOLE_BROWSER],
      use: headless,
    },
    ...(chromium
      ? [
          { name: 'Chromium', ...SPECS, grep: WHOLE_BROWSER, ...wholeChromium(chromium) },
          // The tag in the name of a project leaves it to `npm run test:long`.
          {
            name: `Chromium ${LONG}`,
            ...SPECS,
            grep: WINDOWS,
            grepInvert: WHOLE_BROWSER,
            ...wholeChromium(chromium),
          },
        ]
      : []),
    ...(firefox
      ? [
          { name: 'Firefox', testMatch: FLOWS_IN_FIREFOX, grep: MAIN_FLOWS, ...firefoxProject(firefox) },
          {
            name: `Firefox ${LONG}`,
            testMatch: [...FLOWS_IN_FIREFOX, CONSOLE_FLOWS],
            grep: /@windows|-flow\.spec\.ts/,
            grepInvert: MAIN_FLOWS,
            ...firefoxProject(firefox),
          },
        ]
      : []),
    ...(webKit ? [{ name: 'WebKit', testMatch: WEBKIT, workers: WHOLE_BROWSER_WORKERS }] : []),
    // Pictures of every page and state for a person to review (`npm run look`). They assert nothing.
    ...(process.env.LATCHKEY_LOOK
      ? [{ name: 'look', testMatch: '**/*.look.ts', use: chromiumUse(chromium) }]
      : []),
  ],
});

function firefoxProject(path: string) {
  const launchOptions = {
    ...firefoxOptions(path),
    // Playwright waits for a load event, which a page from Firefox's back-forward cache never fires.
    firefoxUserPrefs: { 'browser.sessionhistory.max_total_viewers': 0 },
  };
  const use = { browserName: 'firefox' as const, launchOptions };
  return { workers: WHOLE_BROWSER_WORKERS, use };
}

function wholeChromium(path: string) {
  return { workers: WHOLE_BROWSER_WORKERS, use: chromiumUse(path) };
}

function chromiumUse(executablePath: string | undefined) {
  return {
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: CHROMIUM_ARGS,
      // Playwright disables the popup blocker by default. The login widget has to work with it.
      ignoreDefaultArgs: ['--disable-popup-blocking'],
    },
  };
}
