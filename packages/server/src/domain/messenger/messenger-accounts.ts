import type { Database } from '../../platform/database/open-database.js';
import { localAccountHolder } from '../memberships/account-holder.js';

/** Returns the id of the user with a messenger account, service-wide or in the community. */
export async function findAccountHolder(
  db: Database,
  { communityId, messengerUserId }: { communityId: string; messengerUserId: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('messenger_user_id', '=', messengerUserId)
    .executeTakeFirst();
  return row?.id ?? (await localAccountHolder.first(db, { communityId, messengerUserId }))?.id;
}

/** Links a messenger account to a user in one community. The user must have no account yet. */
export async function bindMessengerAccount(
  db: Database,
  { communityId, userId, messengerUserId }: { communityId: string; userId: string; messengerUserId: number },
  now: number,
): Promise<void> {
  await db
    .insertInto('messenger_accounts')
    .values({
      community_id: communityId,
      user_id: userId,
      messenger_user_id: messengerUserId,
      joined_at: now,
    })
    .execute();
}
