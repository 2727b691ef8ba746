import type { CheckedFact, CheckResult } from './check.js';

/** Facts about the run, printed above the results. */
export type ReportHeading = readonly (readonly [name: string, value: string])[];

const WORDS: Readonly<Record<CheckResult['kind'], string>> = {
  ok: 'ok',
  differs: 'DIFFERS',
  not_checked: 'not checked',
};
const INDENT = '             ';

/** The report as text: the heading, a paragraph for each check, and the numbers of the results. */
export function reportText(heading: ReportHeading, facts: readonly CheckedFact[]): string {
  const count = (kind: CheckResult['kind']) => facts.filter(({ result }) => result.kind === kind).length;
  return [
    ...heading.map(([name, value]) => `${name.padEnd(INDENT.length)}${value}`),
    '',
    ...facts.map(factText),
    '',
    `${count('ok')} ok, ${count('differs')} differ, ${count('not_checked')} not checked.`,
    ...(count('differs') === 0 ? [] : ['docs/live-service.md explains each assumption.']),
  ].join('\n');
}

function factText({ id, assumption, result }: CheckedFact): string {
  const about = assumption === undefined || assumption === id ? id : `${id} (assumption ${assumption})`;
  const lines = [`${WORDS[result.kind].padEnd(INDENT.length)}${about}`];
  if (result.kind === 'not_checked') lines.push(`${INDENT}Needs ${result.needs}`);
  else lines.push(`${INDENT}${result.meaning}`);
  if (result.kind === 'differs') lines.push(`${INDENT}To do: ${result.action}`);
  return lines.join('\n');
}

/** The report as one line of JSON. */
export function reportJson(
  service: Readonly<Record<string, unknown>>,
  facts: readonly CheckedFact[],
): string {
  const checks = facts.map(({ id, assumption, result: { kind, ...details } }) => ({
    ...{ id, assumption, result: kind },
    ...details,
  }));
  return JSON.stringify({ ...service, checks, differs: checks.some(({ result }) => result === 'differs') });
}
