import { existsSync, writeFileSync } from 'node:fs';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { fakeService } from './test/support/fake-service.mjs';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';
const executablePath =
  process.env.LATCHKEY_CHROMIUM || (existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : undefined);

export default {
  files: 'test/**/*.browser.test.ts',
  rootDir: '../..',
  // The page and the fake service are two sites on one server: localhost and 127.0.0.1.
  hostname: 'localhost',
  nodeResolve: { exportConditions: ['production'] },
  concurrency: 1,
  browsers: [
    playwrightLauncher({
      product: 'chromium',
      launchOptions: {
        ...(executablePath && { executablePath }),
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
        ],
      },
    }),
  ],
  plugins: [esbuildPlugin({ ts: true, target: 'es2022', tsconfig: 'tsconfig.json' }), typeScriptSources()],
  middleware: [fakeService],
  testFramework: { config: { timeout: 10_000 } },
  reporters: [defaultReporter(), countingReporter()],
};

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

/** Writes `{ passed, failed, skipped }` to the file that LATCHKEY_WTR_REPORT names. */
function countingReporter() {
  return {
    onTestRunFinished({ sessions }) {
      const file = process.env.LATCHKEY_WTR_REPORT;
      if (!file) return;
      const count = { passed: 0, failed: 0, skipped: 0 };
      for (const { testResults, errors, status } of sessions) {
        if (testResults) countSuite(testResults, count);
        // A file that did not load ran no test, and is a failure all the same.
        if (!testResults || errors.length > 0 || status !== 'FINISHED') count.failed += 1;
      }
      writeFileSync(file, JSON.stringify(count));
    },
  };
}

function countSuite({ suites, tests }, count) {
  for (const { skipped, passed } of tests) count[skipped ? 'skipped' : passed ? 'passed' : 'failed'] += 1;
  for (const suite of suites) countSuite(suite, count);
}
