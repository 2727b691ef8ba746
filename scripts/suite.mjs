// Runs a test runner and adds the results of its report to the summary.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './command.mjs';
import { noTests } from './read-reports.mjs';
import { addFailures, addRow, headingOf } from './summary.mjs';

const reports = join(ROOT, 'node_modules', '.cache', 'latchkey');
mkdirSync(reports, { recursive: true });

/**
 * Runs a test runner. Each part of its report becomes a row of the summary. A part in which no test ran is a failure, and so is
 * a bad exit code without a failed test.
 * @param {object} suite
 * @param {string} suite.name heading and name of the rows
 * @param {string} suite.command
 * @param {(report: object) => object} suite.read turns the runner's JSON report into parts
 * @param {(report: string) => string[]} suite.args receives the path of the report
 * @param {string[]} [suite.parts] parts that the report must contain
 * @param {string} [suite.reportVariable] environment variable that passes the path of the report
 * @param {object} [suite.env] further environment variables
 * @param {string} [suite.cwd]
 * @param {(text: string) => void} [suite.write] receives the heading and the output, as it arrives. By default, they are printed.
 */
export async function runSuite({ name, command, read, args, parts = [''], reportVariable, env, cwd, write }) {
  if (write) write(headingOf(name));
  else process.stdout.write(headingOf(name));
  const report = join(reports, `${name.replaceAll(/\W+/g, '-')}.json`);
  rmSync(report, { force: true });
  const { code } = await run(command, args(report), {
    ...(cwd && { cwd }),
    env: { ...env, ...(reportVariable && { [reportVariable]: report }) },
    ...(write && { write }),
  });
  const results = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : {};
  const rows = [...new Set([...parts, ...Object.keys(results)])].map((part) => {
    const { passed, failed, skipped, failures } = results[part] ?? noTests();
    const row = part === '' ? name : `${name} in ${part}`;
    addFailures(row, failures);
    return { name: row, passed, failed: passed + failed === 0 ? 1 : failed, skipped };
  });
  if (code !== 0 && rows.every(({ failed }) => failed === 0)) rows[0].failed = 1;
  rows.forEach(addRow);
}
