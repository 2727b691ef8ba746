import { printableLine } from '../command-line/text.js';

/**
 * - `critical`: a secret or protected content is public;
 * - `error`: sign-in, a gate or a webhook doesn't work, or isn't protected;
 * - `warning`: works, but not as the site's owner may expect.
 */
export type Severity = 'critical' | 'error' | 'warning';

/** All findings of `latchkey doctor --site` and `--project`, in the order of docs/doctor.md. */
export const FINDING_SEVERITIES = {
  'site-unreachable': 'error',
  'site-redirects': 'warning',
  'nothing-found': 'error',
  'insecure-page': 'error',
  'mixed-content': 'error',
  'clock-skew': 'warning',

  'script-missing': 'error',
  'script-unreachable': 'error',
  'script-wrong-url': 'error',
  'script-content-type': 'error',
  'script-twice': 'warning',
  'script-other-version': 'warning',
  'plans-script-missing': 'error',
  'sign-in-script-missing': 'error',
  'sign-in-script-elsewhere': 'warning',

  'coop-severs-popup': 'error',
  'csp-script-src': 'error',
  'csp-connect-src': 'error',
  'csp-style-src': 'warning',
  'csp-sandbox': 'error',
  'referrer-policy': 'warning',
  'page-framable': 'warning',
  'service-worker-cache': 'warning',

  'client-id-missing': 'error',
  'client-id-invalid': 'error',
  'client-unknown': 'error',
  'service-url-wrong': 'error',
  'client-confidential': 'error',
  'scope-not-registered': 'error',
  'origin-not-allowed': 'error',
  'redirect-uri-not-registered': 'error',
  'return-url-missing': 'error',
  'callback-page-missing': 'error',
  'attributes-differ': 'warning',

  'gate-without-rule': 'warning',
  'gate-without-backend': 'error',
  'gate-content-in-page': 'warning',
  'gate-content-public': 'critical',
  'gate-content-missing': 'error',

  'backend-not-mounted': 'error',
  'backend-other-site': 'error',
  'backend-failing': 'error',
  'backend-other-client': 'error',
  'backend-other-service': 'error',
  'app-url-mismatch': 'error',
  'session-cacheable': 'error',
  'cors-wide-open': 'error',
  'cookie-missing': 'error',
  'cookie-not-secure': 'error',
  'cookie-not-http-only': 'error',
  'cookie-same-site': 'error',
  'cookie-host-prefix': 'error',
  'cookie-domain': 'error',

  'secret-in-page': 'critical',
  'env-file-public': 'critical',

  'webhook-not-registered': 'error',
  'webhook-elsewhere': 'error',
  'webhook-paused': 'error',
  'webhook-unreachable': 'error',
  'webhook-not-found': 'error',
  'webhook-wrong-secret': 'error',
  'webhook-body-parsed': 'error',
  'webhook-failing': 'error',

  'node-version': 'error',
  'engines-node': 'warning',
  'packages-missing': 'error',
  'package-versions': 'error',
  'env-secret-in-bundle': 'critical',
  'env-file-tracked': 'warning',
} as const satisfies Record<string, Severity>;

/** Stable code of a finding, with an entry in docs/doctor.md. */
export type FindingCode = keyof typeof FINDING_SEVERITIES;

export interface Finding {
  readonly code: FindingCode;
  /** URL or file that is wrong. */
  readonly where: string;
  /** What is wrong, in sentences. Parts can come from the site. */
  readonly meaning: string;
  /** Which setting to change, in sentences. */
  readonly action: string;
  /** Change to the sandbox that removes the finding. Absent if the site itself must change. */
  readonly fix?: Fix | undefined;
}

/** A change that the doctor can make in a sandbox. */
export type Fix =
  | { readonly kind: 'add-redirect-uri'; readonly clientId: string; readonly redirectUri: string }
  | { readonly kind: 'add-origin'; readonly clientId: string; readonly origin: string }
  | { readonly kind: 'enable-webhook'; readonly webhookId: string }
  | { readonly kind: 'set-webhook-url'; readonly webhookId: string; readonly url: string };

function fixText(fix: Fix): string {
  switch (fix.kind) {
    case 'add-redirect-uri':
      return `Added the redirect URI ${fix.redirectUri} to the client ${fix.clientId}.`;
    case 'add-origin':
      return `Added the allowed web origin ${fix.origin} to the client ${fix.clientId}.`;
    case 'enable-webhook':
      return `Enabled the webhook ${fix.webhookId}.`;
    case 'set-webhook-url':
      return `Changed the URL of the webhook ${fix.webhookId} to ${fix.url}.`;
  }
}

/** Longest string in a report, in characters. What a site or a service sends can be longer. */
const TEXT_LENGTH_MAX = 600;

/** Makes a string safe to print. Parts of it can come from a site or a service, which can repeat secrets, even inside JSON. */
export function shownText(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const hidden = forms.reduce((rest, form) => rest.replaceAll(form, '[hidden]'), text);
  return printableLine(hidden.length <= TEXT_LENGTH_MAX ? hidden : `${hidden.slice(0, TEXT_LENGTH_MAX)}…`);
}

const INDENT = '             ';
const ORDER: readonly Severity[] = ['critical', 'error', 'warning'];

export interface SiteReport {
  /** What was examined, printed above the findings. */
  readonly sites: readonly string[];
  readonly project: string | undefined;
  readonly service: string | undefined;
  readonly sandbox: string | undefined;
  readonly findings: readonly Finding[];
  readonly changes: readonly Fix[];
  /** Why the sandbox rejected changes. */
  readonly rejected: readonly string[];
  /** What couldn't be checked, in sentences. */
  readonly notExamined: readonly string[];
  /** URL of docs/doctor.md. The code of a finding is appended to it. */
  readonly help: string;
}

/** A finding as it is printed: safe for terminals, and without secrets. */
export interface ShownFinding extends Omit<Finding, 'fix'> {
  readonly severity: Severity;
  readonly help: string;
  /** True if `--fix` can remove it. */
  readonly isFixable: boolean;
}

/** Returns findings as they're printed, the worst first. The site may have written parts of them. */
export function shownFindings({ findings, help }: SiteReport, secrets: readonly string[]): ShownFinding[] {
  const rows = findings.map(({ code, where, meaning, action, fix }) => ({
    code,
    severity: FINDING_SEVERITIES[code],
    where: shownText(where, secrets),
    meaning: shownText(meaning, secrets),
    action: shownText(action, secrets),
    help: `${help}#${code}`,
    isFixable: fix !== undefined,
  }));
  const unique = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
  return unique.sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

/** Returns the report for people. Without findings it's one line: "All fine." */
export function findingsText(report: SiteReport, findings: readonly ShownFinding[]): string {
  const { sites, project, service, sandbox, changes, rejected, notExamined } = report;
  const about = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name.padEnd(INDENT.length)}${printableLine(value)}`];
  return [
    ...sites.flatMap((site) => about('Site', site)),
    ...[...about('Project', project), ...about('Service', service), ...about('Sandbox', sandbox)],
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
  const { sites, project, service, sandbox, changes, rejected, notExamined } = report;
  const isFine = !findings.some(({ severity }) => severity !== 'warning');
  const shownChanges = changes.map((fix) => ({ ...fix, text: fixText(fix) }));
  const facts = { sites, project, service, sandbox };
  const json = { ...facts, findings, changes: shownChanges, rejected, notExamined, isFine };
  return printableLine(JSON.stringify(json));
}
