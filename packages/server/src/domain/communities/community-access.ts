import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { CommunityRole } from './community.js';

/** User who acts in a community. Every call checks the user's role in the database. */
export interface CommunityActor {
  communityId: string;
  userId: string;
}

/** Community with the role of one of its administrators. */
export interface AdministeredCommunity {
  id: string;
  name: string;
  role: CommunityRole;
}

/** Lists the communities in which the user has an active role, by name. */
export async function listAdministered(db: Database, userId: string): Promise<AdministeredCommunity[]> {
  return await administered(db, userId).orderBy('communities.name').orderBy('communities.id').execute();
}

/** Returns the community if the user has an active role in it. */
export async function findAdministered(
  db: Database,
  { communityId, userId }: CommunityActor,
): Promise<AdministeredCommunity | undefined> {
  return await administered(db, userId).where('communities.id', '=', communityId).executeTakeFirst();
}

/**
 * Runs the work in a transaction that also checks the actor's active role. A role that was just revoked therefore has no
 * effect.
 *
 * @returns `undefined` if the actor has no active role in the community.
 */
export async function asAdministrator<Result>(
  db: Database,
  actor: CommunityActor,
  work: (transaction: Database, community: AdministeredCommunity) => Promise<Result>,
): Promise<Result | undefined> {
  return await inTransaction(db, async (transaction) => {
    const community = await findAdministered(transaction, actor);
    return community && (await work(transaction, community));
  });
}

function administered(db: Database, userId: string) {
  return db
    .selectFrom('community_roles')
    .innerJoin('communities', 'communities.id', 'community_roles.community_id')
    .select(['communities.id', 'communities.name', 'community_roles.role'])
    .where('community_roles.user_id', '=', userId)
    .where('community_roles.is_active', '=', 1);
}
