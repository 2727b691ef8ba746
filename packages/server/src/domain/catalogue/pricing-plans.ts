import { randomUUID } from 'node:crypto';
import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Schema } from '../../platform/database/schema.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import type { NewPricingPlan } from './pricing-plan.js';

/** Pricing plan that a community sells, or sold. */
export interface PricingPlan extends NewPricingPlan {
  id: string;
  communityId: string;
  /** Set once the plan can no longer be bought. Members who bought it keep access. */
  archivedAt: number | null;
}

/** Changes of a plan that is on sale. */
export type PlanChange = Partial<Pick<PricingPlan, 'name' | 'priceMinor' | 'archivedAt'>>;

export async function findPricingPlan(db: Database, id: string): Promise<PricingPlan | undefined> {
  const row = await db.selectFrom('pricing_plans').selectAll().where('id', '=', id).executeTakeFirst();
  return row && asPlan(row);
}

/** Lists the plans of a community, archived ones included, oldest first. */
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

/** Stores a plan. False if the id is taken. */
export async function insertPricingPlan(db: Database, plan: PricingPlan, now: number): Promise<boolean> {
  const inserted = await db
    .insertInto('pricing_plans')
    .values({ id: plan.id, community_id: plan.communityId, created_at: now, ...settingsOf(plan) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Creates a plan and returns its id. `undefined` if the actor does not administer the community. */
export async function createPlan(
  db: Database,
  actor: CommunityActor,
  { plan, now }: { plan: NewPricingPlan; now: number },
): Promise<string | undefined> {
  return await asAdministrator(db, actor, async (transaction) => {
    const id = randomUUID();
    const { communityId } = actor;
    await insertPricingPlan(transaction, { ...plan, id, communityId, archivedAt: null }, now);
    return id;
  });
}

/** Changes a plan. False if the actor does not administer the community, or the community has no such plan. */
export async function changePlan(
  db: Database,
  actor: CommunityActor,
  { planId, change }: { planId: string; change: PlanChange },
): Promise<boolean> {
  const changed = await asAdministrator(db, actor, async (transaction) => {
    const plan = await findPricingPlan(transaction, planId);
    if (plan?.communityId !== actor.communityId) return false;
    const settings = settingsOf({ ...plan, ...change });
    await transaction.updateTable('pricing_plans').set(settings).where('id', '=', plan.id).execute();
    return true;
  });
  return changed ?? false;
}

function settingsOf(plan: PricingPlan) {
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
