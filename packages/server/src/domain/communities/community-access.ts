import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { CommunityRole } from './communities.js';

/** A user who acts in a community. Whether they may is asked of the database, every time. */
export interface CommunityActor {
  communityId: string;
  userId: string;
}

/** A community as one of its administrators sees it. */
export interface AdministeredCommunity {
  id: string;
  name: string;
  /** What the user administers it as. */
  role: CommunityRole;
}

/** Every community in which the user holds an active role, by name. */
export async function listAdministered(db: Database, userId: string): Promise<AdministeredCommunity[]> {
  return await administered(db, userId).orderBy('communities.name').orderBy('communities.id').execute();
}

/** The community, if the user holds an active role in it. Somebody else's is no different from none. */
export async function findAdministered(
  db: Database,
  { communityId, userId }: CommunityActor,
): Promise<AdministeredCommunity | undefined> {
  return await administered(db, userId).where('communities.id', '=', communityId).executeTakeFirst();
}

/**
 * Runs the work in a transaction, if the user holds an active role in the community in that transaction too: a role that
 * was taken away a moment ago changes nothing any more. `undefined` when there is no such role.
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
