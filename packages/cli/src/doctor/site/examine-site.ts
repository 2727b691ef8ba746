import type { ProbeContext } from '../http/probe.js';
import { backendChecks, backendsOf } from './checks/backend-checks.js';
import { clientChecks } from './checks/client-checks.js';
import { elementChecks } from './checks/element-checks.js';
import { pageChecks } from './checks/page-checks.js';
import { scriptChecks, siteScripts } from './checks/script-checks.js';
import { secretKinds } from './checks/secret-kinds.js';
import { webhookChecks } from './checks/webhook-checks.js';
import type { Finding, SiteCheck } from './findings/finding.js';
import { resolve } from './page/read-page.js';
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
export async function examineSite(
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
