import type { Needs } from '../../app/services.js';
import {
  handleEachDue,
  unlessStopped,
  type Worker,
  withinLimit,
} from '../../platform/background/background-work.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { endCharge, findStoredOrder } from '../charges/charges.js';
import { isRenewing } from '../memberships/membership-state.js';
import {
  cancelSubscription,
  findMembership,
  type MembershipRow,
  saveMembership,
} from '../memberships/memberships.js';
import { renewedWindow } from './bought-membership.js';
import { canFindCharges, chargeOrder, findOrder } from './checkout.js';
import {
  type DueRenewal,
  isStillRenewing,
  listDueRenewals,
  listStartedRenewals,
  releaseRenewal,
  startRenewal,
} from './due-renewals.js';
import type { OfferSubject } from './offer.js';
import type { ChargeResult, DeclineReason, FoundCharge, PaymentProvider } from './payment-provider.js';
import { type PaymentAttempt, recordDeclined, recordPaid, recordWithoutAccess } from './payment-record.js';
import { queueRenewalFailed } from './renewal-failed-mail.js';

/** Renewals that a process charges at once. */
const CONCURRENCY = 4;
/** Time limit of a charge, in milliseconds. */
const CHARGE_LIMIT_MS = 30_000;
/** Time that a charge has to finish when the process stops, in milliseconds. */
const STOPPING_GRACE_MS = 3_000;

/**
 * Creates the worker that charges the next period of each active subscription before the current one ends. It also charges the
 * orders without a stored result again, which a crash or an error left.
 */
export function createRenewalWorker({
  db,
  clock,
  logger,
  payments,
  chargeLimitMs = CHARGE_LIMIT_MS,
  stoppingGraceMs = STOPPING_GRACE_MS,
}: Needs<'db' | 'clock' | 'logger'> & {
  payments: PaymentProvider;
  chargeLimitMs?: number;
  stoppingGraceMs?: number;
}): Worker {
  const name = 'renew subscriptions';
  return {
    name,
    async runOnce(signal) {
      /** Orders of this run. An order that failed waits for the next run. */
      const tried = new Set<string>();
      const handle = async (due: DueRenewal) => {
        if (tried.has(due.order_id)) return false;
        tried.add(due.order_id);
        return await renew(due, signal);
      };
      const work = { name, logger, handle, concurrency: CONCURRENCY };
      const due = (after: DueRenewal | undefined) => listDueRenewals(db, after, clock.now());
      const started = (after: DueRenewal | undefined) => listStartedRenewals(db, after, clock.now());
      const handled = await handleEachDue({ ...work, page: due }, signal);
      return handled + (await handleEachDue({ ...work, page: started }, signal));
    },
  };

  /** Charges a renewal and stores the result. False if nothing was stored. */
  async function renew(due: DueRenewal, signal: AbortSignal): Promise<boolean> {
    if (!(await startRenewal(db, due, clock.now()))) return false;
    const charging = withinLimit(chargeOrFind(due), { name: 'The charge', limitMs: chargeLimitMs });
    // Charging is repeatable: without a stored result, a later run charges the same order again.
    const result = await unlessStopped(charging, { signal, graceMs: stoppingGraceMs }).catch(
      async (error) => {
        await releaseRenewal(db, due, clock.now());
        throw error;
      },
    );
    if (result === 'stopped') await releaseRenewal(db, due, clock.now());
    if (result === 'stopped' || result.kind === 'pending') return false;
    if (result.kind === 'none') {
      await inTransaction(db, (transaction) => endCharge(transaction, due.order_id));
      return false;
    }
    const settled = await settleRenewal(db, { due, result }, clock.now());
    if (settled.kind === 'no-access') {
      logger.error(
        { payment: settled.paymentId, order: due.order_id, subscription: due.subscription_id },
        'A renewal gave no access, because the membership changed during its charge: refund it',
      );
    }
    return settled.kind !== 'unchanged';
  }

  /**
   * Charges a renewal. If its charge was started, and the subscription was cancelled or replaced since, the order is looked up instead:
   * nothing must be charged after that. A provider that cannot look orders up charges it again.
   */
  async function chargeOrFind(due: DueRenewal): Promise<FoundCharge> {
    if (due.amount_minor === 0) return { kind: 'paid' };
    const order = {
      orderId: due.order_id,
      amountMinor: due.amount_minor,
      currency: due.currency,
      method: due.payment_method,
      isRenewal: true,
    };
    if (due.isStarted && canFindCharges(payments) && !(await isStillRenewing(db, due)))
      return await findOrder(payments, order);
    return await chargeOrder(payments, order);
  }
}

/** Payment for a plan. */
type PlanPayment = PaymentAttempt & { subject: OfferSubject & { kind: 'plan' } };

/**
 * Result of {@link settleRenewal}.
 *
 * - `unchanged`: another process has stored the order, or nothing was paid for a membership that changed.
 * - `no-access`: the membership changed during the charge. The payment is stored, so that it can be refunded.
 */
type SettleRenewalResult =
  | { readonly kind: 'renewed' | 'declined' | 'unchanged' }
  | { readonly kind: 'no-access'; readonly paymentId: string };

/**
 * Stores the result of a charged renewal in one transaction. A paid one adds its period in two cases: the subscription still renews
 * the membership, or it was cancelled before the end, and the membership is otherwise unchanged. A declined one cancels the
 * subscription.
 */
function settleRenewal(
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
