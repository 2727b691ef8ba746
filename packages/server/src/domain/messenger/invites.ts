import type { Database } from '../../platform/database/open-database.js';
import { isActiveMember } from '../memberships/active-memberships.js';

/** Invite link with the state of its buyer. The link itself is not stored. */
export interface MessengerInvite {
  id: string;
  communityId: string;
  communityName: string;
  buyerId: string;
  /** Messenger account of the buyer, service-wide or in this community; null if there is none. */
  buyerAccount: number | null;
  /** True if the buyer has an active membership of the community. */
  isMember: boolean;
  /** True if the first account that joins becomes the account of a buyer without one. */
  bindsAccount: boolean;
  expiresAt: number;
}

interface NewInvite {
  id: string;
  linkHash: string;
  communityId: string;
  buyerId: string;
  bindsAccount: boolean;
  expiresAt: number;
}

export async function insertInvite(
  db: Database,
  { id, linkHash, communityId, buyerId, bindsAccount, expiresAt }: NewInvite,
  now: number,
): Promise<void> {
  await db
    .insertInto('messenger_invites')
    .values({
      id,
      link_hash: linkHash,
      community_id: communityId,
      user_id: buyerId,
      binds_account: bindsAccount ? 1 : 0,
      expires_at: expiresAt,
      created_at: now,
    })
    .execute();
}

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
    .select(['invite.id', 'invite.community_id', 'invite.binds_account', 'invite.expires_at'])
    .select(['buyer.id as buyer_id', 'communities.name as community_name'])
    .select(['buyer.messenger_user_id', 'account.messenger_user_id as local_account'])
    .where('invite.link_hash', '=', linkHash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    communityId: row.community_id,
    communityName: row.community_name,
    buyerId: row.buyer_id,
    buyerAccount: row.messenger_user_id ?? row.local_account,
    isMember: await isActiveMember(db, { communityId: row.community_id, userId: row.buyer_id }, now),
    bindsAccount: row.binds_account === 1,
    expiresAt: row.expires_at,
  };
}
