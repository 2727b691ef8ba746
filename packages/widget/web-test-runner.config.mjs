import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { build } from 'esbuild';
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

/** Files to run instead of all files, separated by commas. `npm run assumptions` and `npm run test:long` set them. */
const ONLY_FILES = process.env.LATCHKEY_WTR_FILES?.split(',');

/** True to run in Firefox instead of Chromium, by default only the tests that depend on the engine. */
const isInFirefox = process.env.LATCHKEY_WTR_BROWSER === 'Firefox';

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
  files: ONLY_FILES ?? filesToRun(),
  rootDir: '../..',
  // The page and the fake service are two sites on one server: localhost and 127.0.0.1.
  hostname: 'localhost',
  nodeResolve: { exportConditions: ['production'] },
  concurrency: 1,
  browsers: [isInFirefox ? firefox() : chromium()],
  plugins: [await bundledTests()],
  middleware: [fakeKit, fakeService],
  // Limits for steps that hang.
  browserStartTimeout: 2 * STEP_LIMIT_MS,
  testsStartTimeout: 2 * STEP_LIMIT_MS,
  testsFinishTimeout: 10 * STEP_LIMIT_MS,
  testRunnerHtml,
  testFramework: { config: { timeout: STEP_LIMIT_MS } },
  reporters: [defaultReporter(), countingReporter()],
};

function filesToRun() {
  if (isInFirefox) return [TESTS, ...[...ENGINE_INDEPENDENT, ...RULES].map((file) => `!${file}`)];
  if (!isSecondReading) return TESTS;
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

function firefox() {
  const options = firefoxOptions(process.env.LATCHKEY_FIREFOX);
  return inBrowser('firefox', { ...options, firefoxUserPrefs: POPUPS_AS_TABS });
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

/**
 * Serves the test files, and the modules of their pages, as bundles that share their common parts. Each module on its own would be
 * a request of each test file, and these took a quarter of the processor time.
 */
async function bundledTests() {
  const folder = import.meta.dirname;
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: globSync([TESTS, 'test/support/*-page.ts'], { cwd: folder }),
    ...{ outbase: '.', outdir: '.', write: false },
    ...{ bundle: true, splitting: true, format: 'esm', target: 'es2022', sourcemap: 'inline' },
    ...{ tsconfig: 'tsconfig.json', conditions: ['production'] },
  });
  const bundles = new Map(
    outputFiles.map(({ path, text }) => [
      `/packages/widget${path.slice(folder.length)}`.replace(/(\.test|-page)\.js$/, '$1.ts'),
      text,
    ]),
  );
  return {
    name: 'bundled-tests',
    serve({ path }) {
      return bundles.has(path) ? { body: bundles.get(path), type: 'js' } : undefined;
    },
    // The imports of a bundle are resolved already.
    resolveImport: ({ source, context }) => (bundles.has(context.path) ? source : undefined),
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
