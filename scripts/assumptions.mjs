// `npm run assumptions`: turns each assumption of docs/live-service.md around in the fake service, and runs the tests of the
// callers. Fails unless exactly the tests fail whose names contain `[assumes <id>]`. `--only <id>` (repeatable) runs some of
// them. `--reading first` or `--reading second` runs one reading instead of both. `--no-build` uses the built packages as they are.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareResults, resultsOfVitest } from './assumptions/compare.mjs';
import { filesWithFake } from './assumptions/fake-users.mjs';
import { filesThatName } from './assumptions/naming-files.mjs';
import { build } from './build.mjs';
import { ROOT, run } from './command.mjs';
import { commandOptions, rejectOptions } from './command-options.mjs';

/** Suites in Node. The projects of the stores need databases, and repeat tests of the express project. */
const PROJECTS = { first: ['client', 'oauth', 'express'], second: ['*-second'] };
const TESTS = ['packages/{client,oauth,express}/test/**/*.test.ts'];
const WIDGET = 'packages/widget';
const WIDGET_TESTS = ['{src,test}/**/*.browser.test.ts'];
/** Assumptions about what a browser sends to the service. The widget's test files that name them run in Chromium. */
const IN_BROWSER = ['token-cors'];
const REPORTS = join(ROOT, 'node_modules', '.cache', 'latchkey-assumptions');

const USAGE = 'npm run assumptions [-- --only <id of an assumption> …] [--reading first|second] [--no-build]';
const { values } = commandOptions(USAGE, {
  options: {
    only: { type: 'string', multiple: true },
    reading: { type: 'string', multiple: true, default: Object.keys(PROJECTS) },
    'no-build': { type: 'boolean', default: false },
  },
});

if (!values['no-build'] && !(await build({ tests: false }))) process.exit(1);
const { ASSUMPTIONS } = await import('../packages/conformance/dist/scripted-service-browser.js');
const projects = values.reading.flatMap((reading) => PROJECTS[reading] ?? []);
const ids = values.only ?? [undefined, ...ASSUMPTIONS];
const unknown = ids.find((id) => id !== undefined && !ASSUMPTIONS.includes(id));
if (unknown !== undefined)
  rejectOptions(USAGE, `--only: must be ${ASSUMPTIONS.join(', ')}; got "${unknown}".`);
if (projects.length === 0) rejectOptions(USAGE, '--reading: must be first or second.');

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const files = filesWithFake(ROOT, TESTS).filter((file) => !file.includes('/test/stores/'));
console.log(`${files.length} test files use the fake service.\n`);
const failures = [];
for (const id of ids) failures.push(...(await turnAround(id)));
const reportFile = process.env.LATCHKEY_ASSUMPTIONS_REPORT;
if (reportFile) {
  const failed = new Set(failures.map(({ test }) => test)).size;
  writeFileSync(reportFile, JSON.stringify({ passed: ids.length - failed, failed, skipped: 0, failures }));
}
process.exit(failures.length === 0 ? 0 : 1);

/** Runs the tests with one assumption turned around, and prints a row. Returns what is not as the names say. */
async function turnAround(id) {
  const started = performance.now();
  const results = [...(await runVitest(id)), ...(IN_BROWSER.includes(id) ? await runWidget(id) : [])];
  const { expected, missing, unexpected } = compareResults(results, id);
  const name = id ?? '(none turned around)';
  const messages = [
    ...(results.length === 0 ? ['no test ran'] : []),
    ...(id !== undefined && expected === 0 ? ['no test names it'] : []),
    ...missing.map((test) => `passed, but names it: ${test.replace(`${ROOT}/`, '')}`),
    ...unexpected.map((test) => `failed: ${test.replace(`${ROOT}/`, '')}`),
  ];
  const seconds = Math.round((performance.now() - started) / 1000);
  const text =
    id === undefined ? `${results.length} tests` : `${expected} of ${results.length} tests must fail`;
  console.log(`${messages.length === 0 ? '✓' : '✗'} ${name.padEnd(28)} ${text}, ${seconds} s`);
  for (const message of messages) console.log(`    ${message}`);
  return messages.map((message) => ({ test: name, message }));
}

async function runVitest(id) {
  const report = join(REPORTS, `${id ?? 'none'}.json`);
  const args = ['run', '--root', 'packages', '--reporter=json', `--outputFile.json=${report}`];
  const { output } = await run(
    'vitest',
    [
      ...args,
      ...projects.flatMap((project) => ['--project', project]),
      ...files.map((file) => join(ROOT, file)),
    ],
    { env: { LATCHKEY_AGAINST: id ?? '' }, quiet: true },
  );
  if (existsSync(report)) return resultsOfVitest(JSON.parse(readFileSync(report, 'utf8')));
  return [{ name: `vitest did not run: ${output.trim().split('\n').slice(-5).join(' ')}`, failed: true }];
}

/** Runs the widget's test files that name the assumption, in Chromium only. The other files need minutes. */
async function runWidget(id) {
  const report = join(REPORTS, `${id}-widget.json`);
  const cwd = join(ROOT, WIDGET);
  const named = filesThatName(cwd, WIDGET_TESTS, id);
  if (named.length === 0) return [];
  const { output } = await run('web-test-runner', ['--config', 'web-test-runner.config.mjs'], {
    cwd,
    env: {
      LATCHKEY_AGAINST: id,
      LATCHKEY_WTR_FILES: named.join(','),
      LATCHKEY_WTR_REPORT: report,
    },
    quiet: true,
  });
  if (!existsSync(report)) {
    return [
      {
        name: `the widget's tests did not run: ${output.trim().split('\n').slice(-5).join(' ')}`,
        failed: true,
      },
    ];
  }
  const parts = Object.values(JSON.parse(readFileSync(report, 'utf8')));
  return parts.flatMap(({ names, failures }) => {
    const failed = failures.map(({ test }) => test);
    const passed = names.filter((name) => !failed.includes(name)).map((name) => ({ name, failed: false }));
    return [...passed, ...failed.map((name) => ({ name, failed: true }))];
  });
}
