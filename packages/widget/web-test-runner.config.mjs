import { writeFileSync } from 'node:fs';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { CHROMIUM_ARGS, installedChromium } from '../../scripts/chromium.mjs';
import { firefoxOptions } from '../../scripts/firefox.mjs';
import { readWebTestRunner } from '../../scripts/read-reports.mjs';
import { fakeService } from './test/support/fake-service.mjs';

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
  // A limit for a file that hangs, which no slow machine may meet.
  testsFinishTimeout: 300_000,
  testFramework: { config: { timeout: 30_000 } },
  reporters: [defaultReporter(), countingReporter()],
};

function chromium() {
  const launchOptions = { executablePath: installedChromium(), args: CHROMIUM_ARGS };
  return playwrightLauncher({ product: 'chromium', launchOptions });
}

/** Where LATCHKEY_FIREFOX names one, as `npm test` does. */
function firefox() {
  const path = process.env.LATCHKEY_FIREFOX;
  return path ? [playwrightLauncher({ product: 'firefox', launchOptions: firefoxOptions(path) })] : [];
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
