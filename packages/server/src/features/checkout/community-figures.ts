import type { Database } from '../../platform/database/open-database.js';
import { countRows } from '../../platform/database/rows.js';
import { countMembersWith } from '../memberships/member-status.js';

export type CommunityFigures = Awaited<ReturnType<typeof readCommunityFigures>>;

/** Highest number of payments that the revenue of a community contains. Reading more would slow the page down. */
const PAYMENTS_COUNTED_MAX = 10_000;

const MEMBERS_COUNTED_MAX = 20_000;

/** Highest number of plans that a page counts. Only the operator can create more than 200. */
const PLANS_COUNTED_MAX = 1_000;

/** In UTC. */
function startOfMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

export async function readCommunityFigures(db: Database, communityId: string, now: number) {
  const plans = db
    .selectFrom('pricing_plans')
    .select('id')
    .where('community_id', '=', communityId)
    .where('archived_at', 'is', null)
    .limit(PLANS_COUNTED_MAX);
  return {
    members: await countMembersWith(db, { communityId, status: 'active', now, max: MEMBERS_COUNTED_MAX }),
    plansForSale: await countRows(db.selectFrom(plans.as('counted'))),
    ...(await readRevenue(db, communityId, now)),
  };
}

/**
 * Reads the successful payments since the start of the month without what was refunded of them, by currency, the largest number of payments first. `hasMoreRevenue`: the
 * month has more payments than the figures contain.
 */
async function readRevenue(db: Database, communityId: string, now: number) {
  const rows = await db
    .selectFrom(
      db
        .selectFrom('payments')
        .select(['currency', 'amount_minor', 'refunded_minor', 'status'])
        .where('community_id', '=', communityId)
        .where('created_at', '>=', startOfMonth(now))
        .where('created_at', '<=', now)
        .orderBy('created_at', 'desc')
        .limit(PAYMENTS_COUNTED_MAX)
        .as('newest'),
    )
    .select(({ fn }) => ['currency', 'status', fn.sum<number>('amount_minor').as('amount')] as const)
    .select(({ fn }) => fn.sum<number>('refunded_minor').as('refunded'))
    .select(({ fn }) => fn.countAll<number>().as('payments'))
    .groupBy(['currency', 'status'])
    .execute();
  const payments = rows.reduce((total, row) => total + Number(row.payments), 0);
  const revenue = rows
    .filter(({ status }) => status === 'succeeded')
    .sort((one, other) => Number(other.payments) - Number(one.payments))
    .map(({ currency, amount, refunded }) => ({ currency, priceMinor: Number(amount) - Number(refunded) }));
  return { revenue, hasMoreRevenue: payments >= PAYMENTS_COUNTED_MAX };
}
