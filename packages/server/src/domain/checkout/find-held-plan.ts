import type { Database } from '../../platform/database/open-database.js';
import { isActive } from '../memberships/membership-state.js';
import { type AccessTerms, accessTermsOf } from './access-terms.js';

/** Active membership of a community, with its plan. */
export interface HeldPlan extends AccessTerms {
  /** Null for a membership that was granted without a plan. */
  readonly planId: string | null;
  readonly planName: string | null;
}

/** Returns the plan that a user has in a community; `undefined` without an active membership. */
export async function findHeldPlan(
  db: Database,
  { userId, communityId }: { userId: string; communityId: string },
  now: number,
): Promise<HeldPlan | undefined> {
  const row = await db
    .selectFrom('memberships')
    .leftJoin('subscriptions', 'subscriptions.id', 'memberships.subscription_id')
    .leftJoin('pricing_plans', 'pricing_plans.id', 'memberships.pricing_plan_id')
    .select(['memberships.valid_from', 'memberships.valid_until', 'memberships.pricing_plan_id'])
    .select(['memberships.subscription_id', 'memberships.subscription_cancelled_at'])
    .select(['subscriptions.amount_minor', 'subscriptions.currency', 'pricing_plans.name as plan_name'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.community_id', '=', communityId)
    .executeTakeFirst();
  if (row === undefined || !isActive(row, now)) return undefined;
  return { ...accessTermsOf(row), planId: row.pricing_plan_id, planName: row.plan_name };
}

/** True if a plan has nothing to add for its member: access is for life, or a subscription already renews the plan. */
export function isCovered(held: HeldPlan, planId: string): boolean {
  return held.endsAt === null || (held.planId === planId && held.nextPayment !== null);
}
