import { randomUUID } from 'node:crypto';
import {
  asPage,
  formatPosition,
  type ListPage,
  PAGE_SIZE,
  type Position,
} from '../../platform/database/keyset.js';
import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Schema } from '../../schema/schema.js';
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
export type PlanChange = Partial<
  Pick<PricingPlan, 'name' | 'priceMinor' | 'description' | 'benefits' | 'archivedAt'>
>;

export async function findPricingPlan(db: Database, id: string): Promise<PricingPlan | undefined> {
  const row = await db.selectFrom('pricing_plans').selectAll().where('id', '=', id).executeTakeFirst();
  return row && asPlan(row);
}

/** Maximum number of plans of a community, archived ones included. The operator can create more. */
const PLANS_MAX_PER_COMMUNITY = 200;

/** Lists one page of the plans that a community sells, oldest first. */
export async function listPlansForSale(
  db: Database,
  communityId: string,
  after?: Position | undefined,
): Promise<ListPage<PricingPlan>> {
  const rows = await db
    .selectFrom('pricing_plans')
    .selectAll()
    .where('community_id', '=', communityId)
    .where('archived_at', 'is', null)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after?.at ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(PAGE_SIZE + 1)
    .execute();
  return asPage(rows, ({ created_at, id }) => formatPosition({ at: created_at, id }), asPlan);
}

/** Lists one page of the archived plans of a community, in the order of their archiving. */
export async function listArchivedPlans(
  db: Database,
  communityId: string,
  after?: Position | undefined,
): Promise<ListPage<PricingPlan>> {
  const rows = await db
    .selectFrom('pricing_plans')
    .selectAll()
    .where('community_id', '=', communityId)
    .where('archived_at', 'is not', null)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('archived_at', 'id'), '>', eb.tuple(after?.at ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('archived_at')
    .orderBy('id')
    .limit(PAGE_SIZE + 1)
    .execute();
  return asPage(rows, ({ archived_at, id }) => formatPosition({ at: archived_at ?? 0, id }), asPlan);
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

/** Result of {@link createPlan}. */
export type CreatePlanResult =
  | { kind: 'created'; id: string }
  | { kind: 'too-many'; max: number }
  /** The actor does not administer the community. */
  | { kind: 'unknown' };

/** Creates a plan. The transaction that stores it counts the plans of the community. */
export async function createPlan(
  db: Database,
  actor: CommunityActor,
  { plan, now }: { plan: NewPricingPlan; now: number },
): Promise<CreatePlanResult> {
  const result = await asAdministrator(db, actor, async (transaction): Promise<CreatePlanResult> => {
    const { communityId } = actor;
    const { count } = await transaction
      .selectFrom('pricing_plans')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('community_id', '=', communityId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= PLANS_MAX_PER_COMMUNITY) return { kind: 'too-many', max: PLANS_MAX_PER_COMMUNITY };
    const id = randomUUID();
    await insertPricingPlan(transaction, { ...plan, id, communityId, archivedAt: null }, now);
    return { kind: 'created', id };
  });
  return result ?? { kind: 'unknown' };
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
    description: plan.description,
    benefits: JSON.stringify(plan.benefits),
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
    description: row.description,
    benefits: JSON.parse(row.benefits) as string[],
  };
}
