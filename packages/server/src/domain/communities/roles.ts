import type { Database } from '../../platform/database/open-database.js';
import { type AdministeredCommunity, asAdministrator, type CommunityActor } from './community-access.js';
import { decideRoleChange, type RoleChange, type RoleDecision, type RoleHolder } from './role-change.js';

/** A role with the person who holds it. */
export interface NamedRole extends RoleHolder {
  email: string | null;
  name: string | null;
}

/** Every role in a community, the owners first. */
export async function listRoles(db: Database, community: AdministeredCommunity): Promise<NamedRole[]> {
  const rows = await db
    .selectFrom('community_roles')
    .innerJoin('users', 'users.id', 'community_roles.user_id')
    .select(['users.id', 'users.email', 'users.name', 'community_roles.role', 'community_roles.is_active'])
    .where('community_roles.community_id', '=', community.id)
    .orderBy('community_roles.role', 'desc')
    .orderBy('users.email')
    .orderBy('users.id')
    .execute();
  return rows.map(({ id, email, name, role, is_active }) => ({
    userId: id,
    email,
    name,
    role,
    isActive: is_active === 1,
  }));
}

/** Makes a change of roles, if {@link decideRoleChange} lets it. `undefined` when the actor has no role there. */
export async function changeRole(
  db: Database,
  actor: CommunityActor,
  change: RoleChange,
): Promise<RoleDecision | undefined> {
  return await asAdministrator(db, actor, async (transaction, community) => {
    const roles = await listRoles(transaction, community);
    const decision = decideRoleChange(roles, actor.userId, change);
    if (decision.kind === 'changed') {
      await writeRole(transaction, { communityId: community.id, userId: change.userId }, decision.holder);
    }
    return decision;
  });
}

async function writeRole(
  transaction: Database,
  { communityId, userId }: CommunityActor,
  holder: RoleHolder | null,
): Promise<void> {
  if (holder === null) {
    await transaction
      .deleteFrom('community_roles')
      .where('community_id', '=', communityId)
      .where('user_id', '=', userId)
      .execute();
    return;
  }
  const stored = { role: holder.role, is_active: holder.isActive ? 1 : 0 } as const;
  await transaction
    .insertInto('community_roles')
    .values({ community_id: communityId, user_id: userId, ...stored })
    .onConflict((conflict) => conflict.columns(['community_id', 'user_id']).doUpdateSet(stored))
    .execute();
}
