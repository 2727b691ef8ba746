import type { Worker } from '../../platform/background/background-work.js';
import { handleEachDue, PAGE_SIZE } from '../../platform/background/each-due.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Logger } from '../../platform/logging/logger.js';
import { saveMembership } from '../memberships/save-membership.js';
import { cancelSubscription } from '../memberships/subscription.js';
import { renewedWindow } from './bought-membership.js';
import type { ChargeOutcome, PaymentProvider } from './payment-provider.js';
import { recordDeclined, recordPaid, type TriedPayment } from './payment-record.js';

/**
 * How long before the end of a period the next one is paid. Whoever renews must not lose access because a process was
 * busy, or restarted, at the very moment.
 */
const RENEWAL_LEAD_MS = 3600_000;

/** Pays the next period of every subscription whose period is about to end, unless it was cancelled. */
export function createRenewals(needs: {
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
            // The provider is asked first, and the answer kept then; asked again, it gives the same one.
            const outcome = await charge(payments, due);
            return await settleRenewal(db, { due, outcome }, clock.now());
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
    .where('memberships.subscription_id', 'is not', null)
    .where('memberships.subscription_cancelled_at', 'is', null)
    .where('memberships.valid_until', '<=', now + RENEWAL_LEAD_MS)
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

async function charge(payments: PaymentProvider, due: DueRenewal): Promise<ChargeOutcome> {
  if (due.amount_minor === 0) return { kind: 'paid' };
  return await payments.charge({
    // One order for each period of each subscription.
    orderId: `${due.subscription_id}:${due.valid_until}`,
    amountMinor: due.amount_minor,
    currency: due.currency,
    method: due.payment_method,
    isRenewal: true,
  });
}

/** Keeps what became of a renewal, in one transaction. False when somebody else did, or the buyer cancelled meanwhile. */
function settleRenewal(
  db: Database,
  { due, outcome }: { due: DueRenewal; outcome: ChargeOutcome },
  now: number,
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const membership = await transaction
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', due.id)
      .where('subscription_id', '=', due.subscription_id)
      .where('subscription_cancelled_at', 'is', null)
      .where('valid_until', '=', due.valid_until)
      .executeTakeFirst();
    const payment = triedPayment(due);
    if (membership === undefined || membership.valid_until === null || payment === undefined) return false;
    if (outcome.kind === 'declined') {
      await cancelSubscription(transaction, membership, now);
      await recordDeclined(transaction, payment, { reason: outcome.reason, now });
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

function triedPayment(due: DueRenewal): TriedPayment | undefined {
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
