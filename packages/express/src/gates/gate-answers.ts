import { sendError } from '../answer.js';
import type { MembershipAnswer } from '../memberships/membership-cache.js';
import type { ForbiddenDetails, ForbiddenReason } from '../pages/latchkey-pages.js';
import { sendPlainPage } from '../pages/plain-page.js';
import type { RouteContext } from '../routes/kit-route.js';
import type { Session } from '../session/session.js';
import { safeAddress } from '../sign-in/return-to.js';
import {
  type GateOptions,
  isPageVisit,
  loginPath,
  type MembershipGateOptions,
  wantsHtml,
} from './gate-options.js';
import type { MembershipRule } from './membership-rule.js';
import { type Outsider, upgradeUrlFor } from './outsider.js';

/** A gate that asks for a membership, as it was set up. */
export interface MembershipGate {
  readonly rule: MembershipRule;
  readonly options: MembershipGateOptions;
}

/** Nobody is signed in: a page leads to sign-in and back, a script gets 401. */
export async function askToSignIn(
  context: RouteContext,
  options: GateOptions,
  gate?: MembershipGate,
): Promise<void> {
  const { kit, visit, response } = context;
  if (!wantsHtml(context, options)) {
    const message = visit.expired ? 'The session has ended. Sign in again.' : 'Sign in first.';
    return sendError(response, 401, { error: 'sign_in_required', message });
  }
  if (!isPageVisit(context)) {
    // What a form has sent cannot be carried through a sign-in; the page that sent it can be gone back to.
    return sendPlainPage(response.status(401), {
      title: 'Please sign in first',
      paragraphs: [
        'You are not signed in any more, so nothing was saved. Sign in, then send the form again.',
      ],
      link: { href: loginPath(context), label: 'Sign in' },
    });
  }
  if (await showTeaser(context, gate, { reason: 'signed_out', user: undefined, memberships: [] })) return;
  response.redirect(302, `${kit.settings.appOrigin}${loginPath(context)}`);
}

/** Signed in, but without the membership. */
export async function refuseNonMember(
  context: RouteContext,
  gate: MembershipGate,
  { session, answer }: { session: Session; answer: MembershipAnswer },
): Promise<void> {
  const { kit, request, response } = context;
  const { memberships } = answer;
  const reason: ForbiddenReason = memberships.length === 0 ? 'no_membership' : 'other_membership';
  const who = session.user.email ?? 'Your account';
  const message =
    reason === 'no_membership'
      ? `${who} has no active membership here.`
      : `${who} has an active membership, but not the one that opens this page.`;
  const outsider = { reason, user: session.user, memberships, rule: gate.rule, request };
  const upgradeUrl = offerOf(context, gate, outsider);
  if (!wantsHtml(context, gate.options)) {
    return sendError(response, 403, {
      error: 'membership_required',
      message,
      ...(upgradeUrl === undefined ? {} : { upgradeUrl }),
    });
  }
  if (isPageVisit(context) && (await showTeaser(context, gate, outsider))) return;
  const start = { href: `${kit.settings.appPath}/`, label: 'To the start page' };
  const details = { reason, message, user: session.user, memberships, rule: gate.rule, upgradeUrl };
  await sendForbidden(context, details, {
    title: 'This page is for members',
    hint: 'If you have another account, sign out and sign in with that one.',
    links: upgradeUrl === undefined ? [start] : [{ href: upgradeUrl, label: 'Get access' }, start],
  });
}

/** What each scope lets the site see, in words for the visitor. */
const SCOPE_WORDS: Record<string, string> = {
  'memberships.read': 'your memberships',
  'products.read': 'the products that you sell',
};

/**
 * Signed in, but the visitor has not granted what the page needs to know: a page asks for it by way of the service, once;
 * whoever did not grant it then decides with a click. A script gets 403.
 */
export async function askForScopes(
  context: RouteContext,
  options: GateOptions,
  { session, missing }: { session: Session; missing: readonly string[] },
): Promise<void> {
  const { kit, response } = context;
  const message = `This needs your permission to see ${missing.map((scope) => SCOPE_WORDS[scope] ?? scope).join(' and ')}.`;
  if (!wantsHtml(context, options)) {
    return sendError(response, 403, { error: 'insufficient_scope', message, missingScopes: missing });
  }
  const retryUrl = loginPath(context, missing);
  const askedBefore = missing.some((scope) => session.refusedScopes?.includes(scope));
  if (isPageVisit(context) && !askedBefore) {
    response.redirect(302, `${kit.settings.appOrigin}${retryUrl}`);
    return;
  }
  const { user } = session;
  const details = { reason: 'missing_scope', message, user, memberships: [], retryUrl } as const;
  await sendForbidden(
    context,
    { rule: undefined, upgradeUrl: undefined, ...details },
    {
      title: 'This page needs your permission',
      hint: 'You decide at the membership service; nothing else is shared.',
      links: [
        { href: retryUrl, label: 'Allow it' },
        { href: `${kit.settings.appPath}/`, label: 'To the start page' },
      ],
    },
  );
}

/** The service cannot be asked, and nothing remembered is recent enough: nobody passes. */
export async function reportOutage(context: RouteContext, options: GateOptions): Promise<void> {
  const { kit, request, response } = context;
  const message = 'Your access cannot be checked at the moment. Please try again shortly.';
  if (!wantsHtml(context, options)) {
    return sendError(response, 503, { error: 'service_unavailable', message });
  }
  response.setHeader('Retry-After', '5');
  response.status(503);
  const { unavailable } = kit.settings.pages;
  if (unavailable !== undefined) {
    await unavailable(request, response);
    return;
  }
  const retry = request.method === 'GET' ? safeAddress(context.visit.publicPath, kit.settings) : undefined;
  sendPlainPage(response, {
    title: 'One moment, please',
    paragraphs: [message],
    ...(retry === undefined ? {} : { link: { href: retry, label: 'Try again' } }),
  });
}

interface ForbiddenPage {
  title: string;
  hint: string;
  links: { href: string; label: string }[];
}

async function sendForbidden(
  { kit, request, response }: RouteContext,
  details: Omit<ForbiddenDetails, 'signOutPath'>,
  { title, hint, links: [link, otherLink] }: ForbiddenPage,
): Promise<void> {
  response.status(403);
  const { forbidden } = kit.settings.pages;
  const signOutPath = `${kit.publicMountPath}/logout`;
  if (forbidden !== undefined) {
    await forbidden(request, response, { ...details, signOutPath });
    return;
  }
  sendPlainPage(response, {
    title,
    paragraphs: [details.message, hint],
    link,
    otherLink,
    form: { action: signOutPath, label: 'Sign out' },
  });
}

/** Shows the gate's teaser, if it has one. */
async function showTeaser(
  context: RouteContext,
  gate: MembershipGate | undefined,
  visitor: Pick<Outsider, 'reason' | 'user' | 'memberships'>,
): Promise<boolean> {
  if (gate?.options.teaser === undefined) return false;
  const { request, response } = context;
  const outsider: Outsider = { ...visitor, rule: gate.rule, request };
  const upgradeUrl = offerOf(context, gate, outsider);
  await gate.options.teaser(request, response, { ...outsider, upgradeUrl, signInUrl: loginPath(context) });
  return true;
}

function offerOf({ kit }: RouteContext, { options }: MembershipGate, outsider: Outsider): string | undefined {
  return upgradeUrlFor(outsider, [options.upgradeUrl, kit.settings.upgradeUrl]);
}
