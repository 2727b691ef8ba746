import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';

/** What a user may administer a community as. */
export type CommunityRole = 'OWNER' | 'ADMIN';

/** Somebody's role in a community. */
export interface RoleAssignment {
  communityId: string;
  userId: string;
  role: CommunityRole;
  /** A role that is not active gives nothing. */
  isActive: boolean;
}

const communityById = prepareQuery((db, given: { id: string }) =>
  db.selectFrom('communities').select(['id', 'name']).where('id', '=', given.id),
);

const communityWithRole = prepareQuery((db, given: { userId: string; communityId: string }) =>
  db
    .selectFrom('communities')
    .leftJoin('community_roles', (join) =>
      join
        .onRef('community_roles.community_id', '=', 'communities.id')
        .on('community_roles.user_id', '=', given.userId)
        .on('community_roles.is_active', '=', 1),
    )
    .select(['communities.id', 'communities.name', 'community_roles.role'])
    .where('communities.id', '=', given.communityId),
);

export async function findCommunity(
  db: Database,
  id: string,
): Promise<{ id: string; name: string } | undefined> {
  return await communityById.first(db, { id });
}

/** A community and what a user may do there now: their active role, null for none. */
export async function findCommunityFor(
  db: Database,
  userId: string,
  communityId: string,
): Promise<{ id: string; name: string; role: CommunityRole | null } | undefined> {
  return await communityWithRole.first(db, { userId, communityId });
}

/** Gives a user a role, or changes the one they have. */
export async function assignRole(
  db: Database,
  { communityId, userId, role, isActive }: RoleAssignment,
): Promise<void> {
  const changed = { role, is_active: isActive ? 1 : 0 } as const;
  await db
    .insertInto('community_roles')
    .values({ community_id: communityId, user_id: userId, ...changed })
    .onConflict((conflict) => conflict.columns(['community_id', 'user_id']).doUpdateSet(changed))
    .execute();
}

/** Names the messenger bot that mints invite links; null takes it away. */
export async function storeBotName(
  db: Database,
  communityId: string,
  name: string | null,
  now: number,
): Promise<void> {
  if (name === null) {
    await db.deleteFrom('messenger_bots').where('community_id', '=', communityId).execute();
    return;
  }
  await db
    .insertInto('messenger_bots')
    .values({ community_id: communityId, name, created_at: now })
    .onConflict((conflict) => conflict.column('community_id').doUpdateSet({ name }))
    .execute();
}

/** The name of the community's messenger bot. */
export async function findBotName(db: Database, communityId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('messenger_bots')
    .select('name')
    .where('community_id', '=', communityId)
    .executeTakeFirst();
  return row?.name;
}

/** The communities that have a messenger bot, oldest first. */
export async function listCommunitiesWithBot(
  db: Database,
  limit: number,
): Promise<{ id: string; name: string; botName: string }[]> {
  return await db
    .selectFrom('communities')
    .innerJoin('messenger_bots', 'messenger_bots.community_id', 'communities.id')
    .select(['communities.id', 'communities.name', 'messenger_bots.name as botName'])
    .orderBy('communities.created_at')
    .orderBy('communities.id')
    .limit(limit)
    .execute();
}
