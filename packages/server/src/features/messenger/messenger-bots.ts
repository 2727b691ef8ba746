import type { Database } from '../../platform/database/open-database.js';
import { type AuditEntry, audited } from '../audit/audit.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';

/** Sets the name of the bot that creates a community's invite links; null removes the bot. */
export async function storeBotName(db: Database, communityId: string, name: string | null, now: number) {
  const details = { fields: ['messengerBot'] };
  const entry: AuditEntry = { action: 'community.change', subjectId: communityId, communityId, details };
  await audited(
    db,
    entry,
    (transaction): Promise<unknown> =>
      name === null
        ? transaction.deleteFrom('messenger_bots').where('community_id', '=', communityId).execute()
        : transaction
            .insertInto('messenger_bots')
            .values({ community_id: communityId, name, created_at: now })
            .onConflict((conflict) => conflict.column('community_id').doUpdateSet({ name }))
            .execute(),
  );
}

/** Sets or removes a community's bot, as {@link storeBotName}. */
export function setBot(db: Database, actor: CommunityActor, bot: { name: string | null; now: number }) {
  return asAdministrator(db, actor, (transaction) =>
    storeBotName(transaction, actor.communityId, bot.name, bot.now),
  );
}

export async function findBotName(db: Database, communityId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('messenger_bots')
    .select('name')
    .where('community_id', '=', communityId)
    .executeTakeFirst();
  return row?.name;
}

export async function listCommunitiesWithBot(db: Database, limit: number) {
  return await db
    .selectFrom('communities')
    .innerJoin('messenger_bots', 'messenger_bots.community_id', 'communities.id')
    .select(['communities.id', 'communities.name', 'messenger_bots.name as botName'])
    .orderBy('communities.created_at')
    .orderBy('communities.id')
    .limit(limit)
    .execute();
}
