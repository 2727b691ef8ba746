import type { Database } from '../../platform/database/open-database.js';
import type { MembershipRow } from './save-membership.js';

/** What a membership can be for. */
export type MembershipTarget = { readonly communityId: string } | { readonly productId: string };

/** The one row that a user has for a community or a product, active or not. */
export async function findMembership(
  db: Database,
  userId: string,
  target: MembershipTarget,
): Promise<MembershipRow | undefined> {
  const own = db.selectFrom('memberships').selectAll().where('user_id', '=', userId);
  const found =
    'communityId' in target
      ? own.where('community_id', '=', target.communityId)
      : own.where('product_id', '=', target.productId);
  return await found.executeTakeFirst();
}
