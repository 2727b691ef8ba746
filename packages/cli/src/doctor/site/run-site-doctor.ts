import { resolve as resolvePath } from 'node:path';
import type { Output } from '../../command-line/command.js';
import { CommandFailure } from '../../command-line/command-failure.js';
import { printable } from '../../command-line/printable.js';
import { ControlClient } from '../../control/client/control-client.js';
import { ControlFailure } from '../../control/client/control-failure.js';
import type { ProbeContext } from '../http/probe.js';
import type { DoctorSettings } from '../settings/doctor-settings.js';
import { backendChecks, backendsOf } from './checks/backend-checks.js';
import { clientChecks } from './checks/client-checks.js';
import { elementChecks } from './checks/element-checks.js';
import { pageChecks } from './checks/page-checks.js';
import { scriptChecks, siteScripts } from './checks/script-checks.js';
import { secretKinds } from './checks/secret-kinds.js';
import { webhookChecks } from './checks/webhook-checks.js';
import type { Finding, SiteCheck } from './findings/finding.js';
import { findingsJson, findingsText, type SiteReport, shownFindings } from './findings/findings-text.js';
import type { Fix } from './findings/fix.js';
import { resolve } from './page/read-page.js';
import { projectChecks } from './project/project-checks.js';
import { Registry } from './registry/registry.js';
import { openSite, type SiteInput, type SiteTarget } from './target/site-target.js';

const ROTATE =
  'Remove it, and replace it in the developer area: everyone can have read it. Only your server may have it.';

/** Searches the page, its scripts and a file of the server for secrets. No finding contains a part of them. */
async function secretChecks(target: SiteTarget): Promise<Finding[]> {
  const { page, input } = target;
  const texts = [{ where: page.url.href, text: page.html }, ...(await siteScripts(target))];
  const findings = new Map<string, Finding>();
  for (const { where, text } of texts) {
    for (const kind of secretKinds(text, input)) {
      const meaning = `Everyone can read ${kind} here.`;
      findings.set(`${where} ${kind}`, { code: 'secret-in-page', where, meaning, action: ROTATE });
    }
  }
  return [...findings.values(), ...(await environmentFile(target))];
}

/** Requests the file that servers publish by mistake when they serve the folder of the project. */
async function environmentFile(target: SiteTarget): Promise<Finding[]> {
  const url = target.at('/.env');
  const probe = await target.get(url);
  const isFile =
    probe.kind === 'answer' &&
    probe.answer.status === 200 &&
    !/<html/i.test(probe.answer.text) &&
    /^\s*(?:export\s+)?[A-Z][A-Z0-9_]*\s*=/m.test(probe.answer.text);
  if (!isFile) return [];
  return [
    {
      code: 'env-file-public',
      where: url.href,
      meaning: 'Everyone can read the environment file of your server.',
      action: 'Serve a folder that contains public files only. Replace all secrets of the file.',
    },
  ];
}

const REGISTRATION = /serviceWorker\s*\.\s*register\(\s*(['"`])([^'"`]+)\1/;

/** Examines a service worker that answers requests from a cache: it can store sessions and the content of gates. */
async function serviceWorkerChecks(target: SiteTarget): Promise<Finding[]> {
  const guarded = [
    ...backendsOf(target),
    ...target.page.elements.flatMap(({ attributes: { src } }) => resolve(src ?? '', target.page.url) ?? []),
  ];
  if (guarded.length === 0) return [];
  for (const { text } of await siteScripts(target)) {
    const url = resolve(REGISTRATION.exec(text)?.[2] ?? '', target.page.url);
    if (!REGISTRATION.test(text) || url?.origin !== target.page.url.origin) continue;
    const probe = await target.get(url);
    if (probe.kind === 'failed' || probe.answer.status !== 200) continue;
    const worker = probe.answer.text;
    const stores = /addEventListener\(\s*['"]fetch['"]/.test(worker) && /\.put\(|\.addAll?\(/.test(worker);
    const excludes = backendsOf(target).every(({ pathname }) => worker.includes(pathname.replace(/\/$/, '')));
    if (stores && !excludes) {
      return [
        {
          code: 'service-worker-cache',
          where: url.href,
          meaning:
            'The service worker stores answers in a cache, and does not name the path of the backend. It can keep sessions and content for members after a sign-out.',
          action: `Let requests below ${guarded[0]?.pathname ?? '/auth'} through to the network.`,
        },
      ];
    }
  }
  return [];
}

/** Checks of a page, in the order of a visit. */
const CHECKS: readonly SiteCheck<SiteTarget>[] = [
  pageChecks,
  scriptChecks,
  elementChecks,
  clientChecks,
  backendChecks,
  secretChecks,
  serviceWorkerChecks,
  nothingFound,
];

/**
 * Examines a site from outside. Sends only GET requests to it.
 *
 * @param isSent True to send an event through the sandbox to each webhook of the site.
 * @throws ControlFailure if the sandbox does not answer.
 */
async function examineSite(
  input: SiteInput,
  { context, isSent }: { context: ProbeContext; isSent: boolean },
): Promise<Finding[]> {
  const opened = await openSite(input, context);
  const where = input.url.href;
  if (opened.kind === 'failed') {
    const meaning = `The page cannot be loaded: ${opened.reason}.`;
    return [
      { code: 'site-unreachable', where, meaning, action: 'Check the address, and that the server runs.' },
    ];
  }
  if (opened.kind === 'redirects') {
    const meaning = `The page redirects to another host: ${opened.to}. The doctor does not follow.`;
    const action = `Examine that host: --site ${opened.to}`;
    return [{ code: 'site-redirects', where, meaning, action }];
  }
  const findings: Finding[] = [];
  for (const check of CHECKS) findings.push(...(await check(opened.target)));
  return [...findings, ...(await webhookChecks(opened.target, { isSent }))];
}

/** A page without a trace of Latchkey is probably not the one to examine. */
async function nothingFound(target: SiteTarget): Promise<Finding[]> {
  const { page, input, sessions } = target;
  if (page.elements.length > 0 || sessions.length > 0 || backendsOf(target).length > 0) return [];
  if (input.webhook !== undefined) return [];
  const isBundled = (await siteScripts(target)).some(({ text }) => text.includes('latchkey-login'));
  return [
    {
      code: 'nothing-found',
      where: page.url.href,
      meaning: isBundled
        ? 'The elements of this page are created by a script, so their settings cannot be read.'
        : 'The page has no element of the widget, and no link to a backend.',
      action: 'Name the page with the sign-in, or its settings: --client-id and --backend.',
    },
  ];
}

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
