// `npm test`: every check and every test, in one run that ends with a table and a line `N passed, N failed`, counted from
// the runners' own reports. A step that fails does not stop the ones after it.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ROOT, run } from './command.mjs';
import { ensureFirefox } from './firefox.mjs';
import { noTests, readPlaywright, readVitest } from './read-reports.mjs';
import { ensureRedisServer } from './redis.mjs';
import { ensureWebKit } from './webkit.mjs';

/** How much of a failure's message is said again at the end. */
const MESSAGE_LINES = 12;

const reports = join(ROOT, 'node_modules', '.cache', 'latchkey');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const started = performance.now();
const rows = [];
const failures = [];

if (!(await build({ tests: true }))) {
  console.error('\nThe build failed; nothing was tested.\n\n0 passed, 1 failed');
  process.exit(1);
}
await setUpRedis();
const browsers = await setUpBrowsers();

// Firefox alone takes the widget's tests most of their time, on one core. The checks wait for nothing, and take the other.
const [checked] = await Promise.all([
  checks(),
  suite(
    'widget',
    'web-test-runner',
    (report) => report,
    (report) => ({
      parts: browsers.filter((browser) => browser !== 'WebKit'),
      args: ['--config', 'web-test-runner.config.mjs'],
      cwd: join(ROOT, 'packages/widget'),
      env: { LATCHKEY_WTR_REPORT: report },
    }),
  ),
]);
checked.forEach(tell);
await suite('unit and HTTP tests (vitest)', 'vitest', readVitest, (report) => ({
  args: ['run', '--root', 'packages', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
}));
await suite('end to end', 'playwright', readPlaywright, (report) => ({
  parts: browsers,
  args: ['test', '--config', 'e2e/playwright.config.ts'],
  env: { LATCHKEY_E2E_REPORT: report },
}));

summarize();

/** Without it the tests that need it fail one by one; the row says why. */
async function setUpRedis() {
  try {
    process.env.LATCHKEY_REDIS_SERVER = await ensureRedisServer();
  } catch (error) {
    console.error(`\n${error.message}`);
    rows.push({ name: 'a Redis for the session stores', passed: 0, failed: 1, skipped: 0 });
  }
}

/** One after the other, without a word: the step beside them has the screen. */
async function checks() {
  return [
    await check('format and lint', 'biome', ['ci', '--error-on-warnings', '.']),
    await check('import boundaries and cycles', 'depcruise', [
      ...['--config', '.dependency-cruiser.mjs', '--output-type', 'err'],
      ...['packages/*/{src,test,bench}', 'demo/src', 'examples', 'e2e'],
    ]),
    await check('dead code', 'knip', ['--config', '.knip.json']),
    await check('packages as published', 'node', ['scripts/check-packages.mjs']),
  ];
}

async function check(name, command, args) {
  return { name, ...(await run(command, args, { quiet: true })) };
}

/** A tool that only says yes or no counts as one test. */
function tell({ name, code, output }) {
  heading(name);
  console.log(output.trimEnd());
  rows.push({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });
}

/**
 * A test runner counts what its report says, a row for each of its parts. A bad exit code is a failure of its own, and so
 * is a part of which nothing ran.
 */
async function suite(name, command, read, options) {
  heading(name);
  const report = join(reports, `${command}.json`);
  const { parts = [''], args, cwd, env } = options(report);
  const { code } = await run(command, args, { ...(cwd && { cwd }), env });
  const counts = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : {};
  const own = [...new Set([...parts, ...Object.keys(counts)])].map((part) => {
    const { passed, failed, skipped, failures: inPart } = counts[part] ?? noTests();
    const row = part === '' ? name : `${name} in ${part}`;
    failures.push(...inPart.map((failure) => ({ row, ...failure })));
    return { name: row, passed, failed: passed + failed === 0 ? 1 : failed, skipped };
  });
  if (code !== 0 && own.every(({ failed }) => failed === 0)) own[0].failed = 1;
  rows.push(...own);
}

/** Names the browsers to the runners. One that should be there and is not is a failure; the others run all the same. */
async function setUpBrowsers() {
  const found = [];
  for (const [browser, ensure] of Object.entries({
    Chromium: ensureChromium,
    Firefox: ensureFirefox,
    WebKit: ensureWebKit,
  })) {
    try {
      const path = await ensure();
      process.env[`LATCHKEY_${browser.toUpperCase()}`] = path ?? '';
      if (path !== undefined) found.push(browser);
      else
        rows.push({ name: `${browser}, which this machine cannot have`, passed: 0, failed: 0, skipped: 1 });
    } catch (error) {
      console.error(error.message);
      rows.push({ name: `${browser} to test in`, passed: 0, failed: 1, skipped: 0 });
    }
  }
  return found;
}

function heading(name) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}`);
}

/** Named again at the end, where nobody has to look for them. */
function listFailures() {
  if (failures.length === 0) return;
  heading('failed');
  for (const { row, test, message } of failures) {
    console.log(`✗ ${row}: ${test.replace(`${ROOT}/`, '')}`);
    const lines = stripVTControlCharacters(message).trim().split('\n');
    console.log(
      lines
        .slice(0, MESSAGE_LINES)
        .map((line) => `    ${line.slice(0, 300)}\n`)
        .join(''),
    );
  }
}

function summarize() {
  listFailures();
  heading('summary');
  for (const { name, passed, failed, skipped } of rows) {
    const note = skipped > 0 ? `, ${skipped} skipped` : '';
    console.log(`${failed > 0 ? '✗' : '✓'} ${name.padEnd(36)} ${passed} passed, ${failed} failed${note}`);
  }
  const total = (key) => rows.reduce((sum, row) => sum + row[key], 0);
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.log(`\nTook ${minutes} minutes.\n`);
  const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
  console.log(`${total('passed')} passed, ${total('failed')} failed${skipped}`);
  process.exit(total('failed') > 0 ? 1 : 0);
}
