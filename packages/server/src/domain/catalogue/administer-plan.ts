import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import { findPricingPlan, insertPricingPlan, type PricingPlan, updatePricingPlan } from './pricing-plans.js';

/** What a plan is created with. */
export type NewPlan = Omit<PricingPlan, 'id' | 'communityId' | 'archivedAt'>;

/** What can be changed of a plan that is sold: nothing that buyers have agreed to for time already paid. */
export type PlanChange = Partial<Pick<PricingPlan, 'name' | 'priceMinor' | 'archivedAt'>>;

/** Creates a plan of the community and gives its id; `undefined` when the actor has no role there. */
export async function createPlan(
  db: Database,
  actor: CommunityActor,
  { plan, now }: { plan: NewPlan; now: number },
): Promise<string | undefined> {
  return await asAdministrator(db, actor, async (transaction) => {
    const id = randomUUID();
    const { communityId } = actor;
    await insertPricingPlan(transaction, { ...plan, id, communityId, archivedAt: null }, now);
    return id;
  });
}

/** Changes a plan of the community. False when the actor has no role there, or the community no such plan. */
export async function changePlan(
  db: Database,
  actor: CommunityActor,
  { planId, change }: { planId: string; change: PlanChange },
): Promise<boolean> {
  const changed = await asAdministrator(db, actor, async (transaction) => {
    const plan = await findPricingPlan(transaction, planId);
    if (plan?.communityId !== actor.communityId) return false;
    await updatePricingPlan(transaction, { ...plan, ...change });
    return true;
  });
  return changed ?? false;
}
