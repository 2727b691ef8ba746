import { type InferResult, sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { isCharging, isStarted, RENEWAL_LEASE_MS, startCharge } from '../charges/charges.js';
import { membershipSql } from '../memberships/membership-state.js';
import { samePerson } from '../users/shown-person.js';

/** A busy or restarting process must not cost subscribers their access, so they are charged this much earlier. */
export const RENEWAL_LEAD_MS = 3600_000;

/** Selects the renewals that are due and that nobody has started to charge; `isFree`: only free ones. */
export function dueRenewals(db: Database, { isFree, now }: { isFree: boolean; now: number }) {
  return subscriptionsOf(db)
    .innerJoin('memberships', 'memberships.subscription_id', 'subscriptions.id')
    .innerJoin('communities', 'communities.id', 'memberships.community_id')
    .select(['memberships.id', 'memberships.id as membershipId', 'memberships.renews_at as period_end'])
    .select(sql<string>`subscriptions.id || ':' || memberships.renews_at`.as('order_id'))
    .$narrowType<{ period_end: number }>()
    .where('communities.closed_at', 'is', null)
    .where(membershipSql.isRenewing)
    .where('memberships.renews_at', '<=', now + RENEWAL_LEAD_MS)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('charges')
            .select('charges.order_id')
            .whereRef('charges.subscription_id', '=', 'subscriptions.id'),
        ),
      ),
    )
    .$if(isFree, (query) => query.where('subscriptions.amount_minor', '=', 0));
}

export function startedRenewals(db: Database, now: number) {
  return subscriptionsOf(db)
    .innerJoin('charges', 'charges.subscription_id', 'subscriptions.id')
    .select(['charges.order_id as id', 'charges.order_id', 'charges.period_end'])
    .select(sql<null>`null`.as('membershipId'))
    .$narrowType<{ period_end: number }>()
    .where((eb) => eb.not(isCharging(now)));
}

/** A renewal with its result. There is one order per period of a subscription. */
export type SettledRenewal = InferResult<ReturnType<typeof subscriptionsOf>>[number] & {
  readonly order_id: string;
  readonly period_end: number;
};

export interface DueRenewal extends SettledRenewal {
  /** The membership; null if an earlier charge has no stored result. The membership may have changed since. */
  readonly membershipId: string | null;
}

function subscriptionsOf(db: Database) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('checkout_reservations', 'checkout_reservations.id', 'subscriptions.reservation_id')
    .innerJoin('users', 'users.id', 'checkout_reservations.user_id')
    .leftJoin('community_emails as link', samePerson('link', 'checkout_reservations'))
    .select(['subscriptions.id as subscription_id', 'subscriptions.payment_method'])
    .select(['subscriptions.amount_minor', 'subscriptions.currency', 'subscriptions.period_days'])
    .select(['checkout_reservations.id as reservation_id', 'checkout_reservations.community_id'])
    .select(['checkout_reservations.pricing_plan_id', 'checkout_reservations.external_id'])
    .select(['checkout_reservations.utm_source', 'users.id as user_id'])
    .select(({ fn }) => fn.coalesce('link.email', 'users.email').as('email'));
}

/** Returns the subscription that an order began; without `reference`, the one of the payment with access. */
export async function findRenewalOf(
  db: Database,
  { provider, orderId, reference }: { provider: string; orderId: string; reference?: string | undefined },
) {
  return await subscriptionsOf(db)
    .innerJoin('provider_subscriptions', 'provider_subscriptions.subscription_id', 'subscriptions.id')
    .select('provider_subscriptions.reference')
    .where('provider_subscriptions.order_id', '=', orderId)
    .where('provider_subscriptions.provider', '=', provider)
    .$if(reference !== undefined, (query) =>
      query.where('provider_subscriptions.reference', '=', reference ?? ''),
    )
    .executeTakeFirst();
}

function renewedBy(db: Database, { subscription_id }: Pick<DueRenewal, 'subscription_id'>) {
  return db
    .selectFrom('memberships')
    .innerJoin('communities', 'communities.id', 'memberships.community_id')
    .select('memberships.id')
    .where('subscription_id', '=', subscription_id)
    .where(membershipSql.isRenewing)
    .where('communities.closed_at', 'is', null)
    .limit(1);
}

export async function isStillRenewing(db: Database, due: Pick<DueRenewal, 'subscription_id'>) {
  return (await renewedBy(db, due).executeTakeFirst()) !== undefined;
}

/** False if the membership no longer renews, or another process is charging the renewal or has stored its result. */
export function startRenewal(db: Database, due: DueRenewal, now: number): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    if (due.membershipId === null) {
      const leased = await transaction
        .updateTable('charges')
        .set({ look_up_at: now + RENEWAL_LEASE_MS })
        .where('order_id', '=', due.order_id)
        .where((eb) => eb.not(isCharging(now)))
        .returning('order_id')
        .executeTakeFirst();
      return leased !== undefined;
    }
    const unchanged = await renewedBy(transaction, due)
      .where('memberships.id', '=', due.membershipId)
      .where('renews_at', '=', due.period_end)
      .executeTakeFirst();
    if (unchanged === undefined || (await isStarted(transaction, due.order_id))) return false;
    const { order_id, reservation_id, user_id, subscription_id, period_end } = due;
    const charge = { order_id, reservation_id, user_id, subscription_id, period_end };
    // A free period needs no charge.
    if (due.amount_minor > 0) await startCharge(transaction, charge, now);
    return true;
  });
}

export async function releaseRenewal(db: Database, { order_id: orderId }: DueRenewal, now: number) {
  await db.updateTable('charges').set({ look_up_at: now }).where('order_id', '=', orderId).execute();
}
