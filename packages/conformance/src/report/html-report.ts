import { escapeHtml } from '@latchkey/contract/constants';
import {
  type CheckOutcome,
  type CheckResult,
  curlLine,
  type Headers,
  type Report,
  type RoundTrip,
  ruleOfResult,
  tally,
} from './report.js';

/** Stylesheet of the HTML report. It follows the reader's light or dark scheme. */
const HTML_STYLE = `
:root { color-scheme: light dark; --page: light-dark(#fbfbfa, #16181b); --text: light-dark(#1c1e21, #e6e7e9);
  --faint: light-dark(#5d636b, #9aa1aa); --line: light-dark(#dcdfe3, #33383f); --code: light-dark(#f1f2f4, #1f2328);
  --passed: light-dark(#1a7f37, #57c278); --failed: light-dark(#c62828, #ff8a80); --skipped: light-dark(#8a6100, #e0b050); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 70rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
p { margin: .25rem 0; } .faint { color: var(--faint); }
ul.counts { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; padding: 0; list-style: none; font-weight: 600; }
nav a { margin-right: 1rem; }
details { border-bottom: 1px solid var(--line); } summary { padding: .5rem 0; cursor: pointer; display: flex; gap: .75rem; }
summary .verdict { flex: 0 0 7.5rem; font-weight: 600; } summary code { overflow-wrap: anywhere; }
.passed .verdict { color: var(--passed); } .failed .verdict { color: var(--failed); }
.not-run .verdict, .unobservable .verdict { color: var(--skipped); }
.rule { padding: 0 0 1rem 8.25rem; } @media (max-width: 45rem) { .rule { padding-left: 0; } }
pre { margin: .25rem 0 .75rem; padding: .75rem; overflow-x: auto; background: var(--code); border-radius: 6px;
  font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
h3 { font-size: .9rem; margin: 1rem 0 0; }
`;

const LABELS: Readonly<Record<CheckOutcome['kind'], string>> = {
  failed: 'Failed',
  'not-run': 'Not run',
  unobservable: 'Unobservable',
  passed: 'Passed',
};

/** Returns the report as one HTML file, without scripts or other files. Failures come first. */
export function reportHtml(report: Report): string {
  const title = `Conformance of ${escaped(report.subject)}`;
  const kinds = Object.keys(LABELS) as CheckOutcome['kind'][];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p class="faint">${new Date(report.startedAt).toISOString()}${report.seed === undefined ? '' : ` · seed ${report.seed}`}</p>
${countList(report)}
${kinds.map((kind) => section(kind, report.results)).join('')}
</body>
</html>
`;
}

function countList(report: Report): string {
  const { passed, failed, notRun, unobservable } = tally(report);
  return `<ul class="counts"><li class="passed"><span class="verdict">${passed} passed</span></li><li class="failed"><span class="verdict">${failed} failed</span></li><li class="not-run"><span class="verdict">${notRun} not run</span></li><li class="unobservable"><span class="verdict">${unobservable} unobservable</span></li></ul>`;
}

function section(kind: CheckOutcome['kind'], results: readonly CheckResult[]): string {
  const chosen = results.filter(({ outcome }) => outcome.kind === kind);
  if (chosen.length === 0) return '';
  return `<h2>${LABELS[kind]} (${chosen.length})</h2>\n${chosen.map(rule).join('\n')}\n`;
}

function rule(result: CheckResult): string {
  const { id, outcome, roundTrips } = result;
  const { text, section: heading } = ruleOfResult(result);
  const { kind } = outcome;
  return `<details class="${kind}" id="${escaped(id)}"${kind === 'failed' ? ' open' : ''}>
<summary><span class="verdict">${LABELS[kind]}</span><span><code>${escaped(id)}</code><br>${escaped(text)}</span></summary>
<div class="rule">
<p class="faint">Specification: ${escaped(heading)}</p>
${foundText(outcome)}${roundTrips.map(roundTrip).join('\n')}
</div>
</details>`;
}

function foundText(outcome: CheckOutcome): string {
  if (outcome.kind === 'passed') return '';
  const text = outcome.kind === 'failed' ? outcome.message : outcome.reason;
  return `<p><strong>${escaped(text)}</strong></p>\n`;
}

function roundTrip({ request, response, failure }: RoundTrip): string {
  const received =
    response === undefined
      ? `No response: ${failure ?? 'unknown reason'}`
      : message(`HTTP ${response.status}`, response.headers, response.body);
  return `<h3>Sent</h3><pre>${escaped(message(`${request.method} ${request.url}`, request.headers, request.body))}</pre>
<h3>Received</h3><pre>${escaped(received)}</pre>
<h3>Repeat</h3><pre>${escaped(curlLine(request))}</pre>`;
}

function message(firstLine: string, headers: Headers, body = ''): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [firstLine, ...lines, ...(body === '' ? [] : ['', body])].join('\n');
}

/** Escapes text for HTML and XML. Characters that XML 1.0 forbids become U+FFFD. */
export function escaped(text: string): string {
  return escapeHtml(text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd'));
}

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
