import type { CheckOutcome, CheckResult } from './check.js';
import { curlLine } from './curl.js';
import type { Exchange, Headers } from './exchange.js';
import { HTML_STYLE } from './html-style.js';
import { escaped } from './markup.js';
import { type Report, tally } from './report.js';
import { ruleOf } from './rule.js';

const LABELS: Readonly<Record<CheckOutcome['kind'], string>> = {
  failed: 'Failed',
  'not-run': 'Not run',
  unobservable: 'Unobservable',
  passed: 'Passed',
};

/** Report as one HTML file without scripts and without other files. Failures come first. */
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

function rule({ id, outcome, exchanges }: CheckResult): string {
  const { text, section: heading } = ruleOf(id);
  const { kind } = outcome;
  return `<details class="${kind}" id="${escaped(id)}"${kind === 'failed' ? ' open' : ''}>
<summary><span class="verdict">${LABELS[kind]}</span><span><code>${escaped(id)}</code><br>${escaped(text)}</span></summary>
<div class="rule">
<p class="faint">Specification: ${escaped(heading)}</p>
${foundText(outcome)}${exchanges.map(exchange).join('\n')}
</div>
</details>`;
}

function foundText(outcome: CheckOutcome): string {
  if (outcome.kind === 'passed') return '';
  const text = outcome.kind === 'failed' ? outcome.message : outcome.reason;
  return `<p><strong>${escaped(text)}</strong></p>\n`;
}

function exchange({ request, response, failure }: Exchange): string {
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
