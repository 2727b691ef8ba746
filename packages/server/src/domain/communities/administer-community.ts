import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { insertCommunity } from '../catalogue/catalogue.js';
import { storeBotName } from './communities.js';
import { asAdministrator, type CommunityActor } from './community-access.js';

/** Creates a community with the user as its OWNER, and gives its id. */
export async function createCommunity(
  db: Database,
  community: { name: string; ownerId: string },
  now: number,
): Promise<string> {
  const id = randomUUID();
  await insertCommunity(db, { id, ...community }, now);
  return id;
}

/** Gives a community another name. False when the actor has no role there. */
export async function renameCommunity(db: Database, actor: CommunityActor, name: string): Promise<boolean> {
  const renamed = await asAdministrator(db, actor, async (transaction) => {
    await transaction.updateTable('communities').set({ name }).where('id', '=', actor.communityId).execute();
    return true;
  });
  return renamed ?? false;
}

/** Names the messenger bot that mints a community's invite links; `null` takes it away. False as above. */
export async function setBot(
  db: Database,
  actor: CommunityActor,
  bot: { name: string | null; now: number },
): Promise<boolean> {
  const set = await asAdministrator(db, actor, async (transaction) => {
    await storeBotName(transaction, actor.communityId, bot.name, bot.now);
    return true;
  });
  return set ?? false;
}
