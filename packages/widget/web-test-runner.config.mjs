import { writeFileSync } from 'node:fs';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { CHROMIUM_ARGS, installedChromium } from '../../scripts/chromium.mjs';
import { firefoxOptions } from '../../scripts/firefox.mjs';
import { readWebTestRunner } from '../../scripts/read-reports.mjs';
import { fakeService } from './test/support/fake-service.mjs';

/** How long one step may take, in milliseconds: a test, or to load a page. */
const PATIENCE_MS = 120_000;

export default {
  files: 'test/**/*.browser.test.ts',
  rootDir: '../..',
  // The page and the fake service are two sites on one server: localhost and 127.0.0.1.
  hostname: 'localhost',
  nodeResolve: { exportConditions: ['production'] },
  concurrency: 1,
  browsers: [chromium(), ...firefox()],
  plugins: [esbuildPlugin({ ts: true, target: 'es2022', tsconfig: 'tsconfig.json' }), typeScriptSources()],
  middleware: [fakeService],
  // Limits for what hangs, which no slow machine may meet.
  browserStartTimeout: 2 * PATIENCE_MS,
  testsStartTimeout: 2 * PATIENCE_MS,
  testsFinishTimeout: 10 * PATIENCE_MS,
  testFramework: { config: { timeout: PATIENCE_MS } },
  reporters: [defaultReporter(), countingReporter()],
};

function chromium() {
  return inBrowser('chromium', { executablePath: installedChromium(), args: CHROMIUM_ARGS });
}

/** Where LATCHKEY_FIREFOX names one, as `npm test` does. */
function firefox() {
  const path = process.env.LATCHKEY_FIREFOX;
  return path ? [inBrowser('firefox', firefoxOptions(path))] : [];
}

function inBrowser(product, launchOptions) {
  return playwrightLauncher({
    product,
    launchOptions: { ...launchOptions, timeout: PATIENCE_MS },
    async createPage({ context }) {
      context.setDefaultTimeout(PATIENCE_MS);
      return await context.newPage();
    },
  });
}

/** Sources import each other as `./name.js`, which is what tsc makes of `./name.ts`; here the sources are served. */
function typeScriptSources() {
  return {
    name: 'typescript-sources',
    resolveImport({ source, context }) {
      const inSources = /^\/packages\/widget\/(src|test)\//.test(context.path);
      return inSources && /^\.{1,2}\/.*\.js$/.test(source) ? source.replace(/\.js$/, '.ts') : undefined;
    },
  };
}

/** Writes what `readWebTestRunner` gives to the file that LATCHKEY_WTR_REPORT names. */
function countingReporter() {
  return {
    onTestRunFinished({ sessions }) {
      const file = process.env.LATCHKEY_WTR_REPORT;
      if (file) writeFileSync(file, JSON.stringify(readWebTestRunner(sessions)));
    },
  };
}
