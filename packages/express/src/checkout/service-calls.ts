import { createHmac } from 'node:crypto';
import { type CallOptions, isLatchkeyApiError, type LatchkeyApiError } from '@latchkey/client';
import { comparableId } from '@latchkey/contract/constants';
import type { GateKit } from '../gates/gate-options.js';
import type { Gates } from '../gates/gates.js';
import type { CookieScope } from '../http/cookies.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import type { ThrottledLog } from '../platform/log.js';
import type { Visitor } from '../session/visitor.js';
import type { CheckoutClient, CheckoutPlan, CheckoutSettings } from './checkout-options.js';

/** A failed call with the API key. The log says why. */
type ServiceCallFailure =
  /** The service rejected the key or the request. Only the operator can change that. */
  | { kind: 'refused' }
  /** The service didn't respond, or not conclusively. A later attempt may succeed. */
  | { kind: 'unavailable' };

export type InviteResult =
  | { kind: 'link'; link: string; expiresAt: string | undefined }
  /** 404: no checkout has this external id, or its payment isn't completed. */
  | { kind: 'not_paid'; isReserved: boolean }
  /** 401 with an `errorCode`: it was paid, but the buyer has no active membership now. */
  | { kind: 'not_a_member' }
  /** `success` false: the community has no messenger bot. */
  | { kind: 'no_bot' }
  /** 403: the key lacks `MEMBERSHIP_WRITE`. */
  | { kind: 'forbidden' }
  | ServiceCallFailure;

type BuyResult = { kind: 'opened'; checkoutUrl: string } | ServiceCallFailure;

/** Result of `POST /auth/checkout`. */
export type CheckoutResult = { kind: 'opened'; checkoutUrl: string } | CheckoutRejection;

/** Result of a request that opens no checkout. */
export type CheckoutRejection =
  | { kind: 'cross_site' }
  | { kind: 'invalid'; message: string }
  | { kind: 'plan_unknown' }
  | { kind: 'signed_out' }
  | { kind: 'missing_scope'; scopes: readonly string[] }
  | { kind: 'email_required'; plan: CheckoutPlan; isInvalid: boolean }
  | { kind: 'already_member'; plan: CheckoutPlan }
  /** `isTyped`: the account has no email address, so the membership is bound to one that the visitor typed. */
  | { kind: 'already_paid'; plan: CheckoutPlan; wasMember: boolean; isTyped: boolean }
  /** The service rejected the key or the plan. */
  | { kind: 'refused'; plan: CheckoutPlan }
  | { kind: 'unavailable'; plan: CheckoutPlan };

/** The parts of an instance, including those for selling. */
export interface CheckoutKit extends GateKit {
  cookieSecrets: readonly string[];
  returnCookie: CookieScope;
}

/** One call of `auth.checkout` or `auth.inviteLink`: its options, and what its requests share. */
export interface Shop {
  kit: CheckoutKit;
  client: CheckoutClient;
  plans: readonly CheckoutPlan[];
  /** Secrets of the external ids of checkouts. The first creates new ones. */
  externalIdSecrets: readonly string[];
  failures: ThrottledLog;
}

/** One call of `auth.checkout`. */
export interface Checkout extends Shop {
  settings: CheckoutSettings;
  awaitMembership: Gates['awaitMembership'];
  /** Checkouts that are being opened, by visitor, plan, email address and return page. */
  pending: Map<string, Promise<CheckoutResult>>;
  /** Missing permissions that were already logged. */
  warned: Set<string>;
}

/** Reads the visitor's memberships from the service and the directory, without the cache. */
export async function readMemberships(visitor: Visitor) {
  const { memberships, stale } = await visitor.findMemberships({ maxAgeMs: 0, ignoreRecentFailure: true });
  return { memberships, isStale: stale };
}

/**
 * Asks for the invite link of a checkout (spec, "GET /membership/join-messenger-community-external/{externalId}").
 * @throws errors that don't come from the client.
 */
export async function askInviteLink(
  { client, failures, kit }: Shop,
  externalId: string,
): Promise<InviteResult> {
  try {
    const { link, expiresAt } = await client.inviteLink({ externalId }, callOptions(kit));
    const address = webAddress(link);
    if (address !== undefined) return { kind: 'link', link: address, expiresAt };
    failures.error(
      'service_refused',
      'The service returned an invite link that is not an http or https URL.',
    );
    return { kind: 'refused' };
  } catch (error) {
    if (!isLatchkeyApiError(error)) throw error;
    const { code, status } = error;
    if (status === 404 && (code === 'failed' || code === 'rejected')) {
      return { kind: 'not_paid', isReserved: /process/i.test(error.serviceMessage ?? '') };
    }
    if (code === 'failed' && status === 401) return { kind: 'not_a_member' };
    if (code === 'failed_in_success') return { kind: 'no_bot' };
    if (status === 403) return { kind: 'forbidden' };
    failures.error('service_refused', 'The invite link of a checkout could not be read.', logDetails(error));
    return failureOf(error);
  }
}

/**
 * Opens a checkout (spec, "POST /api/checkout/buy-plan").
 * @throws errors that don't come from the client.
 */
export async function openCheckout(
  { client, failures, kit }: Shop,
  request: Parameters<CheckoutClient['buyPlan']>[0],
): Promise<BuyResult> {
  try {
    const { checkoutUrl } = await client.buyPlan(request, callOptions(kit));
    const address = webAddress(checkoutUrl);
    if (address !== undefined) return { kind: 'opened', checkoutUrl: address };
    failures.error(
      'checkout_refused',
      'The service returned a checkoutUrl that is not an http or https URL.',
      { pricingPlanId: request.pricingPlanId },
    );
    return { kind: 'refused' };
  } catch (error) {
    if (!isLatchkeyApiError(error)) throw error;
    const message = `The checkout of plan ${request.pricingPlanId} could not be opened.`;
    failures.error('checkout_refused', message, logDetails(error));
    return failureOf(error);
  }
}

function failureOf(error: LatchkeyApiError): ServiceCallFailure {
  const isOutage =
    isLatchkeyApiError(error, 'network', 'timeout', 'aborted', 'unreadable_answer') ||
    (error.status ?? 0) >= 500;
  return { kind: isOutage ? 'unavailable' : 'refused' };
}

/** Returns the error without its report, which contains the external id. */
function logDetails(error: LatchkeyApiError): Record<string, unknown> {
  const { message, code, status, errorCode, correlationKey, traceId } = error;
  return { message, code, status, errorCode, correlationKey, traceId };
}

function callOptions({ timeoutMs }: CheckoutKit): CallOptions {
  return { signal: AbortSignal.timeout(timeoutMs) };
}

/** Returns an http or https URL in its serialized form, which is safe in a header. Any host is allowed. */
function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}

const MAC_BYTES = 16;

/**
 * External ids of checkouts: `lk.{plan}.{sub}.{mac}`. A visitor's id for a plan is always the same. That way opening a
 * checkout twice changes one reservation, and the invite link of a purchase can be found again. If `sub` is a UUID,
 * it's written in lower case.
 *
 * The MAC keeps other sellers from guessing ids. The invite-link endpoint isn't limited to the caller's communities
 * (spec, "GET /membership/join-messenger-community-external/{externalId}", rule 1), so a seller who guessed an id could
 * open a checkout with it: the visitor would then count as paid here, or get a link to that seller's chat.
 *
 * @param secrets the first creates ids. A checkout of this visitor can have an id from any of them.
 * @returns the visitor's ids for a plan. New checkouts use the first.
 */
export function externalIdsOf(
  secrets: readonly string[],
  planId: string,
  sub: string,
): [string, ...string[]] {
  const user = comparableId(sub);
  const ids = secrets.map((secret) => {
    const mac = createHmac('sha256', secret).update(`external id ${planId} ${user}`).digest();
    return `lk.${planId}.${user}.${mac.subarray(0, MAC_BYTES).toString('base64url')}`;
  });
  return ids as [string, ...string[]];
}

type PlanIds = Pick<CheckoutPlan, 'id' | 'communityId'>;

/**
 * True if one of the running memberships already includes what the plan sells.
 *
 * | membership of the plan's community | plans on sale there | member |
 * |---|---|---|
 * | with this plan | any | yes |
 * | with another plan on sale | any | no: the visitor changes plans |
 * | with no plan, an unknown one, or one no longer on sale | this one only | yes |
 * | with no plan, an unknown one, or one no longer on sale | several | no: a granted membership need not include this plan |
 *
 * Memberships that aren't in the directory never count: they can belong to any seller.
 */
export function isMemberByPlan(
  plan: PlanIds,
  memberships: readonly SiteMembership[],
  plans: readonly PlanIds[],
): boolean {
  const isOnlyPlan = plans.filter(({ communityId }) => communityId === plan.communityId).length === 1;
  return membershipsOfCommunity(plan, memberships).some(
    ({ pricingPlanId }) => pricingPlanId === plan.id || isOnlyPlan,
  );
}

/**
 * True if the memberships show that the payment for a plan has arrived.
 *
 * A payment's events may never state the plan. So for a new member, the first membership in the community confirms the
 * payment. For a visitor who was a member before, only the plan itself does: the earlier membership proves nothing.
 */
export function isPaymentConfirmed(
  plan: PlanIds,
  memberships: readonly SiteMembership[],
  { plans, wasMember }: { plans: readonly PlanIds[]; wasMember: boolean },
): boolean {
  if (isMemberByPlan(plan, memberships, plans)) return true;
  if (wasMember) return false;
  return membershipsOfCommunity(plan, memberships).some(({ pricingPlanId }) => pricingPlanId === null);
}

/** Returns the memberships that belong to the plan's community, by the directory. */
export function membershipsOfCommunity(
  { communityId }: PlanIds,
  memberships: readonly SiteMembership[],
): readonly SiteMembership[] {
  return memberships.filter((membership) => membership.isKnown && membership.communityId === communityId);
}
