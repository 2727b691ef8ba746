import type { Database } from '../../platform/database/open-database.js';
import { asPage, PAGE_SIZE } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { notFound } from '../../platform/http/http-failure.js';
import type { CommunityRole } from './community.resource.js';

/** A user acting in a community. Every call checks the user's role in the database. */
export interface CommunityActor {
  communityId: string;
  userId: string;
}

export interface AdministeredCommunity {
  id: string;
  name: string;
  role: CommunityRole;
}

export type Full = { kind: 'full'; max: number };

export type LimitedCreation = { kind: 'created'; id: string } | Full;

/** Pages go by id; rows within a page are sorted by name. */
export async function listAdministered(db: Database, userId: string, after?: string | undefined) {
  const page = await pageOf(administered(db, userId), after);
  return { ...page, rows: page.rows.sort((one, other) => (one.name < other.name ? -1 : 1)) };
}

/** `undefined` if the user owns none, or several. Where the user is an ADMIN, the owners are other users. */
export async function findOnlyOwnCommunity(db: Database, userId: string): Promise<string | undefined> {
  const [own, other] = await listOwned(db, userId, 2);
  return other === undefined ? own?.id : undefined;
}

export async function listOwned(db: Database, userId: string, limit: number) {
  const rows = await administered(db, userId)
    .where('community_roles.role', '=', 'OWNER')
    .orderBy('community_roles.community_id')
    .limit(limit)
    .execute();
  return rows.map(({ id, name }) => ({ id, name }));
}

export type OwnRole = Awaited<ReturnType<typeof listOwnRoles>>['rows'][number];

export function listOwnRoles(db: Database, userId: string, after?: string | undefined) {
  return pageOf(ownRoles(db, userId), after);
}

export async function findOwnRole(db: Database, { communityId, userId }: CommunityActor) {
  return await ownRoles(db, userId)
    .where('community_roles.community_id', '=', communityId)
    .executeTakeFirst();
}

export async function findAdministered(db: Database, { communityId, userId }: CommunityActor) {
  return await administered(db, userId).where('communities.id', '=', communityId).executeTakeFirst();
}

/** @throws HttpFailure 404 if the actor has no active role by the time of the work's transaction. */
export async function asAdministrator<Result>(
  db: Database,
  actor: CommunityActor,
  work: (transaction: Database, community: AdministeredCommunity) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(db, async (transaction) => {
    const community = await findAdministered(transaction, actor);
    if (community === undefined) throw notFound();
    return await work(transaction, community);
  });
}

function administered(db: Database, userId: string) {
  return ownRoles(db, userId).where('community_roles.is_active', '=', 1);
}

function ownRoles(db: Database, userId: string) {
  return (
    db
      .selectFrom('community_roles')
      .innerJoin('communities', 'communities.id', 'community_roles.community_id')
      .select(['communities.id', 'communities.name', 'community_roles.role', 'community_roles.is_active'])
      // In a closed community, roles only keep its webhooks going until its last events have arrived.
      .where('communities.closed_at', 'is', null)
      .where('community_roles.user_id', '=', userId)
  );
}

async function pageOf(roles: ReturnType<typeof ownRoles>, after: string | undefined) {
  const rows = await roles
    .$if(after !== undefined, (query) => query.where('community_roles.community_id', '>', after ?? ''))
    .orderBy('community_roles.community_id')
    .limit(PAGE_SIZE + 1)
    .execute();
  return asPage(rows, ({ id }) => id);
}
