import type { Schema } from '../../migrations/schema.js';
import type { Expression, ExpressionBuilder, SqlBool } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { asPage, countRows, PAGE_SIZE } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { auditedWrite, recordAudit } from '../audit/audit.js';
import { asAdministrator, type CommunityActor, findOwnRole } from './community-access.js';
import { decideRoleChange, type RoleChange, type RoleDecision, type RoleHolder } from './role-change.js';

export interface NamedRole extends RoleHolder {
  email: string | null;
  name: string | null;
}

/** How many roles, and invitations to roles, a community can have. The operator can assign more. */
export const ROLES_MAX_PER_COMMUNITY = 50;

/** A user with this many roles can't accept another. The operator can assign more. */
export const ROLES_MAX_PER_USER = 100;

export async function listRoles(db: Database, communityId: string, after?: string | undefined) {
  const rows = await db
    .selectFrom('community_roles')
    .innerJoin('users', 'users.id', 'community_roles.user_id')
    .select(['users.id as userId', 'users.email', 'users.name', 'community_roles.role', 'is_active'])
    .where('community_roles.community_id', '=', communityId)
    .$if(after !== undefined, (query) => query.where('community_roles.user_id', '>', after ?? ''))
    .orderBy('community_roles.user_id')
    .limit(PAGE_SIZE + 1)
    .execute();
  const page = asPage(rows, ({ userId }) => userId);
  return { ...page, rows: page.rows.map(asHolder).sort(byRoleAndEmail) };
}

function asHolder<Row extends { is_active: 0 | 1 }>({ is_active, ...holder }: Row) {
  return { ...holder, isActive: is_active === 1 };
}

function byRoleAndEmail(one: NamedRole, other: NamedRole): number {
  if (one.role !== other.role) return one.role === 'OWNER' ? -1 : 1;
  return (one.email ?? '') < (other.email ?? '') ? -1 : 1;
}

export async function hasOneActiveOwner(db: Database, communityId: string): Promise<boolean> {
  return (await activeOwners(db, communityId).limit(2).execute()).length === 1;
}

/** Returns the ids of at most two active owners of the community. Users other than `besides` come first. */
export async function findOwners(db: Database, communityId: string, besides?: string): Promise<string[]> {
  const owners = activeOwners(db, communityId).orderBy('user_id');
  const others = await owners
    .where('user_id', '!=', besides ?? '')
    .limit(2)
    .execute();
  const own = besides === undefined ? [] : await owners.where('user_id', '=', besides).execute();
  return [...others, ...own].map(({ userId }) => userId).slice(0, 2);
}

export async function findHolder(db: Database, { communityId, userId }: CommunityActor) {
  const row = await holders(db, communityId).where('user_id', '=', userId).executeTakeFirst();
  return row && asHolder(row);
}

export function countRolesOf(db: Database, userId: string): Promise<number> {
  return countRows(db.selectFrom('community_roles').where('user_id', '=', userId));
}

/** Withdraws the holder's open offers too. */
export function changeRole(db: Database, actor: CommunityActor, change: RoleChange) {
  return asAdministrator(db, actor, (transaction) => decideAndWrite(transaction, actor, change));
}

export async function resignRole(db: Database, actor: CommunityActor): Promise<RoleDecision> {
  const change = { kind: 'resign', userId: actor.userId } as const;
  return await inTransaction(db, async (transaction) => {
    // A closed community has no roles to give up.
    if ((await findOwnRole(transaction, actor)) === undefined) return { kind: 'unknown' };
    return await decideAndWrite(transaction, actor, change);
  });
}

async function decideAndWrite(
  transaction: Database,
  { communityId, userId }: CommunityActor,
  change: RoleChange,
): Promise<RoleDecision> {
  const roles = await readDecisiveRoles(transaction, communityId, [userId, change.userId]);
  const decision = decideRoleChange(roles, userId, change);
  if (decision.kind !== 'changed') return decision;
  await withdrawOffers(transaction, { communityId, userId: change.userId });
  if (decision.holder !== null) await assignRole(transaction, { communityId, ...decision.holder });
  else {
    await transaction
      .deleteFrom('community_roles')
      .where('community_id', '=', communityId)
      .where('user_id', '=', change.userId)
      .execute();
    await recordAudit(transaction, { action: 'role.end', subjectId: change.userId, communityId });
  }
  return decision;
}

/**
 * Withdraws open offers of another role, in one community or in all. Otherwise a removed admin could still accept an
 * invitation and become an owner.
 */
export async function withdrawOffers(
  transaction: Database,
  { userId, communityId }: { userId: string; communityId?: string },
): Promise<void> {
  await withdrawWhere(transaction, (eb) =>
    eb.and([
      eb('kind', '=', 'role'),
      eb('email', '=', eb.selectFrom('users').select('email').where('id', '=', userId)),
      eb(
        'community_id',
        'in',
        eb
          .selectFrom('community_roles')
          .select('community_id')
          .where('user_id', '=', userId)
          .$if(communityId !== undefined, (roles) => roles.where('community_id', '=', communityId ?? '')),
      ),
    ]),
  );
}

/** Withdraws the open invitations that match. */
export async function withdrawWhere(
  transaction: Database,
  matches: (eb: ExpressionBuilder<Schema, 'invitations'>) => Expression<SqlBool>,
): Promise<void> {
  const withdrawn = await transaction
    .deleteFrom('invitations')
    .where(matches)
    .where('declined_at', 'is', null)
    .returning(['id', 'community_id as communityId'])
    .execute();
  for (const { id: subjectId, communityId } of withdrawn)
    await recordAudit(transaction, { action: 'invitation.withdraw', subjectId, communityId });
}

/**
 * Switches off the roles that a user assigned since an instant, or that others got by accepting the user's invitations
 * of that time. Only where the user is still an active owner: a former one must not take a community back.
 */
export async function deactivateAssigned(
  transaction: Database,
  { userId, since }: { userId: string; since: number },
): Promise<void> {
  const changes = transaction
    .selectFrom('audit_entries as change')
    .where('change.actor_kind', '=', 'user')
    .where('change.actor_id', '=', userId)
    .where('change.created_at', '>=', since);
  const assigned = await changes
    .where('change.action', '=', 'role.assign')
    .where('change.subject_id', '!=', userId)
    .select(['change.community_id', 'change.subject_id as holder_id'])
    .union(
      changes
        .innerJoin('audit_entries as accepted', 'accepted.subject_id', 'change.subject_id')
        .where('change.action', '=', 'invitation.create')
        .where('change.details', '=', JSON.stringify({ kind: 'role' }))
        .where('accepted.action', '=', 'invitation.accept')
        .select(['change.community_id', 'accepted.actor_id as holder_id']),
    )
    .execute();
  for (const { community_id, holder_id } of assigned) {
    const change = { kind: 'set-active', userId: holder_id ?? '', isActive: false } as const;
    await decideAndWrite(transaction, { communityId: community_id ?? '', userId }, change);
  }
}

/** Reads the roles that decide a change: the two users' roles, and one other active owner if there is one. */
async function readDecisiveRoles(transaction: Database, communityId: string, userIds: readonly string[]) {
  const ofUsers = await holders(transaction, communityId).where('user_id', 'in', userIds).execute();
  const others = activeOwners(transaction, communityId).where('user_id', 'not in', userIds).limit(1);
  return [...ofUsers, ...(await others.execute())].map(asHolder);
}

function activeOwners(db: Database, communityId: string) {
  return holders(db, communityId).where('role', '=', 'OWNER').where('is_active', '=', 1);
}

function holders(db: Database, communityId: string) {
  return db
    .selectFrom('community_roles')
    .select(['user_id as userId', 'role', 'is_active'])
    .where('community_id', '=', communityId);
}

export async function assignRole(
  db: Database,
  { communityId, userId, role, isActive }: RoleHolder & { communityId: string },
): Promise<void> {
  const stored = { role, is_active: isActive ? 1 : 0 } as const;
  const details = { role, isActive };
  await auditedWrite(db, { action: 'role.assign', subjectId: userId, communityId, details }, (transaction) =>
    transaction
      .insertInto('community_roles')
      .values({ community_id: communityId, user_id: userId, ...stored })
      .onConflict((conflict) => conflict.columns(['community_id', 'user_id']).doUpdateSet(stored)),
  );
}
