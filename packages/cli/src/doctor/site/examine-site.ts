import type { ProbeContext } from '../http/probe.js';
import { backendChecks, backendsOf } from './checks/backend-checks.js';
import { clientChecks } from './checks/client-checks.js';
import { elementChecks } from './checks/element-checks.js';
import { pageChecks } from './checks/page-checks.js';
import { scriptChecks, siteScripts } from './checks/script-checks.js';
import { secretChecks } from './checks/secret-checks.js';
import { serviceWorkerChecks } from './checks/service-worker-checks.js';
import { webhookChecks } from './checks/webhook-checks.js';
import type { Finding, SiteCheck } from './findings/finding.js';
import { openSite, type SiteInput, type SiteTarget } from './target/site-target.js';

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
