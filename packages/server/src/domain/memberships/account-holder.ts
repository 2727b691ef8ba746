import { prepareQuery } from '../../platform/database/prepared-query.js';

/**
 * Finds the user who joined one community with a messenger account, without having an account of their own. The
 * account belongs to that user in this community only. The link between them ends once the user or the account is
 * linked service-wide, because that link has better proof than an invite link of one community's owner.
 */
export const localAccountHolder = prepareQuery(
  (db, values: { communityId: string; messengerUserId: number }) =>
    db
      .selectFrom('messenger_accounts')
      .innerJoin('users', 'users.id', 'messenger_accounts.user_id')
      .selectAll('users')
      .where('messenger_accounts.community_id', '=', values.communityId)
      .where('messenger_accounts.messenger_user_id', '=', values.messengerUserId)
      .where('users.messenger_user_id', 'is', null),
);
