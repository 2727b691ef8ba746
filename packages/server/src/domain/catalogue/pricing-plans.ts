import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Schema } from '../../platform/database/schema.js';

/** What a community sells. */
export interface PricingPlan {
  id: string;
  communityId: string;
  name: string;
  /** In the currency's minor unit: cents. */
  priceMinor: number;
  /** ISO 4217, upper case. */
  currency: string;
  /** Days of access for one payment; null for lifetime. */
  periodDays: number | null;
  /** Whether the payment provider's subscription renews it. */
  renews: boolean;
  /** Whose payment page its checkouts open. */
  provider: 'card' | 'crypto';
  /** Set when it is sold no more; who has it keeps it. */
  archivedAt: number | null;
}

function changeable(plan: PricingPlan) {
  return {
    name: plan.name,
    price_minor: plan.priceMinor,
    currency: plan.currency,
    period_days: plan.periodDays,
    renews: plan.renews ? 1 : 0,
    provider: plan.provider,
    archived_at: plan.archivedAt,
  } as const;
}

function asPlan(row: Selectable<Schema['pricing_plans']>): PricingPlan {
  return {
    id: row.id,
    communityId: row.community_id,
    name: row.name,
    priceMinor: row.price_minor,
    currency: row.currency,
    periodDays: row.period_days,
    renews: row.renews === 1,
    provider: row.provider,
    archivedAt: row.archived_at,
  };
}

export async function findPricingPlan(db: Database, id: string): Promise<PricingPlan | undefined> {
  const row = await db.selectFrom('pricing_plans').selectAll().where('id', '=', id).executeTakeFirst();
  return row && asPlan(row);
}

/** Every plan of a community, oldest first, the archived ones too. */
export async function listPricingPlans(db: Database, communityId: string): Promise<PricingPlan[]> {
  const rows = await db
    .selectFrom('pricing_plans')
    .selectAll()
    .where('community_id', '=', communityId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(asPlan);
}

/** False when the id is taken. */
export async function insertPricingPlan(db: Database, plan: PricingPlan, now: number): Promise<boolean> {
  const inserted = await db
    .insertInto('pricing_plans')
    .values({ id: plan.id, community_id: plan.communityId, created_at: now, ...changeable(plan) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Replaces everything but id and community. */
export async function updatePricingPlan(db: Database, plan: PricingPlan): Promise<void> {
  await db.updateTable('pricing_plans').set(changeable(plan)).where('id', '=', plan.id).execute();
}
