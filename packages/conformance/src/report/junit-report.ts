import { escaped } from './html-report.js';
import { type CheckResult, curlLine, type Report, ruleOfResult, tally } from './report.js';

/** Returns the report as JUnit XML. Rules that didn't run or are unobservable are skipped test cases with the reason. */
export function reportJunit(report: Report): string {
  const { failed, notRun, unobservable } = tally(report);
  const seconds = (report.finishedAt - report.startedAt) / 1_000;
  const counts = `tests="${report.results.length}" failures="${failed}" errors="0" skipped="${notRun + unobservable}" time="${seconds}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="latchkey conformance" ${counts}>`,
    `  <testsuite name="${escaped(report.side)}" hostname="${escaped(report.subject)}" timestamp="${new Date(report.startedAt).toISOString()}" ${counts}>`,
    ...report.results.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(result: CheckResult): string {
  const { id, durationMs } = result;
  const { section, text } = ruleOfResult(result);
  const opening = `    <testcase classname="${escaped(section)}" name="${escaped(`${id}: ${text}`)}" time="${durationMs / 1_000}"`;
  const content = contentOf(result);
  return content === '' ? `${opening}/>` : `${opening}>${content}</testcase>`;
}

function contentOf({ outcome, roundTrips }: CheckResult): string {
  switch (outcome.kind) {
    case 'passed':
      return '';
    case 'failed': {
      const commands = roundTrips.map(({ request }) => curlLine(request)).join('\n');
      return `<failure message="${escaped(outcome.message)}">${escaped(commands)}</failure>`;
    }
    default:
      return `<skipped message="${escaped(`${outcome.kind}: ${outcome.reason}`)}"/>`;
  }
}
