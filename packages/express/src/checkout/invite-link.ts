import { catchLatchkeyError, type GateResult, missingMembershipsScope, signedOut } from '../gates/checks.js';
import { startPath } from '../http/app-url.js';
import { type ErrorBody, sendError } from '../http/json-error.js';
import type { Text } from '../http/language.js';
import { sendPlainPage } from '../http/plain-page.js';
import { isSpeculative, prefersHtml } from '../http/request-kind.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import type { Visit } from '../session/visitor.js';
import { sendNotOpened } from '../sign-in/endpoint-table.js';
import { loginPathFor } from '../sign-in/return-to.js';
import type { CheckoutPlan } from './checkout-options.js';
import {
  askInviteLink,
  externalIdsOf,
  type InviteResult,
  membershipsOfCommunity,
  readMemberships,
  type Shop,
} from './service-calls.js';

/**
 * Responds with the signed-in visitor's chat link (spec, "GET
 * /membership/join-messenger-community-external/{externalId}"): a redirect for navigations, JSON for scripts. The link
 * is valid for 24 hours only and isn't stored.
 * @returns a rejection, which the gate sends, or `closed` after the response.
 */
export function respondWithInviteLink(shop: Shop, visit: Visit): Promise<GateResult> {
  const { visitor, response } = visit;
  return catchLatchkeyError(visitor.session, async () => {
    const current = await visitor.session.current();
    if (current === undefined) return signedOut(visitor.session);
    const rejection = missingMembershipsScope(current);
    if (rejection !== undefined) return rejection;
    const { user } = current;
    const { memberships } = await readMemberships(visitor);
    if (isSpeculative(visit.request)) {
      sendNotOpened(visit);
      return { kind: 'closed' };
    }
    const result = await findInviteLink(shop, { ...user, memberships });
    if (result.kind === 'not_a_member') {
      const isOther = memberships.some(({ isKnown }) => isKnown);
      const reason = isOther ? 'other_membership' : 'no_membership';
      return { kind: 'not_a_member', reason, user, memberships };
    }
    response.setHeader('Referrer-Policy', 'no-referrer');
    if (result.kind === 'link') sendLink(visit, result);
    else sendFailure(shop, visit, result.kind);
    return { kind: 'closed' };
  });
}

function sendLink(
  { request, response }: Visit,
  { link, expiresAt }: { link: string; expiresAt: string | undefined },
): void {
  if (prefersHtml(request)) response.redirect(302, link);
  else response.status(200).json({ link, expiresAt });
}

type InviteFailure = Exclude<InviteSearch['kind'], 'link' | 'not_a_member'>;

const ERRORS: Readonly<Record<InviteFailure, { status: number; error: ErrorBody['error'] }>> = {
  pending: { status: 503, error: 'membership_pending' },
  not_bought_here: { status: 404, error: 'not_bought_here' },
  no_chat: { status: 404, error: 'chat_unavailable' },
  refused: { status: 502, error: 'service_refused' },
  unavailable: { status: 503, error: 'service_unavailable' },
};

function sendFailure({ kit: { app } }: Shop, visit: Visit, kind: InviteFailure): void {
  const { request, response, visitor } = visit;
  const { status, error } = ERRORS[kind];
  const { title, message, hint, canRetry } = INVITE_TEXTS[kind];
  if (!prefersHtml(request)) {
    sendError(response, status, { error, message });
    return;
  }
  if (status === 503) response.setHeader('Retry-After', '5');
  const t = visitor.textsFor(undefined);
  const start = { href: startPath(app), label: t('Go to the start page') };
  const other =
    kind === 'not_bought_here'
      ? { href: loginPathFor(app, visit, { switches: true }), label: t('Switch account') }
      : canRetry && { href: visitor.publicPath, label: t('Try again') };
  sendPlainPage(response.status(status), t, {
    title: t(title),
    paragraphs: [t(message), t(hint)],
    ...(other ? { link: other, otherLink: start } : { link: start }),
  });
}

const INVITE_TEXTS = {
  pending: {
    title: 'Not confirmed yet',
    message: 'Your payment has not been processed yet.',
    hint: 'If you have just paid, try again in a moment. You need not pay again.',
    canRetry: true,
  },
  not_bought_here: {
    title: 'No invitation for this membership',
    message:
      'Your membership was not bought on this site with this account, so it has no invitation to the chat.',
    hint: 'If you bought it with another account, switch to it. If you aren’t asked which one, sign out at the membership service first. Otherwise ask the site for an invitation.',
    canRetry: false,
  },
  no_chat: {
    title: 'The chat is not available',
    message: 'The chat of this community is not set up.',
    hint: 'Your membership is active. Please ask the site, or try again later.',
    canRetry: false,
  },
  refused: {
    title: 'The chat is not available right now',
    message: 'The membership service rejected the request of this site.',
    hint: 'Your membership is not affected. The site owner can find the reason in the log.',
    canRetry: false,
  },
  unavailable: {
    title: 'One moment, please',
    message: 'The membership service could not be reached.',
    hint: 'Please try again in a moment.',
    canRetry: true,
  },
} as const satisfies Record<InviteFailure, { title: Text; message: Text; hint: Text; canRetry: boolean }>;

type InviteSearch =
  | { kind: 'link'; link: string; expiresAt: string | undefined }
  /** The visitor has no running membership in a plan's community. */
  | { kind: 'not_a_member' }
  /** A checkout was opened, but its payment isn't completed or processed yet. */
  | { kind: 'pending' }
  /** The visitor is a member, but not by a checkout of this site with this account. */
  | { kind: 'not_bought_here' }
  /** The community has no messenger bot. */
  | { kind: 'no_chat' }
  | { kind: 'refused' }
  | { kind: 'unavailable' };

interface InviteSeeker {
  sub: string;
  /** Null for an account that may have paid for another one, by typing an address. */
  email: string | null;
  memberships: readonly SiteMembership[];
}

/**
 * Finds the visitor's chat link: asks the service for each plan, only with this visitor's external ids. The service
 * decides: a purchase can be newer than the directory.
 */
async function findInviteLink(shop: Shop, seeker: InviteSeeker): Promise<InviteSearch> {
  const { sub, email, memberships } = seeker;
  if (memberships.length === 0 && email !== null) return { kind: 'not_a_member' };
  const seen = new Set<InviteResult['kind']>();
  let isReserved = false;
  for (const plan of likelyPlansFirst(shop.plans, memberships)) {
    for (const externalId of externalIdsOf(shop.externalIdSecrets, plan.id, sub)) {
      const result = await askInviteLink(shop, externalId);
      if (result.kind === 'link') return result;
      if (result.kind === 'refused' || result.kind === 'unavailable') return result;
      if (result.kind === 'forbidden') {
        shop.failures.error(
          'key_permission_missing',
          'The API key of auth.inviteLink lacks MEMBERSHIP_WRITE. Create a key with this permission.',
        );
        return { kind: 'refused' };
      }
      if (result.kind === 'not_paid' && result.isReserved) isReserved = true;
      seen.add(result.kind);
    }
  }
  if (seen.has('no_bot')) {
    shop.failures.warn(
      'chat_unavailable',
      'A member asked for the chat, but the community has no messenger bot. Set one up in the seller area.',
    );
    return { kind: 'no_chat' };
  }
  const isMember = shop.plans.some((plan) => membershipsOfCommunity(plan, memberships).length > 0);
  if (isMember && !seen.has('not_a_member')) return { kind: 'not_bought_here' };
  return { kind: isReserved ? 'pending' : 'not_a_member' };
}

/** Sorts the plans: first those that the visitor has, then others in the same communities, then the rest. */
function likelyPlansFirst(
  plans: readonly CheckoutPlan[],
  memberships: readonly SiteMembership[],
): readonly CheckoutPlan[] {
  const rank = (plan: CheckoutPlan) => {
    const found = membershipsOfCommunity(plan, memberships);
    if (found.some(({ pricingPlanId }) => pricingPlanId === plan.id)) return 0;
    return found.length > 0 ? 1 : 2;
  };
  return [...plans].sort((a, b) => rank(a) - rank(b));
}
