import { emailField } from '@latchkey/contract';
import { comparableId } from '@latchkey/contract/constants';
import { fetchUserIdentity, isOAuthClientError, type UserIdentity } from '@latchkey/oauth';
import { LatchkeyError } from '../platform/errors.js';
import { failureDetails } from '../platform/service-failure.js';
import type { Needs } from '../session/kit.js';
import type { Session } from '../session/session.js';
import type { Visitor } from '../session/visitor.js';
import type { CheckoutPlan } from './checkout-options.js';
import { cancelledUrl, returnUrl } from './checkout-request.js';
import {
  askInviteLink,
  type Checkout,
  type CheckoutResult,
  externalIdsOf,
  isMemberByPlan,
  membershipsOfCommunity,
  openCheckout,
  readMemberships,
} from './service-calls.js';

const MEMBERSHIPS_SCOPE = 'memberships.read';

/** A visitor's order, read from the request. */
interface CheckoutOrder {
  plan: CheckoutPlan;
  /** Page to return to after the payment: a path of the app. */
  returnTo: string;
  /** Page that offered the plan: a path of the app. */
  offeredAt: string;
  /** Email address that the visitor typed. */
  email: string | undefined;
  /** True if the visitor has just returned from a checkout for this plan. */
  hasReturned: boolean;
}

/**
 * Opens a checkout for the signed-in visitor, unless that would sell the same membership twice. The checks, in order:
 *
 * 1. signed in, and permitted to read memberships
 * 2. not a member by this plan
 * 3. no completed payment for this plan with a membership that still runs
 * 4. the account has an email address, or the visitor typed one
 */
export async function beginCheckout(
  checkout: Checkout,
  visitor: Visitor,
  order: CheckoutOrder,
): Promise<CheckoutResult> {
  const { plan } = order;
  try {
    const session = await visitor.session.current();
    if (session === undefined) return { kind: 'signed_out' };
    if (!session.tokens.scopes.includes(MEMBERSHIPS_SCOPE)) {
      return { kind: 'missing_scope', scopes: [MEMBERSHIPS_SCOPE] };
    }
    const { memberships, isStale } = await readMemberships(visitor);
    if (isStale) return { kind: 'unavailable', plan };
    if (isMemberByPlan(plan, memberships, checkout.settings.plans)) return { kind: 'already_member', plan };
    const wasMember = membershipsOfCommunity(plan, memberships).length > 0;
    // If the service rejected the session's token, the lookup renews the session.
    const user = await readBuyer(checkout.kit, (await visitor.session.current()) ?? session);
    return await shared(checkout, { visitor, user, order, wasMember });
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    return error.code === 'sign_in_required' ? { kind: 'signed_out' } : { kind: 'unavailable', plan };
  }
}

interface CheckedOrder {
  visitor: Visitor;
  user: UserIdentity;
  order: CheckoutOrder;
  /** True if the visitor has a membership of the plan's community. */
  wasMember: boolean;
}

/** Opens one checkout for identical requests at the same time, such as a double click. */
function shared(checkout: Checkout, checked: CheckedOrder): Promise<CheckoutResult> {
  const { pending } = checkout;
  const { user, order, wasMember } = checked;
  const { plan, ...details } = order;
  const key = JSON.stringify([user.sub, user.email, plan.id, details, wasMember]);
  const running = pending.get(key);
  if (running !== undefined) return running;
  const result = open(checkout, checked).finally(() => pending.delete(key));
  pending.set(key, result);
  return result;
}

async function open(checkout: Checkout, checked: CheckedOrder): Promise<CheckoutResult> {
  const { kit, settings, externalIdSecrets } = checkout;
  const { user, order, wasMember } = checked;
  const { plan } = order;
  const payment = await findPayment(checkout, checked);
  if (payment === 'paid') {
    return { kind: 'already_paid', plan, wasMember, isTyped: user.email === null };
  }
  if (payment !== 'none') return { kind: payment, plan };
  const email = emailOf(user, order.email);
  if (email.kind !== 'known') return { kind: 'email_required', plan, isInvalid: email.kind === 'invalid' };
  const { returnTo, offeredAt } = order;
  const result = await openCheckout(checkout, {
    pricingPlanId: plan.id,
    communityId: plan.communityId,
    externalId: externalIdsOf(externalIdSecrets, plan.id, user.sub)[0],
    email: email.address,
    successUrl: returnUrl(kit.app, { plan, returnTo, wasMember, isTyped: email.isTyped }),
    cancelUrl: cancelledUrl(kit.app, { plan, returnTo, offeredAt }),
    utmSource: settings.utmSource,
  });
  return result.kind === 'opened' ? result : { ...result, plan };
}

/**
 * Checks whether a checkout for this plan was paid and its membership still runs. If asking for the invite link returns
 * anything but a 404, it was paid (spec, "Checkout reservation and invite link").
 *
 * For a member of the community, the invite link proves nothing: the checkout can be an old one, and the membership can
 * be for another plan. Then only a return from the checkout within the last few minutes counts.
 */
async function findPayment(
  checkout: Checkout,
  { visitor, user, order: { plan, hasReturned }, wasMember }: CheckedOrder,
): Promise<'paid' | 'none' | 'refused' | 'unavailable'> {
  if (wasMember && !hasReturned) return 'none';
  for (const externalId of externalIdsOf(checkout.externalIdSecrets, plan.id, user.sub)) {
    const result = await askInviteLink(checkout, externalId);
    switch (result.kind) {
      case 'link':
        return 'paid';
      case 'no_bot':
        // A service may check the bot before the membership, and an expired member must be able to buy again.
        if (user.email === null || (await canBeMember(visitor))) return 'paid';
        break;
      case 'forbidden':
        warnOnce(checkout);
        return 'none';
      case 'refused':
      case 'unavailable':
        return result.kind;
      case 'not_paid':
      case 'not_a_member':
        break;
    }
  }
  return 'none';
}

/** True if the visitor has a community membership that could be the paid one. */
async function canBeMember(visitor: Visitor): Promise<boolean> {
  const { memberships, isStale } = await readMemberships(visitor);
  return (
    isStale ||
    memberships.some(({ isKnown, productType = 'community' }) => !isKnown && productType === 'community')
  );
}

type BuyerEmail = { kind: 'known'; address: string; isTyped: boolean } | { kind: 'missing' | 'invalid' };

/** The account's address takes precedence: the checkout is bound to its user. */
function emailOf({ email }: UserIdentity, typed: string | undefined): BuyerEmail {
  if (email !== null) return { kind: 'known', address: email, isTyped: false };
  if (typed === undefined) return { kind: 'missing' };
  const parsed = emailField.safeParse(typed);
  return parsed.success ? { kind: 'known', address: parsed.data, isTyped: true } : { kind: 'invalid' };
}

function warnOnce({ kit: { logger }, warned }: Checkout): void {
  if (warned.has('MEMBERSHIP_WRITE')) return;
  warned.add('MEMBERSHIP_WRITE');
  logger.warn(
    'key_permission_missing',
    'The API key of auth.checkout lacks MEMBERSHIP_WRITE, so a checkout that was paid moments ago cannot be detected. Create a key with MEMBERSHIP_WRITE and CHECKOUT_WRITE.',
  );
}

/**
 * Reads the current identity of a buyer. The session still has the email address from the sign-in. If the user has
 * changed it since, a checkout with the old address would be bound to another account.
 * @throws LatchkeyError `service_unavailable`.
 */
async function readBuyer(
  { service, logger }: Needs<'service' | 'logger'>,
  { user: { sub }, tokens: { accessToken } }: Session,
): Promise<UserIdentity> {
  try {
    const user = await fetchUserIdentity(service, { accessToken });
    if (comparableId(user.sub) === comparableId(sub)) return user;
    logger.error(
      'buyer_mismatch',
      'The access token of a session belongs to another user than the session. Nothing was sold.',
      {},
    );
    throw unavailable();
  } catch (error) {
    if (!isOAuthClientError(error)) throw error;
    logger.warn('buyer_unavailable', 'The address of a buyer could not be read.', failureDetails(error));
    throw unavailable(error);
  }
}

function unavailable(cause?: unknown): LatchkeyError {
  const message = 'The address of the account cannot be read at the moment.';
  return new LatchkeyError('service_unavailable', message, { cause });
}
