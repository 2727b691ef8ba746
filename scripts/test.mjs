// `npm test`: every check and every test, in one run that ends with a table and a line `N passed, N failed`, counted from
// the runners' own reports. A step that fails does not stop the ones after it.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ROOT, run } from './command.mjs';
import { ensureRedisServer } from './redis.mjs';

const reports = join(ROOT, 'node_modules', '.cache', 'latchkey');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const started = performance.now();
const rows = [];

if (!(await build({ tests: true }))) {
  console.error('\nThe build failed; nothing was tested.\n\n0 passed, 1 failed');
  process.exit(1);
}
process.env.LATCHKEY_CHROMIUM = await ensureChromium();
process.env.LATCHKEY_REDIS_SERVER = await ensureRedisServer();

await check('format and lint', 'biome', ['ci', '--error-on-warnings', '.']);
await check('import boundaries and cycles', 'depcruise', [
  ...['--config', '.dependency-cruiser.mjs', '--output-type', 'err'],
  ...['packages/*/{src,test,bench}', 'demo/src', 'examples', 'e2e'],
]);
await check('dead code', 'knip', ['--config', '.knip.json']);
await check('packages as published', 'node', ['scripts/check-packages.mjs']);
await suite('unit and HTTP tests (vitest)', 'vitest', readVitest, (report) => ({
  args: ['run', '--root', 'packages', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
}));
await suite('widget in a real browser', 'web-test-runner', readCounts, (report) => ({
  args: ['--config', 'web-test-runner.config.mjs'],
  cwd: join(ROOT, 'packages/widget'),
  env: { LATCHKEY_WTR_REPORT: report },
}));
await suite('end to end (Playwright)', 'playwright', readPlaywright, (report) => ({
  args: ['test', '--config', 'e2e/playwright.config.ts'],
  env: { LATCHKEY_E2E_REPORT: report },
}));

summarize();

/** A tool that only says yes or no counts as one test. */
async function check(name, command, args) {
  heading(name);
  const { code } = await run(command, args);
  rows.push({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });
}

/** A test runner counts what its report says; a bad exit code or a missing report is a failure of its own. */
async function suite(name, command, read, options) {
  heading(name);
  const report = join(reports, `${command}.json`);
  const { args, cwd, env } = options(report);
  const { code } = await run(command, args, { ...(cwd && { cwd }), env });
  const counts = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0 };
  if (counts.failed === 0 && (code !== 0 || counts.passed === 0)) counts.failed = 1;
  rows.push({ name, ...counts });
}

function readVitest(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function readPlaywright({ stats }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

function readCounts({ passed, failed, skipped }) {
  return { passed, failed, skipped };
}

function heading(name) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}`);
}

function summarize() {
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
