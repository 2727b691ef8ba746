import { formatTimestamp } from '@latchkey/contract/constants';
import { type Database, formatPrice } from '@latchkey/server/extension';

/** Most rows that an answer contains. */
const ROWS_MAX = 100;

/** Returns the active memberships of a user, as the Express kit describes them. */
export async function previewMemberships(db: Database, userId: string, now: number): Promise<object[]> {
  const rows = await db
    .selectFrom('memberships')
    .select([
      'id',
      'product_type',
      'community_id',
      'product_id',
      'pricing_plan_id',
      'valid_from',
      'valid_until',
    ])
    .where('user_id', '=', userId)
    .where('valid_from', '<=', now)
    .where((where) => where.or([where('valid_until', 'is', null), where('valid_until', '>', now)]))
    .limit(ROWS_MAX)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    productType: row.product_type,
    isActive: true,
    isKnown: true,
    validFrom: formatTimestamp(row.valid_from),
    validUntil: row.valid_until === null ? null : formatTimestamp(row.valid_until),
    communityId: row.community_id,
    productId: row.product_id,
    pricingPlanId: row.pricing_plan_id,
  }));
}

/** Returns the plans on sale, as the Express kit offers them. */
export async function previewPlans(db: Database): Promise<object[]> {
  const rows = await db
    .selectFrom('pricing_plans')
    .select(['id', 'community_id', 'name', 'price_minor', 'currency', 'period_days', 'renews'])
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(ROWS_MAX)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    communityId: row.community_id,
    name: row.name,
    price: formatPrice(row.price_minor, row.currency),
    term: row.period_days === null ? 'once' : `${row.renews === 1 ? 'every' : 'for'} ${row.period_days} days`,
  }));
}
