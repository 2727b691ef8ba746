import { type CheckResult, curlLine, type Report, type RoundTrip, ruleOfResult, tally } from './report.js';

/** Options of the terminal report. */
export interface ReportTextOptions {
  /** Whether to list passed rules too. @default false */
  readonly verbose?: boolean;
}

const BODY_LIMIT = 400;
/** How many rules a line lists one by one. */
const LISTED_IDS = 8;

/** Returns a short report for a terminal: failures with their messages first, then what didn't run, then the counts. */
export function reportText(report: Report, { verbose = false }: ReportTextOptions = {}): string {
  const { passed, failed, notRun, unobservable } = tally(report);
  const seconds = ((report.finishedAt - report.startedAt) / 1_000).toFixed(1);
  const counts = `${passed} passed, ${failed} failed, ${notRun} not run, ${unobservable} unobservable`;
  return [
    ...report.results.flatMap(failureLines),
    ...reasonLines('Not run', report.results, { kind: 'not-run', verbose }),
    ...reasonLines('Unobservable from outside', report.results, { kind: 'unobservable', verbose }),
    ...(verbose
      ? report.results.filter(isPassed).map((result) => `passed  ${result.id}  ${ruleOfResult(result).text}`)
      : []),
    `${report.subject}: ${counts}, in ${seconds} s${report.seed === undefined ? '' : `, seed ${report.seed}`}`,
  ].join('\n');
}

function isPassed({ outcome }: CheckResult): boolean {
  return outcome.kind === 'passed';
}

function failureLines(result: CheckResult): string[] {
  const { id, outcome, roundTrips } = result;
  if (outcome.kind !== 'failed') return [];
  const { text, section } = ruleOfResult(result);
  const last = roundTrips.at(-1);
  return [
    `FAILED  ${id}`,
    `  spec      ${text} (${section})`,
    `  found     ${printable(outcome.message)}`,
    ...(last === undefined ? [] : roundTripLines(last)),
    '',
  ];
}

function roundTripLines({ request, response, failure }: RoundTrip): string[] {
  const answer =
    response === undefined
      ? `no response: ${failure ?? 'unknown reason'}`
      : `${response.status} ${shortened(response.body)}`;
  return [
    `  sent      ${request.method} ${printable(request.url)}`,
    `  received  ${printable(answer)}`,
    `  repeat    ${printable(curlLine(request))}`,
  ];
}

/** Groups the results by reason: one missing fixture stops many checks. */
function reasonLines(
  title: string,
  results: readonly CheckResult[],
  { kind, verbose }: { readonly kind: 'not-run' | 'unobservable'; readonly verbose: boolean },
): string[] {
  const groups = new Map<string, string[]>();
  for (const { id, outcome } of results) {
    if (outcome.kind !== kind) continue;
    groups.set(outcome.reason, [...(groups.get(outcome.reason) ?? []), id]);
  }
  if (groups.size === 0) return [];
  const listed = (ids: readonly string[]) =>
    verbose || ids.length <= LISTED_IDS ? ids.join(', ') : `${ids.length} rules (--verbose lists them)`;
  return [`${title}:`, ...[...groups].map(([reason, ids]) => `  ${printable(reason)}: ${listed(ids)}`), ''];
}

function shortened(text: string): string {
  return text.length > BODY_LIMIT ? `${text.slice(0, BODY_LIMIT)}…` : text;
}

/** Escapes control characters: a response could use them to change what the terminal shows. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}/gu, (character) => JSON.stringify(character).slice(1, -1));
}
