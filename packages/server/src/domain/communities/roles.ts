import type { Database } from '../../platform/database/open-database.js';
import { type AdministeredCommunity, asAdministrator, type CommunityActor } from './community-access.js';
import { decideRoleChange, type RoleChange, type RoleDecision, type RoleHolder } from './role-change.js';

/** Role with the email address and name of its holder. */
export interface NamedRole extends RoleHolder {
  email: string | null;
  name: string | null;
}

/** Lists the roles in a community, owners first. */
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

/** Changes a role if {@link decideRoleChange} allows it. `undefined` if the actor does not administer the community. */
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
  await assignRole(transaction, { communityId, ...holder });
}

/** Assigns a role to a user, or changes the user's role. */
export async function assignRole(
  db: Database,
  { communityId, userId, role, isActive }: RoleHolder & { communityId: string },
): Promise<void> {
  const stored = { role, is_active: isActive ? 1 : 0 } as const;
  await db
    .insertInto('community_roles')
    .values({ community_id: communityId, user_id: userId, ...stored })
    .onConflict((conflict) => conflict.columns(['community_id', 'user_id']).doUpdateSet(stored))
    .execute();
}
