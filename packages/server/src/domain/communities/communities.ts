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

/** Queries about communities: who administers them, and the bot that lets members in. */
export interface CommunityStore {
  find(id: string): Promise<{ id: string; name: string } | undefined>;
  /** A community and what a user may do there now: their active role, null for none. */
  findFor(
    userId: string,
    communityId: string,
  ): Promise<{ id: string; name: string; role: CommunityRole | null } | undefined>;
  /** Gives a user a role, or changes the one they have. */
  assignRole(assignment: RoleAssignment): Promise<void>;
  /** Names the messenger bot that mints invite links; null takes it away. */
  setBot(communityId: string, name: string | null, now: number): Promise<void>;
  /** The name of the community's messenger bot. */
  findBot(communityId: string): Promise<string | undefined>;
  /** The communities that have a messenger bot, oldest first. */
  listWithBot(limit: number): Promise<{ id: string; name: string; botName: string }[]>;
}

const findCommunity = prepareQuery((db, given: { id: string }) =>
  db.selectFrom('communities').select(['id', 'name']).where('id', '=', given.id),
);

const findCommunityFor = prepareQuery((db, given: { userId: string; communityId: string }) =>
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

export function createCommunityStore(db: Database): CommunityStore {
  return {
    async find(id) {
      return await findCommunity.first(db, { id });
    },
    async findFor(userId, communityId) {
      return await findCommunityFor.first(db, { userId, communityId });
    },
    async assignRole({ communityId, userId, role, isActive }) {
      const changed = { role, is_active: isActive ? 1 : 0 } as const;
      await db
        .insertInto('community_roles')
        .values({ community_id: communityId, user_id: userId, ...changed })
        .onConflict((conflict) => conflict.columns(['community_id', 'user_id']).doUpdateSet(changed))
        .execute();
    },
    async setBot(communityId, name, now) {
      if (name === null) {
        await db.deleteFrom('messenger_bots').where('community_id', '=', communityId).execute();
        return;
      }
      await db
        .insertInto('messenger_bots')
        .values({ community_id: communityId, name, created_at: now })
        .onConflict((conflict) => conflict.column('community_id').doUpdateSet({ name }))
        .execute();
    },
    async findBot(communityId) {
      const row = await db
        .selectFrom('messenger_bots')
        .select('name')
        .where('community_id', '=', communityId)
        .executeTakeFirst();
      return row?.name;
    },
    async listWithBot(limit) {
      return await db
        .selectFrom('communities')
        .innerJoin('messenger_bots', 'messenger_bots.community_id', 'communities.id')
        .select(['communities.id', 'communities.name', 'messenger_bots.name as botName'])
        .orderBy('communities.created_at')
        .orderBy('communities.id')
        .limit(limit)
        .execute();
    },
  };
}
