import { resolve as resolvePath } from 'node:path';
import type { Output } from '../../command-line/command.js';
import { CommandFailure } from '../../command-line/command-failure.js';
import { printable } from '../../command-line/printable.js';
import { ControlClient } from '../../control/client/control-client.js';
import { ControlFailure } from '../../control/client/control-failure.js';
import type { ProbeContext } from '../http/probe.js';
import type { DoctorSettings } from '../settings/doctor-settings.js';
import { examineSite } from './examine-site.js';
import type { Finding } from './findings/finding.js';
import { findingsJson, findingsText, type SiteReport, shownFindings } from './findings/findings-text.js';
import type { Fix } from './findings/fix.js';
import { projectChecks } from './project/project-checks.js';
import { Registry } from './registry/registry.js';

/** Document with an entry for each code. */
const HELP_FILE = 'docs/doctor.md';

/**
 * Examines sites and a project, and prints the findings.
 *
 * @returns the exit code: 1 if there is an error or worse.
 * @throws CommandFailure if the sandbox does not answer.
 */
export async function runSiteDoctor(
  settings: DoctorSettings,
  { print }: Pick<Output, 'print'>,
  context: ProbeContext,
): Promise<number> {
  const { sandbox, token, service, site, project, json } = settings;
  const registry = token === undefined ? undefined : new Registry(new ControlClient({ sandbox, token }));
  try {
    const first = await examine(settings, { context, registry });
    const { changes, rejected } =
      settings.fix && registry !== undefined ? await applyFixes(registry, first) : NO_CHANGES;
    const findings = changes.length === 0 ? first : await examine(settings, { context, registry });
    const report: SiteReport = {
      heading: [
        ...site.map((url) => ['Site', url] as const),
        ...(project === undefined ? [] : [['Project', resolvePath(project)] as const]),
        ...(service === undefined ? [] : [['Service', service] as const]),
        ...(token === undefined ? [] : [['Sandbox', sandbox] as const]),
      ],
      findings,
      changes,
      rejected,
      notExamined: notExamined(settings),
      help: token === undefined ? HELP_FILE : `${sandbox}/docs/doctor`,
    };
    const shown = shownFindings(report, secretsOf(settings));
    print(json ? findingsJson(report, shown) : findingsText(report, shown));
    return shown.some(({ severity }) => severity !== 'warning') ? 1 : 0;
  } catch (error) {
    if (error instanceof ControlFailure) throw new CommandFailure(printable(error.message), { cause: error });
    throw error;
  }
}

async function examine(
  settings: DoctorSettings,
  { context, registry }: { context: ProbeContext; registry: Registry | undefined },
): Promise<Finding[]> {
  const { site, project, service, serviceNames: names, clientId, backend, webhook, webhookSecret } = settings;
  const secrets = secretsOf(settings);
  const findings: Finding[] = [];
  for (const url of site) {
    const input = {
      url: new URL(url),
      service,
      names,
      clientId,
      backend,
      webhook,
      secrets,
      webhookSecret,
      registry,
      sandbox: registry === undefined ? undefined : settings.sandbox,
    };
    findings.push(...(await examineSite(input, { context, isSent: settings.sendEvent })));
  }
  if (project === undefined) return findings;
  const { apiKeyPrefix } = names;
  const nodeVersion = process.versions.node;
  return [
    ...findings,
    ...projectChecks({ folder: resolvePath(project), nodeVersion, apiKeyPrefix, secrets }),
  ];
}

/** Changes that were made, and reasons why others were not. */
interface AppliedFixes {
  readonly changes: readonly Fix[];
  readonly rejected: readonly string[];
}

const NO_CHANGES: AppliedFixes = { changes: [], rejected: [] };

/** Makes each different change once. The sandbox can reject one, such as an origin on plain http. */
async function applyFixes(registry: Registry, findings: readonly Finding[]): Promise<AppliedFixes> {
  const fixes = new Map(
    findings.flatMap(({ fix }) => (fix === undefined ? [] : [[JSON.stringify(fix), fix]])),
  );
  const changes: Fix[] = [];
  const rejected: string[] = [];
  for (const fix of fixes.values()) {
    try {
      await registry.apply(fix);
      changes.push(fix);
    } catch (error) {
      if (!(error instanceof ControlFailure)) throw error;
      rejected.push(error.message);
    }
  }
  return { changes, rejected };
}

function notExamined({ token, site, sendEvent, webhook }: DoctorSettings): string[] {
  if (site.length === 0) return [];
  if (token === undefined)
    return ['Registered client and webhooks: set LATCHKEY_SANDBOX_TOKEN to the token of a sandbox.'];
  return webhook === undefined || sendEvent ? [] : ['Webhook with a new event: add --send-event.'];
}

/** Values that no report may contain. */
function secretsOf({ apiKey, accessToken, webhookSecret, token }: DoctorSettings): string[] {
  return [apiKey, accessToken, webhookSecret, token].filter((secret) => secret !== undefined);
}
