import type { Worker } from '../../platform/background/background-work.js';
import { handleEachDue, PAGE_SIZE } from '../../platform/background/each-due.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Logger } from '../../platform/logging/logger.js';
import { membershipSql } from '../memberships/membership-state.js';
import { saveMembership } from '../memberships/memberships.js';
import { cancelSubscription } from '../memberships/subscription.js';
import { renewedWindow } from './bought-membership.js';
import type { ChargeResult, DeclineReason, PaymentProvider } from './payment-provider.js';
import { type PaymentAttempt, recordDeclined, recordPaid } from './payment-record.js';
import { queueRenewalFailed } from './renewal-failed-mail.js';

/**
 * Time before the end of a period at which the next one is charged, in milliseconds. A busy or restarting process must not
 * cost a subscriber access.
 */
export const RENEWAL_LEAD_MS = 3600_000;

/** Creates the worker that charges the next period of each active subscription before the current one ends. */
export function createRenewalWorker(needs: {
  db: Database;
  clock: Clock;
  logger: Logger;
  payments: PaymentProvider;
}): Worker {
  const { db, clock, logger, payments } = needs;
  const name = 'renew subscriptions';
  return {
    name,
    runOnce: (signal) =>
      handleEachDue<DueRenewal>(
        {
          name,
          logger,
          page: (after) => listDue(db, after, clock.now()),
          async handle(due) {
            // Charging is repeatable: if the result can't be stored, the next run charges the same order again.
            const result = await charge(payments, due);
            return await settleRenewal(db, { due, result }, clock.now());
          },
        },
        signal,
      ),
  };
}

type DueRenewal = Awaited<ReturnType<typeof listDue>>[number];

async function listDue(
  db: Database,
  after: { id: string; valid_until: number | null } | undefined,
  now: number,
) {
  return await db
    .selectFrom('memberships')
    .innerJoin('subscriptions', 'subscriptions.id', 'memberships.subscription_id')
    .innerJoin('checkout_reservations', 'checkout_reservations.id', 'subscriptions.reservation_id')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['memberships.id', 'memberships.user_id', 'memberships.valid_until', 'users.email'])
    .select(['subscriptions.id as subscription_id', 'subscriptions.payment_method'])
    .select(['subscriptions.amount_minor', 'subscriptions.currency', 'subscriptions.period_days'])
    .select(['checkout_reservations.community_id', 'checkout_reservations.pricing_plan_id'])
    .select(['checkout_reservations.external_id', 'checkout_reservations.utm_source'])
    .where(membershipSql.isRenewing)
    .where((eb) => membershipSql.isExpired(eb, now + RENEWAL_LEAD_MS))
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('memberships.valid_until', 'memberships.id'),
          '>',
          eb.tuple(after?.valid_until ?? 0, after?.id ?? ''),
        ),
      ),
    )
    .orderBy('memberships.valid_until')
    .orderBy('memberships.id')
    .limit(PAGE_SIZE)
    .execute();
}

async function charge(payments: PaymentProvider, due: DueRenewal): Promise<ChargeResult> {
  if (due.amount_minor === 0) return { kind: 'paid' };
  return await payments.charge({
    // One order per period of a subscription.
    orderId: `${due.subscription_id}:${due.valid_until}`,
    amountMinor: due.amount_minor,
    currency: due.currency,
    method: due.payment_method,
    isRenewal: true,
  });
}

/** Stores the result of a renewal in one transaction. False if another process did, or the subscription was cancelled. */
function settleRenewal(
  db: Database,
  { due, result }: { due: DueRenewal; result: ChargeResult },
  now: number,
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const membership = await transaction
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', due.id)
      .where('subscription_id', '=', due.subscription_id)
      .where(membershipSql.isRenewing)
      .where('valid_until', '=', due.valid_until)
      .executeTakeFirst();
    const payment = paymentAttempt(due);
    if (membership === undefined || membership.valid_until === null || payment === undefined) return false;
    if (result.kind === 'declined') {
      await cancelSubscription(transaction, membership, now);
      const { reason } = result;
      const paymentId = await recordDeclined(transaction, payment, { reason, now });
      await mailDeclined(transaction, payment, {
        paymentId,
        reason,
        validUntil: membership.valid_until,
        now,
      });
      return true;
    }
    const { valid_from, valid_until } = membership;
    const renewed = {
      ...membership,
      ...renewedWindow({ valid_from, valid_until }, due.period_days, now),
      lapse_announced_at: null,
    };
    await saveMembership(transaction, renewed, { isNew: false, now });
    await recordPaid(transaction, payment, { membership: renewed, now });
    return true;
  });
}

async function mailDeclined(
  transaction: Database,
  { subject, buyer, amountMinor, currency }: PaymentAttempt,
  { now, ...failed }: { paymentId: string; reason: DeclineReason; validUntil: number; now: number },
): Promise<void> {
  if (subject.kind !== 'plan') return;
  const { email } = buyer;
  await queueRenewalFailed(transaction, { ...failed, email, plan: subject, amountMinor, currency }, now);
}

function paymentAttempt(due: DueRenewal): PaymentAttempt | undefined {
  const { community_id: communityId, pricing_plan_id: planId } = due;
  if (communityId === null || planId === null) return undefined;
  return {
    reservationId: null,
    subject: { kind: 'plan', communityId, planId },
    buyer: { id: due.user_id, email: due.email },
    amountMinor: due.amount_minor,
    currency: due.currency,
    externalId: due.external_id,
    utmSource: due.utm_source,
  };
}
