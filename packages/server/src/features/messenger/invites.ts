import type { Database } from '../../platform/database/open-database.js';
import { isActiveMember } from '../memberships/active-memberships.js';
import { shownPerson } from '../users/shown-person.js';

export async function findInvite(db: Database, linkHash: string, now: number) {
  const row = await db
    .selectFrom('messenger_invites as invite')
    .innerJoin('users as buyer', 'buyer.id', 'invite.user_id')
    .innerJoin('communities', 'communities.id', 'invite.community_id')
    .leftJoin('messenger_accounts as account', (join) =>
      join
        .onRef('account.community_id', '=', 'invite.community_id')
        .onRef('account.user_id', '=', 'invite.user_id'),
    )
    .select(['invite.id', 'invite.community_id as communityId', 'invite.expires_at as expiresAt'])
    .select(['invite.binds_account', 'buyer.id as buyerId', 'communities.name as communityName'])
    .leftJoin('community_emails as link', (join) =>
      join
        .onRef('link.community_id', '=', 'invite.community_id')
        .onRef('link.user_id', '=', 'invite.user_id'),
    )
    .select(['buyer.email', 'buyer.name', 'buyer.messenger_user_id', 'link.shown_id'])
    .select(['link.email as named_email', 'account.messenger_user_id as account_here'])
    .where('invite.link_hash', '=', linkHash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { id, communityId, communityName, buyerId: userId, expiresAt, binds_account } = row;
  return {
    ...{ id, communityId, communityName, buyerId: userId, expiresAt },
    /** Messenger account of the buyer as the community sees it; null if there is none. */
    buyerAccount: shownPerson({ ...row, id: userId }).messengerUserId,
    isMember: await isActiveMember(db, { communityId, userId }, now),
    /** True if the first account that joins is linked to a buyer who has none. */
    bindsAccount: binds_account === 1,
  };
}

/** An invite link with the state of its buyer. The link itself isn't stored. */
export type MessengerInvite = NonNullable<Awaited<ReturnType<typeof findInvite>>>;
