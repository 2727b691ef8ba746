import { randomUUID } from 'node:crypto';
import { dueWorker, type Worker, withinLimit } from '../../platform/background/background-work.js';
import type { Database } from '../../platform/database/open-database.js';
import { membershipSql } from '../memberships/membership-state.js';
import type { Charging } from './checkout.js';

/** Stores a subscription that renews nothing here, if there is one, for the worker to end at the provider. */
export async function endAtProvider(
  transaction: Database,
  { reference, ...order }: { reference: string | undefined; provider: string; order_id: string },
  now: number,
): Promise<void> {
  if (reference === undefined) return;
  await transaction
    .insertInto('provider_subscriptions')
    .values({ reference, ...order, subscription_id: randomUUID(), ended_at: null, try_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const LIMIT_MS = 10_000;
const RETRY_MS = 60_000;

/** Creates the worker that ends subscriptions which renew nothing here any more. The provider would keep charging. */
export function createSubscriptionEnder({ db, clock, logger, payments }: Charging): Worker {
  const due = () =>
    db
      .selectFrom('provider_subscriptions')
      .selectAll()
      .select('reference as id')
      .where('ended_at', 'is', null)
      .where('try_at', '<=', clock.now())
      .where('provider', '=', payments.name)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('memberships')
              .select('memberships.id')
              .whereRef('memberships.subscription_id', '=', 'provider_subscriptions.subscription_id')
              .where(membershipSql.isRenewing),
          ),
        ),
      );
  return dueWorker({
    name: 'end subscriptions at the payment provider',
    logger,
    by: ['reference'],
    due,
    async handle({ reference, provider, try_at }) {
      const row = () =>
        db
          .updateTable('provider_subscriptions')
          .where('reference', '=', reference)
          .where('provider', '=', provider)
          .where('ended_at', 'is', null);
      const leased = await row()
        .set({ try_at: clock.now() + RETRY_MS })
        .where('try_at', '=', try_at)
        .returning('reference')
        .executeTakeFirst();
      if (leased === undefined) return false;
      // If the server itself charges a saved payment method, there is nothing to end at the provider.
      if (payments.cancelRenewals !== undefined) {
        const ending = payments.cancelRenewals({ reference });
        await withinLimit(ending, { name: 'The end of a subscription', limitMs: LIMIT_MS });
      }
      await row().set({ ended_at: clock.now() }).execute();
      return true;
    },
  });
}
