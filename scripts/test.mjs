// `npm test`: runs every check and every test, prints a table, and ends with a line `N passed, N failed`. The counts come from
// the test runners' reports. A step that fails does not stop the others.
import { build } from './build.mjs';
import { ensureChromium, ensureHeadlessShell } from './chromium.mjs';
import { ROOT, run } from './command.mjs';
import { ensureFirefox } from './firefox.mjs';
import { holdOutput } from './held-output.mjs';
import { readPlaywright, readVitest } from './read-reports.mjs';
import { ensureRedisServer } from './redis.mjs';
import { runSuite } from './suite.mjs';
import { addRow, headingOf, printSummary } from './summary.mjs';
import { ensureWebKit } from './webkit.mjs';

const started = performance.now();

// Hundreds of processes of the tests load the same modules. Node compiles each once, and keeps the result here.
process.env.NODE_COMPILE_CACHE ??= `${ROOT}/node_modules/.cache/compile`;

if (!(await build({ tests: true }))) {
  console.error('\nThe build failed, so no test ran.\n\n0 passed, 1 failed');
  process.exit(1);
}
await findRedis();
const browsers = await findBrowsers();

// The tests on Node leave a part of the processor unused, because they wait for databases. So the checks and the tests of the widget
// run beside them, and their output follows. The end-to-end tests need the whole processor: beside the tests on Node, both took
// twice as long.
const first = vitest();
await Promise.all([first, checksAndWidget(holdOutput(first))]);
await endToEnd();

process.exit(printSummary({ minutes: (performance.now() - started) / 60_000 }) ? 0 : 1);

function vitest() {
  return runSuite({
    name: 'unit and HTTP tests (vitest)',
    command: 'vitest',
    read: readVitest,
    args: (report) => [
      ...['run', '--root', 'packages', '--reporter=default', '--reporter=json'],
      `--outputFile.json=${report}`,
    ],
  });
}

/** Turns one assumption of docs/live-service.md around. `npm run assumptions` turns all of them around. */
function assumptions(write) {
  return runSuite({
    name: 'assumption turned around',
    command: 'node',
    read: (report) => ({ '': report }),
    args: () => ['scripts/assumptions.mjs', '--short', '--reading', 'first', '--no-build'],
    reportVariable: 'LATCHKEY_ASSUMPTIONS_REPORT',
    write,
  });
}

function endToEnd() {
  return runSuite({
    name: 'end to end',
    command: 'playwright',
    read: readPlaywright,
    parts: browsers.flatMap((browser) =>
      browser === 'Chromium' ? ['headless Chromium', browser] : [browser],
    ),
    args: () => ['test', '--config', 'e2e/playwright.config.ts'],
    reportVariable: 'LATCHKEY_E2E_REPORT',
  });
}

/** Runs the checks, the tests of the widget and an assumption. */
async function checksAndWidget(write) {
  await check('format and lint', { command: 'biome', args: ['ci', '--error-on-warnings', '.'], write });
  await check('import rules', {
    command: 'depcruise',
    args: [
      ...['--config', '.dependency-cruiser.mjs', '--output-type', 'err'],
      ...['packages/*/{src,test,bench}', 'demo/src', 'examples', 'e2e'],
    ],
    write,
  });
  await check('plain language', { command: 'node', args: ['scripts/language.mjs'], write });
  await check('dead code', { command: 'knip', args: ['--config', '.knip.json'], write });
  await check('packages as published', { command: 'node', args: ['scripts/check-packages.mjs'], write });
  await widget('widget', { parts: browsers.filter((browser) => browser !== 'WebKit'), write });
  await widget('widget, second reading of the specification', {
    parts: ['Chromium'],
    env: { LATCHKEY_READING: 'second' },
    write,
  });
  await assumptions(write);
}

function widget(name, { parts, env, write }) {
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

/** Runs a tool that only succeeds or fails. It counts as one test. */
async function check(name, { command, args, write }) {
  write(headingOf(name));
  const { code } = await run(command, args, { write });
  addRow({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });
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
async function findBrowsers() {
  const found = [];
  process.env.LATCHKEY_HEADLESS_SHELL = await ensureHeadlessShell().catch(() => '');
  for (const [browser, ensure] of Object.entries({
    Chromium: ensureChromium,
    Firefox: ensureFirefox,
    WebKit: ensureWebKit,
  })) {
    try {
      const path = await ensure();
      process.env[`LATCHKEY_${browser.toUpperCase()}`] = path ?? '';
      if (path === undefined) addRow({ name: `${browser} (not available on this machine)`, skipped: 1 });
      else found.push(browser);
    } catch (error) {
      console.error(error.message);
      addRow({ name: `${browser} to test in`, failed: 1 });
    }
  }
  return found;
}
