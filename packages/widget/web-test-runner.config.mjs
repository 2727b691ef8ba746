import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { CHROMIUM_ARGS, installedChromium } from '../../scripts/chromium.mjs';
import { firefoxOptions } from '../../scripts/firefox.mjs';
import { readWebTestRunner } from '../../scripts/read-reports.mjs';
import { fakeKit } from './test/support/fake-kit.mjs';
import { fakeService } from './test/support/fake-service.mjs';
import { ENGINE_INDEPENDENT, RULES } from './test-files.mjs';

/**
 * Time limit of one step (a test, or loading a page), in milliseconds. Long enough for a slow machine. With an assumption
 * turned around, most tests must fail, and each of them waits for the whole limit.
 */
const STEP_LIMIT_MS = process.env.LATCHKEY_AGAINST ? 30_000 : 120_000;

const TESTS = '{src,test}/**/*.browser.test.ts';
const IN_CHROMIUM_ONLY = [...ENGINE_INDEPENDENT, ...RULES];

/** Files to run instead of all files, separated by commas. `npm run assumptions` and `npm run test:long` set them. */
const ONLY_FILES = process.env.LATCHKEY_WTR_FILES?.split(',');

/** True to run the files in Firefox alone. `npm run test:long` sets it for files that `npm test` runs in Chromium. */
const isFirefoxOnly = process.env.LATCHKEY_WTR_BROWSER === 'Firefox';

/** The other reading of the specification depends on no engine. Only tests that use the fake service depend on it. */
const isSecondReading = process.env.LATCHKEY_READING === 'second';

/** Imports through which tests reach the fake service. */
const FAKE_SERVICE =
  /@latchkey\/conformance\/scripted-service|\/(fake-api|popup-session|redirect-page|plans-page|policy-page)\.js'/;

/**
 * Opens the popups of the tests as tabs in the background. A window of Firefox takes much longer to open, and the end-to-end tests
 * sign in with real ones.
 */
const POPUPS_AS_TABS = {
  'browser.link.open_newwindow': 3,
  'browser.link.open_newwindow.restriction': 0,
  'browser.tabs.loadDivertedInBackground': true,
};

export default {
  files: ONLY_FILES ?? (isSecondReading ? filesWithFakeService() : filesInEveryEngine()),
  groups:
    isSecondReading || ONLY_FILES !== undefined
      ? []
      : [{ name: 'in-chromium-only', files: IN_CHROMIUM_ONLY, browsers: [chromium()] }],
  rootDir: '../..',
  // The page and the fake service are two sites on one server: localhost and 127.0.0.1.
  hostname: 'localhost',
  nodeResolve: { exportConditions: ['production'] },
  concurrency: 1,
  browsers: [...(isFirefoxOnly ? [] : [chromium()]), ...(isSecondReading ? [] : firefox())],
  plugins: [esbuildPlugin({ ts: true, target: 'es2022', tsconfig: 'tsconfig.json' }), typeScriptSources()],
  middleware: [fakeKit, fakeService],
  // Limits for steps that hang.
  browserStartTimeout: 2 * STEP_LIMIT_MS,
  testsStartTimeout: 2 * STEP_LIMIT_MS,
  testsFinishTimeout: 10 * STEP_LIMIT_MS,
  testRunnerHtml,
  testFramework: { config: { timeout: STEP_LIMIT_MS } },
  reporters: [defaultReporter(), countingReporter()],
};

function filesInEveryEngine() {
  return [TESTS, ...IN_CHROMIUM_ONLY.map((file) => `!${file}`)];
}

function filesWithFakeService() {
  const folder = import.meta.dirname;
  return globSync(TESTS, { cwd: folder }).filter((file) =>
    FAKE_SERVICE.test(readFileSync(`${folder}/${file}`, 'utf8')),
  );
}

function chromium() {
  const executablePath = process.env.LATCHKEY_HEADLESS_SHELL || installedChromium();
  return inBrowser('chromium', { executablePath, args: CHROMIUM_ARGS });
}

/** Passes the settings of fuzzing, and the reading of the fake service to the pages, whose requests a second fake service answers. */
function testRunnerHtml(framework) {
  const { LATCHKEY_READING, LATCHKEY_AGAINST, LATCHKEY_FUZZ_RUNS, LATCHKEY_FUZZ_SEED } = process.env;
  const fuzzing = { LATCHKEY_FUZZ_RUNS, LATCHKEY_FUZZ_SEED };
  const settings = JSON.stringify({ LATCHKEY_READING, LATCHKEY_AGAINST, ...fuzzing });
  return `<!doctype html><html><body><script>Object.assign(globalThis, ${settings})</script>
<script type="module" src="${framework}"></script></body></html>`;
}

/** Returns Firefox if LATCHKEY_FIREFOX names one, as in `npm test`. */
function firefox() {
  const path = process.env.LATCHKEY_FIREFOX;
  return path ? [inBrowser('firefox', { ...firefoxOptions(path), firefoxUserPrefs: POPUPS_AS_TABS })] : [];
}

function inBrowser(product, launchOptions) {
  return playwrightLauncher({
    product,
    launchOptions: { ...launchOptions, timeout: STEP_LIMIT_MS },
    async createPage({ context }) {
      context.setDefaultTimeout(STEP_LIMIT_MS);
      return await context.newPage();
    },
  });
}

/** Resolves `./name.js` to `./name.ts`: the runner serves the sources, which import each other's compiled names. */
function typeScriptSources() {
  return {
    name: 'typescript-sources',
    resolveImport({ source, context }) {
      const inSources = /^\/packages\/widget\/(src|test)\//.test(context.path);
      return inSources && /^\.{1,2}\/.*\.js$/.test(source) ? source.replace(/\.js$/, '.ts') : undefined;
    },
  };
}

/** Writes the result of `readWebTestRunner` to the file that LATCHKEY_WTR_REPORT names. */
function countingReporter() {
  return {
    onTestRunFinished({ sessions }) {
      const file = process.env.LATCHKEY_WTR_REPORT;
      if (file) writeFileSync(file, JSON.stringify(readWebTestRunner(sessions)));
    },
  };
}
