import { randomUUID } from 'node:crypto';
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
import { findCommunity } from '../communities/communities.js';
import { readMembership } from '../memberships/membership-periods.js';
import { isRenewing } from '../memberships/membership-state.js';
import {
  cancelSubscription,
  findMembership,
  type MembershipRow,
  saveMembership,
} from '../memberships/memberships.js';
import { renewedMembership } from './bought-membership.js';
import { findOrder, type OfferSubject, renewOrder } from './checkout.js';
import {
  type DueRenewal,
  dueRenewals,
  isStillRenewing,
  releaseRenewal,
  type SettledRenewal,
  startedRenewals,
  startRenewal,
} from './due-renewals.js';
import { queueRenewalFailed } from './payment-mails.js';
import type { ChargeResult, DeclineReason, FoundPayment, PaymentProvider } from './payment-provider.js';
import {
  type ChargedPayment,
  type PaymentAttempt,
  recordDeclined,
  recordPaid,
  recordWithoutAccess,
} from './payment-record.js';

const CONCURRENCY = 4;
const CHARGE_LIMIT_MS = 30_000;
const STOPPING_GRACE_MS = 3_000;

/** Free plans only if the provider charges renewals. Charges again what a crash or an error left without a result. */
export function createRenewalWorker({
  db,
  clock,
  logger,
  payments,
  chargeLimitMs = CHARGE_LIMIT_MS,
  stoppingGraceMs = STOPPING_GRACE_MS,
}: Needs<'db' | 'clock' | 'logger'> & {
  payments: PaymentProvider | undefined;
  chargeLimitMs?: number;
  stoppingGraceMs?: number;
}): Worker {
  const name = 'renew subscriptions';
  const charger = payments?.renewals === 'server' ? payments : undefined;
  return {
    name,
    async runOnce(signal) {
      /** Orders of this run. An order that failed waits for the next run. */
      const tried = new Set<string>();
      const renewOnce = async (due: DueRenewal) => {
        if (tried.has(due.order_id)) return false;
        tried.add(due.order_id);
        return await renew(due, signal);
      };
      const work = { name, logger, concurrency: CONCURRENCY };
      const isFree = charger === undefined;
      const by = ['memberships.renews_at', 'memberships.id'];
      const due = () => dueRenewals(db, { isFree, now: clock.now() });
      const handled = await handleEachDue({ ...work, by, due, handle: (row) => renewOnce(row) }, signal);
      // A free period never has a started charge.
      if (isFree) return handled;
      const started = { by: ['charges.order_id'], due: () => startedRenewals(db, clock.now()) };
      return (
        handled + (await handleEachDue({ ...work, ...started, handle: (row) => renewOnce(row) }, signal))
      );
    },
  };

  async function renew(due: DueRenewal, signal: AbortSignal): Promise<boolean> {
    if (!(await startRenewal(db, due, clock.now()))) return false;
    // Charging can be repeated: without a stored result, a later run charges the same order again.
    const result = await chargeOrFind(due, signal).catch(async (error) => {
      await releaseRenewal(db, due, clock.now());
      throw error;
    });
    if (result === 'stopped') await releaseRenewal(db, due, clock.now());
    if (result === 'stopped' || result.kind === 'pending') return false;
    if (result.kind === 'none') {
      await inTransaction(db, (transaction) => endCharge(transaction, due.order_id));
      return false;
    }
    const settled = await settleRenewal(db, { due, result, provider: charger?.name ?? '' }, clock.now());
    if (settled.kind === 'no-access') {
      logger.error(
        { payment: settled.paymentId, order: due.order_id, subscription: due.subscription_id },
        'A renewal gave no access, because the membership changed during its charge, and is refunded',
      );
    }
    return settled.kind !== 'unchanged';
  }

  /** An order is looked up instead, never charged, if its subscription has since ended or its community is closed. */
  async function chargeOrFind(
    due: DueRenewal,
    signal: AbortSignal,
  ): Promise<ChargeResult | FoundPayment | 'stopped'> {
    if (due.amount_minor === 0) return { kind: 'paid', reference: '' };
    if (charger === undefined) throw new Error(`The renewal ${due.order_id} is charged by the provider.`);
    const order = {
      orderId: due.order_id,
      amountMinor: due.amount_minor,
      currency: due.currency,
      method: due.payment_method,
      ...{ reference: null, subscription: await subscriptionAt(due, charger), isRenewal: true },
    };
    const isCharged = due.membershipId !== null || (await isStillRenewing(db, due));
    const asking = isCharged ? renewOrder(charger, order) : findOrder(charger, order);
    const limited = withinLimit<ChargeResult | FoundPayment>(asking, {
      name: 'The charge',
      limitMs: chargeLimitMs,
    });
    return await unlessStopped(limited, { signal, graceMs: stoppingGraceMs });
  }

  async function subscriptionAt({ subscription_id }: DueRenewal, { name: provider }: PaymentProvider) {
    const row = await db
      .selectFrom('provider_subscriptions')
      .select('reference')
      .where('subscription_id', '=', subscription_id)
      .where('provider', '=', provider)
      .executeTakeFirst();
    return row?.reference ?? null;
  }
}

type PlanPayment = PaymentAttempt & { subject: OfferSubject & { kind: 'plan' } };

/**
 * Result of {@link settleRenewal}.
 *
 * - `unchanged`: another process has stored the order, or nothing was paid for a membership that changed.
 * - `no-access`: the membership changed or its community was closed during the charge. The payment is stored and
 *   refunded.
 */
export type SettleRenewalResult =
  | { readonly kind: 'renewed' | 'declined' | 'unchanged' }
  | { readonly kind: 'no-access'; readonly paymentId: string };

/**
 * Stores the result of a charged renewal in one transaction. A paid renewal adds its period if the subscription still
 * renews the membership, or if it was cancelled before the end and the membership is otherwise unchanged. A declined
 * one cancels the subscription.
 */
export function settleRenewal(
  db: Database,
  { due: started, result, provider }: { due: SettledRenewal; result: ChargeResult; provider: string },
  now: number,
): Promise<SettleRenewalResult> {
  return inTransaction(db, async (transaction): Promise<SettleRenewalResult> => {
    const user_id = (await endCharge(transaction, started.order_id)) ?? started.user_id;
    const due = { ...started, user_id };
    const charged =
      result.kind === 'paid' && due.amount_minor > 0 ? { provider, reference: result.reference } : null;
    const payment = renewalAttempt(due, charged);
    if (payment === undefined) return { kind: 'unchanged' };
    const { communityId } = payment.subject;
    const membership = await findMembership(transaction, due.user_id, { communityId });
    const isOpen = (await findCommunity(transaction, communityId)) !== undefined;
    const state = isOpen ? stateOf(membership, due) : 'changed';
    if (result.kind === 'declined') {
      if (membership === undefined || state !== 'unchanged') return { kind: 'unchanged' };
      await decline(transaction, payment, { membership, reason: result.reason, now });
      return { kind: 'declined' };
    }
    if (due.amount_minor === 0 && state !== 'unchanged') return { kind: 'unchanged' };
    const stored =
      charged &&
      (await findStoredOrder(transaction, { orderId: due.order_id, reference: charged.reference }));
    if (stored?.isOther === false) return { kind: 'unchanged' };
    if (stored?.isOther || membership === undefined || state === 'changed') {
      return { kind: 'no-access', paymentId: await recordWithoutAccess(transaction, payment, now) };
    }
    const paymentId = randomUUID();
    const current = await readMembership(transaction, membership, now);
    const renewal = {
      ...{ planId: payment.subject.planId, periodDays: due.period_days, source: 'renewal' as const },
      ...{ paymentId: due.amount_minor === 0 ? null : paymentId, subscriptionId: due.subscription_id },
    };
    const { row, timeline } = renewedMembership(current, renewal, now);
    const periods = { before: current.timeline, after: timeline };
    await saveMembership(transaction, row, { isNew: false, now, periods });
    await recordPaid(transaction, { ...payment, paymentId }, { membership: row, now });
    return { kind: 'renewed' };
  });
}

/**
 * State of a membership after the charge.
 *
 * - `cancelled`: cancelled before the end of its period, and otherwise unchanged.
 * - `moved`: the subscription renews it at another time, for example after a purchase that started at once.
 */
type RenewalState = 'unchanged' | 'cancelled' | 'moved' | 'changed';

function stateOf(membership: MembershipRow | undefined, due: SettledRenewal): RenewalState {
  if (membership === undefined || membership.subscription_id !== due.subscription_id) return 'changed';
  const hasSameEnd = membership.renews_at === due.period_end;
  if (isRenewing(membership)) return hasSameEnd ? 'unchanged' : 'moved';
  // If an expired membership is ended, it keeps its end. Access must not return.
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
  // Anything bought in addition to the subscription stays.
  const validUntil = membership.renews_at ?? now;
  await queueRenewalFailed(transaction, { ...payment, paymentId, reason, validUntil }, now);
}

export function renewalAttempt(due: SettledRenewal, charged: ChargedPayment | null): PlanPayment | undefined {
  const { community_id: communityId, pricing_plan_id: planId } = due;
  if (communityId === null || planId === null) return undefined;
  return {
    orderId: due.amount_minor === 0 ? null : due.order_id,
    charged,
    reservationId: null,
    subject: { kind: 'plan', communityId, planId },
    buyer: { id: due.user_id, email: due.email },
    amountMinor: due.amount_minor,
    currency: due.currency,
    externalId: due.external_id,
    utmSource: due.utm_source,
  };
}
