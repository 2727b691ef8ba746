// `npm test`: runs every check and every test, prints a table, and ends with a line `N passed, N failed`. The counts come from
// the test runners' reports. A step that fails does not stop the others.
import { build } from './build.mjs';
import { ensureChromium, ensureHeadlessShell } from './chromium.mjs';
import { ROOT, run } from './command.mjs';
import { ensureFirefox } from './firefox.mjs';
import { readPlaywright, readVitest } from './read-reports.mjs';
import { ensureRedisServer } from './redis.mjs';
import { runSuite } from './suite.mjs';
import { addRow, printHeading, printSummary } from './summary.mjs';
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

// The checks and the widget's tests use one core each; the tests on Node wait for databases half of their time. Running both
// at once keeps two cores busy. The second group prints its output when it is done.
const [, printSecondGroup] = await Promise.all([vitest(), secondGroup()]);
printSecondGroup();
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

/** Turns two assumptions of docs/live-service.md around. `npm run assumptions` turns all of them around. */
function assumptions() {
  return runSuite({
    name: 'assumptions turned around',
    command: 'node',
    read: (report) => ({ '': report }),
    args: () => ['scripts/assumptions.mjs', '--short', '--reading', 'first', '--no-build'],
    reportVariable: 'LATCHKEY_ASSUMPTIONS_REPORT',
    quiet: true,
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

/** Runs the checks, the widget's tests, then those of two assumptions. Returns a function that prints their output. */
async function secondGroup() {
  const checks = [
    await check('format and lint', 'biome', ['ci', '--error-on-warnings', '.']),
    await check('import rules', 'depcruise', [
      ...['--config', '.dependency-cruiser.mjs', '--output-type', 'err'],
      ...['packages/*/{src,test,bench}', 'demo/src', 'examples', 'e2e'],
    ]),
    await check('plain language', 'node', ['scripts/language.mjs']),
    await check('dead code', 'knip', ['--config', '.knip.json']),
    await check('packages as published', 'node', ['scripts/check-packages.mjs']),
  ];
  const widgets = [
    await widget('widget', { parts: browsers.filter((browser) => browser !== 'WebKit') }),
    await widget('widget, second reading of the specification', {
      parts: ['Chromium'],
      env: { LATCHKEY_READING: 'second' },
    }),
  ];
  const turned = await assumptions();
  return () => {
    for (const { name, output } of [...checks, ...widgets, turned]) {
      printHeading(name);
      console.log(output.trimEnd());
    }
  };
}

function widget(name, { parts, env }) {
  return runSuite({
    name,
    command: 'web-test-runner',
    read: (report) => report,
    parts,
    env,
    args: () => ['--config', 'web-test-runner.config.mjs'],
    cwd: `${ROOT}/packages/widget`,
    reportVariable: 'LATCHKEY_WTR_REPORT',
    quiet: true,
  });
}

/** Runs a tool that only succeeds or fails. It counts as one test. */
async function check(name, command, args) {
  const { code, output } = await run(command, args, { quiet: true });
  addRow({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });
  return { name, output };
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
