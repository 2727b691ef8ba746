import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { endCharge, findStoredOrder } from '../charges/charges.js';
import { isRenewing } from '../memberships/membership-state.js';
import { findMembership, type MembershipRow, saveMembership } from '../memberships/memberships.js';
import { cancelSubscription } from '../memberships/subscription.js';
import { renewedWindow } from './bought-membership.js';
import type { DueRenewal } from './due-renewals.js';
import type { OfferSubject } from './offer.js';
import type { ChargeResult, DeclineReason } from './payment-provider.js';
import { type PaymentAttempt, recordDeclined, recordPaid, recordWithoutAccess } from './payment-record.js';
import { queueRenewalFailed } from './renewal-failed-mail.js';

/** Payment for a plan. */
type PlanPayment = PaymentAttempt & { subject: OfferSubject & { kind: 'plan' } };

/**
 * Result of {@link settleRenewal}.
 *
 * - `unchanged`: another process has stored the order, or nothing was paid for a membership that changed.
 * - `no-access`: the membership changed during the charge. The payment is stored, so that it can be refunded.
 */
export type SettleRenewalResult =
  | { readonly kind: 'renewed' | 'declined' | 'unchanged' }
  | { readonly kind: 'no-access'; readonly paymentId: string };

/**
 * Stores the result of a charged renewal in one transaction. A paid one adds its period in two cases: the subscription still renews
 * the membership, or it was cancelled before the end, and the membership is otherwise unchanged. A declined one cancels the
 * subscription.
 */
export function settleRenewal(
  db: Database,
  { due, result }: { due: DueRenewal; result: ChargeResult },
  now: number,
): Promise<SettleRenewalResult> {
  return inTransaction(db, async (transaction): Promise<SettleRenewalResult> => {
    await endCharge(transaction, due.order_id);
    const payment = paymentAttempt(due);
    if (payment === undefined) return { kind: 'unchanged' };
    const { communityId } = payment.subject;
    const membership = await findMembership(transaction, due.user_id, { communityId });
    const state = stateOf(membership, due);
    if (result.kind === 'declined') {
      if (membership === undefined || state !== 'unchanged') return { kind: 'unchanged' };
      await decline(transaction, payment, { membership, reason: result.reason, now });
      return { kind: 'declined' };
    }
    if (due.amount_minor === 0 && state !== 'unchanged') return { kind: 'unchanged' };
    const order = { orderId: due.order_id, userId: due.user_id, communityId };
    const isStored = due.amount_minor > 0 && (await findStoredOrder(transaction, order)) !== undefined;
    if (isStored) return { kind: 'unchanged' };
    if (membership === undefined || membership.valid_until === null || state === 'changed') {
      return { kind: 'no-access', paymentId: await recordWithoutAccess(transaction, payment, now) };
    }
    const { valid_from, valid_until } = membership;
    const renewed = {
      ...membership,
      ...renewedWindow({ valid_from, valid_until }, due.period_days, now),
      lapse_announced_at: null,
    };
    await saveMembership(transaction, renewed, { isNew: false, now });
    await recordPaid(transaction, payment, { membership: renewed, now });
    return { kind: 'renewed' };
  });
}

/**
 * State of a membership after the charge.
 *
 * - `cancelled`: before the end of its period, and otherwise unchanged.
 * - `moved`: the subscription renews it, and its end is another one, for example after a purchase that does not renew.
 */
type RenewalState = 'unchanged' | 'cancelled' | 'moved' | 'changed';

function stateOf(membership: MembershipRow | undefined, due: DueRenewal): RenewalState {
  if (membership === undefined || membership.subscription_id !== due.subscription_id) return 'changed';
  const hasSameEnd = membership.valid_until === due.period_end;
  if (isRenewing(membership)) return hasSameEnd ? 'unchanged' : 'moved';
  // An expired membership that is ended keeps its end. Its access must not return.
  const isCancelledInTime = (membership.subscription_cancelled_at ?? 0) < due.period_end;
  return hasSameEnd && isCancelledInTime ? 'cancelled' : 'changed';
}

async function decline(
  transaction: Database,
  payment: PlanPayment,
  { membership, reason, now }: { membership: MembershipRow; reason: DeclineReason; now: number },
): Promise<void> {
  await cancelSubscription(transaction, membership, now);
  const paymentId = await recordDeclined(transaction, payment, { reason, now });
  const { subject, buyer, amountMinor, currency } = payment;
  const { valid_until: validUntil } = membership;
  if (validUntil === null) return;
  const failed = { paymentId, reason, validUntil, email: buyer.email, plan: subject, amountMinor, currency };
  await queueRenewalFailed(transaction, failed, now);
}

function paymentAttempt(due: DueRenewal): PlanPayment | undefined {
  const { community_id: communityId, pricing_plan_id: planId } = due;
  if (communityId === null || planId === null) return undefined;
  return {
    orderId: due.amount_minor === 0 ? null : due.order_id,
    reservationId: null,
    subject: { kind: 'plan', communityId, planId },
    buyer: { id: due.user_id, email: due.email },
    amountMinor: due.amount_minor,
    currency: due.currency,
    externalId: due.external_id,
    utmSource: due.utm_source,
  };
}
