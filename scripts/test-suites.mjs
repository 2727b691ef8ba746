// The test suites that `npm test`, `npm run test:all` and `npm run test:long` run in part.
import { build } from './build.mjs';
import { ensureChromium, ensureHeadlessShell } from './chromium.mjs';
import { ROOT, run } from './command.mjs';
import { ensureFirefox } from './firefox.mjs';
import { readPlaywright, readVitest } from './read-reports.mjs';
import { ensureRedisServer } from './redis.mjs';
import { runSuite } from './suite.mjs';
import { addRow, headingOf, printSummary } from './summary.mjs';
import { ensureWebKit } from './webkit.mjs';

/** How to find or install each browser, and the variable that passes its path to the test runners. */
const BROWSERS = {
  'headless Chromium': { variable: 'LATCHKEY_HEADLESS_SHELL', ensure: ensureHeadlessShell },
  Chromium: { variable: 'LATCHKEY_CHROMIUM', ensure: ensureChromium },
  Firefox: { variable: 'LATCHKEY_FIREFOX', ensure: ensureFirefox },
  WebKit: { variable: 'LATCHKEY_WEBKIT', ensure: ensureWebKit },
};

/**
 * Builds all packages with their tests, and finds or installs the browsers meanwhile, and Redis if the tests need it. Then it runs these
 * tests, prints the summary and ends the process, with code 1 if anything failed.
 * @param {object} tests
 * @param {(keyof typeof BROWSERS)[]} tests.browsers
 * @param {boolean} [tests.needsRedis]
 * @param {(browsers: Promise<string[]>) => Promise<void>} tests.run receives the names of the browsers found. They may still be
 *   installing, which the tests on Node need not wait for.
 */
export async function runTests({ browsers, needsRedis = false, run: runAll }) {
  const started = performance.now();
  // Hundreds of processes of the tests load the same modules. Node compiles each once, and keeps the result here.
  process.env.NODE_COMPILE_CACHE ??= `${ROOT}/node_modules/.cache/compile`;
  const redis = needsRedis ? findRedis() : Promise.resolve();
  // One after the other: apt-get installs for one process at a time.
  const found = redis.then(() => findBrowsers(browsers));
  if (!(await build({ tests: true }))) {
    await found;
    console.error('\nThe build failed, so no test ran.\n\n0 passed, 1 failed');
    process.exit(1);
  }
  await redis;
  await runAll(found);
  process.exit(printSummary({ minutes: (performance.now() - started) / 60_000 }) ? 0 : 1);
}

/** Runs a tool that only succeeds or fails. It counts as one test. */
export async function check(name, { command, args, write }) {
  write(headingOf(name));
  const { code } = await run(command, args, { write });
  addRow({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });
}

/** Runs tests on Node. `args` select projects and files. */
export function vitest(name, { args = [], env } = {}) {
  return runSuite({
    name,
    command: 'vitest',
    read: readVitest,
    args: (report) => [
      ...['run', '--root', 'packages', '--reporter=default', '--reporter=json'],
      // V8 then compiles each function at its first call. The server's tests took 4 to 11 % less of the processor.
      ...[`--outputFile.json=${report}`, '--execArgv=--max-lazy', ...args],
    ],
    env,
  });
}

/** Runs the tests of the widget's elements, in these browsers. */
export function widget(name, { parts, env, write }) {
  return runSuite({
    name,
    command: 'web-test-runner',
    read: (report) => report,
    parts,
    env,
    args: () => ['--config', 'web-test-runner.config.mjs'],
    cwd: `${ROOT}/packages/widget`,
    reportVariable: 'LATCHKEY_WTR_REPORT',
    write,
  });
}

/** Turns each assumption of docs/live-service.md around. Each counts as one test. */
export function assumptions(name) {
  return runSuite({
    name,
    command: 'node',
    read: (report) => ({ '': report }),
    args: () => ['scripts/assumptions.mjs', '--no-build'],
    reportVariable: 'LATCHKEY_ASSUMPTIONS_REPORT',
  });
}

/** Runs the end-to-end tests of these projects, each of which must have one. `args` select tests. */
export function endToEnd(name, { projects, args = [] }) {
  return runSuite({
    name,
    command: 'playwright',
    read: readPlaywright,
    parts: projects,
    args: () => [
      ...['test', '--config', 'e2e/playwright.config.ts'],
      ...projects.flatMap((project) => ['--project', project]),
      ...args,
    ],
    reportVariable: 'LATCHKEY_E2E_REPORT',
  });
}

/** Finds or installs Redis. If that fails, the tests that need it fail one by one, and this row gives the reason. */
async function findRedis() {
  try {
    process.env.LATCHKEY_REDIS_SERVER = await ensureRedisServer();
  } catch (error) {
    console.error(`\n${error.message}`);
    addRow({ name: 'Redis for the session stores', failed: 1 });
  }
}

/**
 * Finds or installs the browsers and passes their paths to the test runners. A missing browser is a failure, unless it does not
 * exist for this machine.
 * @returns the names of the browsers found
 */
async function findBrowsers(names) {
  const found = [];
  for (const name of names) {
    const { variable, ensure } = BROWSERS[name];
    try {
      const path = await ensure();
      process.env[variable] = path ?? '';
      if (path === undefined) addRow({ name: `${name} (not available on this machine)`, skipped: 1 });
      else found.push(name);
    } catch (error) {
      console.error(error.message);
      addRow({ name: `${name} to test in`, failed: 1 });
    }
  }
  return found;
}
