import { prepareQuery } from '../../platform/database/prepared-query.js';

/**
 * The user whose a messenger account is in one community, because they had none of their own and joined there first with
 * it. It is nobody's there once it, or the user, is somebody's everywhere: what is known of both has been proved by more
 * than the invite link of one community's owner.
 */
export const localAccountHolder = prepareQuery(
  (db, given: { communityId: string; messengerUserId: number }) =>
    db
      .selectFrom('messenger_accounts')
      .innerJoin('users', 'users.id', 'messenger_accounts.user_id')
      .selectAll('users')
      .where('messenger_accounts.community_id', '=', given.communityId)
      .where('messenger_accounts.messenger_user_id', '=', given.messengerUserId)
      .where('users.messenger_user_id', 'is', null),
);
