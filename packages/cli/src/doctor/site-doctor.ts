import { resolve as resolvePath } from 'node:path';
import { docsUrl } from '@latchkey/contract/constants';
import { ControlError } from '@latchkey/sandbox/client';
import type { Output } from '../command-line/command.js';
import { CommandFailure } from '../command-line/command-failure.js';
import { printable } from '../command-line/text.js';
import { ControlClient, explained } from '../control/control-client.js';
import { backendChecks, backendsOf } from './backend-checks.js';
import { clientChecks } from './client-checks.js';
import { type DoctorSettings, secretsOf } from './doctor-settings.js';
import {
  type Finding,
  type Fix,
  findingsJson,
  findingsText,
  type SiteReport,
  shownFindings,
} from './findings.js';
import { pageChecks } from './page-checks.js';
import { projectChecks, secretKinds } from './project-checks.js';
import { resolve } from './read-page.js';
import { Registry } from './registry.js';
import { scriptChecks, siteScripts } from './script-checks.js';
import { openSite, type SiteInput, type SiteTarget } from './site-target.js';
import { webhookChecks } from './webhook-checks.js';

/** Searches the page, its scripts and a file on the server for secrets. No finding contains any part of them. */
async function secretChecks(target: SiteTarget): Promise<void> {
  const { page, input } = target;
  const texts = [{ where: page.url.href, text: page.html }, ...(await siteScripts(target))];
  for (const { where, text } of texts) {
    for (const kind of secretKinds(text, input.serviceNames.apiKeyPrefix, secretsOf(input)))
      target.report('secret-in-page', {
        where,
        meaning: `Everyone can read ${kind} here.`,
        action:
          'Remove it, and replace it in the developer area: everyone can have read it. Only your server may have it.',
      });
  }
}

/** Requests the file that servers publish by mistake when they serve the project's folder. */
async function environmentFile(target: SiteTarget): Promise<void> {
  const url = new URL('/.env', target.page.url);
  const probe = await target.get(url);
  const isFile =
    probe.kind === 'answer' &&
    probe.answer.status === 200 &&
    !/<html/i.test(probe.answer.text) &&
    /^\s*(?:export\s+)?[A-Z][A-Z0-9_]*\s*=/m.test(probe.answer.text);
  if (!isFile) return;
  target.report('env-file-public', {
    where: url.href,
    meaning: 'Everyone can read the environment file of your server.',
    action: 'Serve a folder that contains public files only. Replace all secrets of the file.',
  });
}

const REGISTRATION = /serviceWorker\s*\.\s*register\(\s*(['"`])([^'"`]+)\1/;

/** Checks for a service worker that responds from a cache: it can store sessions and the content of gates. */
async function serviceWorkerChecks(target: SiteTarget): Promise<void> {
  const guarded = [
    ...backendsOf(target),
    ...target.page.elements.flatMap(({ attributes: { src } }) => resolve(src ?? '', target.page.base) ?? []),
  ];
  if (guarded.length === 0) return;
  for (const { text } of await siteScripts(target)) {
    const url = resolve(REGISTRATION.exec(text)?.[2] ?? '', target.page.url);
    if (!REGISTRATION.test(text) || url?.origin !== target.page.url.origin) continue;
    const probe = await target.get(url);
    if (probe.kind === 'failed' || probe.answer.status !== 200) continue;
    const worker = probe.answer.text;
    const stores = /addEventListener\(\s*['"]fetch['"]/.test(worker) && /\.put\(|\.addAll?\(/.test(worker);
    const excludes = backendsOf(target).every(({ pathname }) => worker.includes(pathname.replace(/\/$/, '')));
    if (stores && !excludes) {
      return target.report('service-worker-cache', {
        where: url.href,
        meaning:
          'The service worker stores answers in a cache, and does not name the path of the backend. It can keep sessions and content for members after a sign-out.',
        action: `Let requests below ${guarded[0]?.pathname ?? '/auth'} through to the network.`,
      });
    }
  }
}

/** Checks of a page, in the order of a visit. */
const CHECKS: readonly ((target: SiteTarget) => void | Promise<void>)[] = [
  pageChecks,
  scriptChecks,
  clientChecks,
  backendChecks,
  secretChecks,
  environmentFile,
  serviceWorkerChecks,
  nothingFound,
  webhookChecks,
];

/** Checks a site from outside, with GET requests only. @throws ControlError if the sandbox doesn't respond. */
async function examineSite(input: SiteInput): Promise<readonly Finding[]> {
  const opened = await openSite(input);
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
  for (const check of CHECKS) await check(opened.target);
  return opened.target.findings;
}

/** A page without a trace of Latchkey is probably not the one to check. */
async function nothingFound(target: SiteTarget): Promise<void> {
  const { page, input, sessions } = target;
  if (page.elements.length > 0 || sessions.length > 0 || backendsOf(target).length > 0) return;
  if (input.webhook !== undefined) return;
  const isBundled = (await siteScripts(target)).some(({ text }) => text.includes('latchkey-login'));
  target.report('nothing-found', {
    meaning: isBundled
      ? 'The elements of this page are created by a script, so their settings cannot be read.'
      : 'The page has no element of the widget, and no link to a backend.',
    action: 'Name the page with the sign-in, or its settings: --client-id and --backend.',
  });
}

const HELP_FILE = docsUrl('doctor');

/** Checks sites and a project, and prints the findings. Returns the exit code. @throws CommandFailure */
export async function runSiteDoctor(
  settings: DoctorSettings,
  { print }: Pick<Output, 'print'>,
): Promise<number> {
  const { sandbox, token, service, site, project, json, fix } = settings;
  const registry = token === undefined ? undefined : new Registry(new ControlClient({ sandbox, token }));
  try {
    const first = await examine(settings, registry);
    const { changes, rejected } = await applyFixes(fix ? registry : undefined, first, settings);
    const findings = changes.length === 0 ? first : await examine(settings, registry);
    const report: SiteReport = {
      sites: site,
      project: project && resolvePath(project),
      service,
      sandbox: token && sandbox,
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
    if (!(error instanceof ControlError)) throw error;
    throw new CommandFailure(printable(explained(error, settings).message), { cause: error });
  }
}

async function examine(
  settings: DoctorSettings,
  registry: Registry | undefined,
): Promise<readonly Finding[]> {
  const { site, project, serviceNames } = settings;
  const findings: Finding[] = [];
  for (const url of site) findings.push(...(await examineSite({ ...settings, url: new URL(url), registry })));
  if (project === undefined) return findings;
  const { apiKeyPrefix } = serviceNames;
  const nodeVersion = process.versions.node;
  const secrets = secretsOf(settings);
  return [
    ...findings,
    ...projectChecks({ folder: resolvePath(project), nodeVersion, apiKeyPrefix, secrets }),
  ];
}

/** Makes each distinct change once. The sandbox can reject a change, such as an origin on plain http. */
async function applyFixes(
  registry: Registry | undefined,
  findings: readonly Finding[],
  settings: DoctorSettings,
) {
  const fixes = new Map(
    findings.flatMap(({ fix }) => (fix === undefined ? [] : [[JSON.stringify(fix), fix]])),
  );
  const changes: Fix[] = [];
  const rejected: string[] = [];
  if (registry === undefined) return { changes, rejected };
  for (const fix of fixes.values()) {
    try {
      await registry.apply(fix);
      changes.push(fix);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      rejected.push(explained(error, settings).message);
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
