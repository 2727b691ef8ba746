import type { Database } from '../../platform/database/open-database.js';
import { countRows } from '../../platform/database/rows.js';
import { countMembersWith } from '../memberships/member-status.js';

export type CommunityFigures = Awaited<ReturnType<typeof readCommunityFigures>>;

/** How many payments the revenue of a community covers at most. Reading more would slow down the page. */
const PAYMENTS_COUNTED_MAX = 10_000;

const MEMBERS_COUNTED_MAX = 20_000;

/** How many plans a page counts at most. Only the operator can create more than 200. */
const PLANS_COUNTED_MAX = 1_000;

/** Start of the month in UTC, in milliseconds since the epoch. */
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

/** Payments minus refunds, by currency, the one with the most payments first. `hasMoreRevenue`: not all were read. */
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
