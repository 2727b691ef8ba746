import { asPage, type ListPage, PAGE_SIZE } from '../../platform/database/keyset.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { asAdministrator, type CommunityActor } from './community-access.js';
import { decideRoleChange, type RoleChange, type RoleDecision, type RoleHolder } from './role-change.js';

/** Role with the email address and name of its holder. */
export interface NamedRole extends RoleHolder {
  email: string | null;
  name: string | null;
}

/** Maximum number of roles and invitations to roles in a community. The operator can assign more. */
export const ROLES_MAX_PER_COMMUNITY = 50;

/** Maximum number of roles of a user who accepts another one. The operator can assign more. */
export const ROLES_MAX_PER_USER = 100;

/** Lists one page of the roles in a community, by the user's id. */
export async function listRoles(
  db: Database,
  communityId: string,
  after?: string | undefined,
): Promise<ListPage<NamedRole>> {
  const rows = await db
    .selectFrom('community_roles')
    .innerJoin('users', 'users.id', 'community_roles.user_id')
    .select(['users.id', 'users.email', 'users.name', 'community_roles.role', 'community_roles.is_active'])
    .where('community_roles.community_id', '=', communityId)
    .$if(after !== undefined, (query) => query.where('community_roles.user_id', '>', after ?? ''))
    .orderBy('community_roles.user_id')
    .limit(PAGE_SIZE + 1)
    .execute();
  const page = asPage(rows, ({ id }) => id);
  const roles = page.rows.map(({ id, email, name, role, is_active }) => ({
    userId: id,
    email,
    name,
    role,
    isActive: is_active === 1,
  }));
  return { rows: roles.sort(byRoleAndEmail), next: page.next };
}

/** Owners first, then by email address. */
function byRoleAndEmail(one: NamedRole, other: NamedRole): number {
  if (one.role !== other.role) return one.role === 'OWNER' ? -1 : 1;
  return (one.email ?? '') < (other.email ?? '') ? -1 : 1;
}

/** True if the community has exactly one active owner. */
export async function hasOneActiveOwner(db: Database, communityId: string): Promise<boolean> {
  return (await activeOwners(db, communityId).limit(2).execute()).length === 1;
}

/** Counts the roles of a user, active or inactive. */
export async function countRolesOf(db: Database, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('community_roles')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Changes a role if {@link decideRoleChange} allows it. `undefined` if the actor does not administer the community. */
export async function changeRole(
  db: Database,
  actor: CommunityActor,
  change: RoleChange,
): Promise<RoleDecision | undefined> {
  return await asAdministrator(
    db,
    actor,
    async (transaction) => await decideAndWrite(transaction, actor, change),
  );
}

/** Gives up the actor's own role, active or inactive. */
export async function resignRole(db: Database, actor: CommunityActor): Promise<RoleDecision> {
  return await inTransaction(
    db,
    async (transaction) => await decideAndWrite(transaction, actor, { kind: 'resign', userId: actor.userId }),
  );
}

async function decideAndWrite(
  transaction: Database,
  { communityId, userId }: CommunityActor,
  change: RoleChange,
): Promise<RoleDecision> {
  const roles = await readDecisiveRoles(transaction, communityId, [userId, change.userId]);
  const decision = decideRoleChange(roles, userId, change);
  if (decision.kind === 'changed') {
    await writeRole(transaction, { communityId, userId: change.userId }, decision.holder);
  }
  return decision;
}

/** Reads the roles that decide a change: those of the two users, and one other active owner if there is one. */
async function readDecisiveRoles(
  transaction: Database,
  communityId: string,
  userIds: readonly string[],
): Promise<RoleHolder[]> {
  const ofUsers = await transaction
    .selectFrom('community_roles')
    .select(['user_id', 'role', 'is_active'])
    .where('community_id', '=', communityId)
    .where('user_id', 'in', userIds)
    .execute();
  const other = await activeOwners(transaction, communityId)
    .where('user_id', 'not in', userIds)
    .limit(1)
    .execute();
  return [...ofUsers, ...other].map((row) => ({
    userId: row.user_id,
    role: row.role,
    isActive: row.is_active === 1,
  }));
}

function activeOwners(db: Database, communityId: string) {
  return db
    .selectFrom('community_roles')
    .select(['user_id', 'role', 'is_active'])
    .where('community_id', '=', communityId)
    .where('role', '=', 'OWNER')
    .where('is_active', '=', 1);
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
