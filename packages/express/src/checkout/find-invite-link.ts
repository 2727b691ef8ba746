import type { SiteMembership } from '../memberships/site-membership.js';
import { logMessage } from '../platform/log-message.js';
import type { CheckoutPlan } from './checkout-plan.js';
import type { ExternalIds } from './external-ids.js';
import { membershipsOfCommunity } from './plan-membership.js';
import { askInviteLink, type InviteResult, type ServiceCallContext } from './service-calls.js';

/** Result of the search for the chat link of a visitor. */
export type InviteSearch =
  | { kind: 'link'; link: string; expiresAt: string | undefined }
  /** The visitor has no running membership of a plan's community. */
  | { kind: 'not_a_member' }
  /** A checkout was opened, and its payment is not completed or not processed yet. */
  | { kind: 'pending' }
  /** The visitor is a member, but not by a checkout of this site with this account. */
  | { kind: 'not_bought_here' }
  /** The community has no messenger bot. */
  | { kind: 'no_chat' }
  | { kind: 'refused' }
  | { kind: 'unavailable' };

export interface InviteSearchContext extends ServiceCallContext {
  plans: readonly CheckoutPlan[];
  externalIds: ExternalIds;
}

export interface InviteSeeker {
  sub: string;
  /** Null for an account that can have paid for another one, by typing an address. */
  email: string | null;
  memberships: readonly SiteMembership[];
}

/**
 * Finds the chat link of the visitor: asks the service for each plan, with external ids of this visitor only. The
 * service decides, because a purchase can be newer than the directory.
 */
export async function findInviteLink(
  context: InviteSearchContext,
  seeker: InviteSeeker,
): Promise<InviteSearch> {
  const { sub, email, memberships } = seeker;
  if (memberships.length === 0 && email !== null) return { kind: 'not_a_member' };
  const seen = new Set<InviteResult['kind']>();
  let isReserved = false;
  for (const plan of likelyPlansFirst(context.plans, memberships)) {
    for (const externalId of context.externalIds.all(plan.id, sub)) {
      const result = await askInviteLink(context, externalId);
      if (result.kind === 'link') return result;
      if (result.kind === 'refused' || result.kind === 'unavailable') return result;
      if (result.kind === 'forbidden') return forbidden(context);
      if (result.kind === 'not_paid' && result.isReserved) isReserved = true;
      seen.add(result.kind);
    }
  }
  if (seen.has('no_bot')) return noChat(context);
  const isMember = context.plans.some((plan) => membershipsOfCommunity(plan, memberships).length > 0);
  if (isMember && !seen.has('not_a_member')) return { kind: 'not_bought_here' };
  return { kind: isReserved ? 'pending' : 'not_a_member' };
}

/** Sorts the plans that the visitor has before the others of the community, and those before all others. */
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

function forbidden({ failures }: InviteSearchContext): InviteSearch {
  failures.error(
    logMessage(
      'key_permission_missing',
      'The API key of auth.inviteLink lacks MEMBERSHIP_WRITE. Create a key with this permission.',
    ),
    {},
  );
  return { kind: 'refused' };
}

function noChat({ failures }: InviteSearchContext): InviteSearch {
  failures.warn(
    logMessage(
      'chat_unavailable',
      'A member asked for the chat, but the community has no messenger bot. Set one up in the seller area.',
    ),
    {},
  );
  return { kind: 'no_chat' };
}
