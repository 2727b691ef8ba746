// Collects the results of `npm test` and prints them.
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './command.mjs';

/** Lines of a failure's message that the summary repeats. */
const MESSAGE_LINES = 12;

const rows = [];
const failures = [];

/** Adds a row to the summary. */
export function addRow({ name, passed = 0, failed = 0, skipped = 0 }) {
  rows.push({ name, passed, failed, skipped });
}

/** Adds the failed tests of a row. The summary repeats them before its table. */
export function addFailures(row, failed) {
  failures.push(...failed.map((failure) => ({ row, ...failure })));
}

export function headingOf(name) {
  return `\n── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}\n`;
}

/** Prints the failures, the table and the totals. Returns true if nothing failed. */
export function printSummary({ minutes }) {
  printFailures();
  process.stdout.write(headingOf('summary'));
  for (const { name, ...counts } of rows) {
    console.log(`${counts.failed > 0 ? '✗' : '✓'} ${name.padEnd(36)} ${inWords(counts)}`);
  }
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  console.log(`\nTook ${minutes.toFixed(1)} minutes.\n`);
  console.log(inWords({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }));
  return sum('failed') === 0;
}

function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function printFailures() {
  if (failures.length === 0) return;
  process.stdout.write(headingOf('failed'));
  for (const { row, test, message } of failures) {
    console.log(`✗ ${row}: ${test.replace(`${ROOT}/`, '')}`);
    const lines = stripVTControlCharacters(message).trim().split('\n').slice(0, MESSAGE_LINES);
    console.log(lines.map((line) => `    ${line.slice(0, 300)}\n`).join(''));
  }
}
