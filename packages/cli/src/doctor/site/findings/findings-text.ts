import { printableLine } from '../../../command-line/printable.js';
import type { Finding } from './finding.js';
import { FINDING_SEVERITIES, type Severity } from './finding-severities.js';
import { type Fix, fixText } from './fix.js';

/** Longest text of a report, in characters. The text of a site can be longer. */
const TEXT_LENGTH_MAX = 600;
const INDENT = '             ';
const ORDER: readonly Severity[] = ['critical', 'error', 'warning'];

/** Result of a run of the doctor. */
export interface SiteReport {
  /** Facts about the run, printed above the findings. */
  readonly heading: readonly (readonly [name: string, value: string])[];
  readonly findings: readonly Finding[];
  /** Changes of the sandbox that were made. */
  readonly changes: readonly Fix[];
  /** Reasons why the sandbox rejected changes. */
  readonly rejected: readonly string[];
  /** Sentences about what could not be examined. */
  readonly notExamined: readonly string[];
  /** Address of docs/doctor.md, to which the code of a finding is appended. */
  readonly help: string;
}

/** A finding as it is printed: safe for terminals, and without secrets. */
export interface ShownFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly where: string;
  readonly meaning: string;
  readonly action: string;
  readonly help: string;
  /** True if `--fix` can remove it. */
  readonly isFixable: boolean;
}

/** Returns findings as they are printed, the worst first. Parts of them were written by the site. */
export function shownFindings({ findings, help }: SiteReport, secrets: readonly string[]): ShownFinding[] {
  const shown = (text: string) => {
    const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
    return printableLine(hidden.length <= TEXT_LENGTH_MAX ? hidden : `${hidden.slice(0, TEXT_LENGTH_MAX)}…`);
  };
  const rows = findings.map(({ code, where, meaning, action, fix }) => ({
    code,
    severity: FINDING_SEVERITIES[code],
    where: shown(where),
    meaning: shown(meaning),
    action: shown(action),
    help: `${help}#${code}`,
    isFixable: fix !== undefined,
  }));
  const unique = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
  return unique.sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

/** The report as text. A site without findings has one line: "All fine." */
export function findingsText(report: SiteReport, findings: readonly ShownFinding[]): string {
  const { heading, changes, rejected, notExamined } = report;
  return [
    ...heading.map(([name, value]) => `${name.padEnd(INDENT.length)}${printableLine(value)}`),
    ...notExamined.map((sentence) => `Not examined ${printableLine(sentence)}`),
    '',
    ...changes.map((fix) => `Changed      ${printableLine(fixText(fix))}`),
    ...rejected.map((reason) => `Not changed  ${printableLine(reason)}`),
    ...findings.map(findingText),
    countText(findings),
  ].join('\n');
}

function findingText({ code, severity, where, meaning, action, help, isFixable }: ShownFinding): string {
  return [
    `${severity.padEnd(INDENT.length)}${code}`,
    `${INDENT}${where}`,
    `${INDENT}${meaning}`,
    `${INDENT}To do: ${action}${isFixable ? ' --fix does it in the sandbox.' : ''}`,
    `${INDENT}${help}`,
    '',
  ].join('\n');
}

function countText(findings: readonly ShownFinding[]): string {
  if (findings.length === 0) return 'All fine.';
  const counts = ORDER.map(
    (severity) => [findings.filter((each) => each.severity === severity).length, severity] as const,
  )
    .filter(([count]) => count > 0)
    .map(
      ([count, severity]) => `${count} ${severity === 'critical' || count === 1 ? severity : `${severity}s`}`,
    );
  return `${counts.join(', ')}.`;
}

export function findingsJson(report: SiteReport, findings: readonly ShownFinding[]): string {
  const { heading, changes, rejected, notExamined } = report;
  const valuesOf = (name: string) => heading.filter(([each]) => each === name).map(([, value]) => value);
  const [[project], [service], [sandbox]] = [valuesOf('Project'), valuesOf('Service'), valuesOf('Sandbox')];
  const facts = { sites: valuesOf('Site'), project, service, sandbox };
  const isFine = !findings.some(({ severity }) => severity !== 'warning');
  const shownChanges = changes.map((fix) => ({ ...fix, text: fixText(fix) }));
  const json = { ...facts, findings, changes: shownChanges, rejected, notExamined, isFine };
  return printableLine(JSON.stringify(json));
}
