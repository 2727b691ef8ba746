import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Row } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import { countRows, type Position, readPage } from '../../platform/database/rows.js';
import { notFound } from '../../platform/http/http-failure.js';
import { auditedWrite, changedFields, recordAudit } from '../audit/audit.js';
import {
  asAdministrator,
  type CommunityActor,
  type LimitedCreation,
} from '../communities/community-access.js';
import { columnsOf, recordOf } from '../fields/define-resource.js';
import { type NewPricingPlan, planResource } from './plan.resource.js';

export interface PricingPlan extends NewPricingPlan {
  id: string;
  communityId: string;
  /** Set once the plan can't be bought anymore. Members who bought it keep access. */
  archivedAt: number | null;
}

export type PlanChange = Partial<z.output<typeof planResource.change> & Pick<PricingPlan, 'archivedAt'>>;

export async function findPricingPlan(db: Database, id: string): Promise<PricingPlan | undefined> {
  const row = await db.selectFrom('pricing_plans').selectAll().where('id', '=', id).executeTakeFirst();
  return row && asPlan(row);
}

/** Of two prices without an end, the whole prices count. Prices in different currencies can't be compared. */
export function costsMorePerDay(one: PlanPrice, other: PlanPrice): boolean {
  if (one.currency !== other.currency) return false;
  if (other.periodDays === null) return one.priceMinor > other.priceMinor;
  return one.periodDays !== null && one.priceMinor * other.periodDays > other.priceMinor * one.periodDays;
}

type PlanPrice = Pick<PricingPlan, 'priceMinor' | 'currency' | 'periodDays'>;

/** Maximum number of plans of a community, including archived ones. The operator can create more. */
const PLANS_MAX_PER_COMMUNITY = 200;

export function listPlansForSale(db: Database, communityId: string, after?: Position | undefined) {
  const plans = db.selectFrom('pricing_plans').selectAll().where('community_id', '=', communityId);
  return readPage(plans.where('archived_at', 'is', null), { by: ['created_at', 'id'], after }, asPlan);
}

export function listArchivedPlans(db: Database, communityId: string, after?: Position | undefined) {
  const plans = db.selectFrom('pricing_plans').selectAll().where('community_id', '=', communityId);
  return readPage(plans.where('archived_at', 'is not', null), { by: ['archived_at', 'id'], after }, asPlan);
}

/** False if the id is taken. */
export async function insertPricingPlan(db: Database, plan: PricingPlan, now: number): Promise<boolean> {
  const { id, communityId } = plan;
  return await auditedWrite(db, { action: 'plan.create', subjectId: id, communityId }, (transaction) =>
    transaction
      .insertInto('pricing_plans')
      .values({ id, community_id: communityId, created_at: now, ...settingsOf(plan) })
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
}

export async function createPlan(
  db: Database,
  actor: CommunityActor,
  { plan, now }: { plan: NewPricingPlan; now: number },
): Promise<LimitedCreation> {
  return await asAdministrator(db, actor, async (transaction) => {
    const { communityId } = actor;
    const plans = transaction.selectFrom('pricing_plans').where('community_id', '=', communityId);
    if ((await countRows(plans)) >= PLANS_MAX_PER_COMMUNITY) {
      return { kind: 'full', max: PLANS_MAX_PER_COMMUNITY };
    }
    const id = randomUUID();
    await insertPricingPlan(transaction, { ...plan, id, communityId, archivedAt: null }, now);
    return { kind: 'created', id };
  });
}

/** @throws HttpFailure 404 if the community has no such plan. */
export async function changePlan(
  db: Database,
  actor: CommunityActor,
  { planId, change }: { planId: string; change: PlanChange },
): Promise<void> {
  await asAdministrator(db, actor, async (transaction) => {
    const plan = await findPricingPlan(transaction, planId);
    if (plan?.communityId !== actor.communityId) throw notFound();
    const settings = settingsOf({ ...plan, ...change });
    await transaction.updateTable('pricing_plans').set(settings).where('id', '=', plan.id).execute();
    const { communityId } = plan;
    const details = { fields: changedFields(plan, change) };
    await recordAudit(transaction, { action: 'plan.change', subjectId: planId, communityId, details });
  });
}

function settingsOf(plan: PricingPlan) {
  return { ...columnsOf(planResource, plan), archived_at: plan.archivedAt };
}

function asPlan(row: Row<'pricing_plans'>): PricingPlan {
  return recordOf(planResource, row);
}
