import type { Database } from '../../platform/database/open-database.js';
import { findAccountHolder } from '../memberships/account-holder.js';

/** A checkout as the invite link needs it. */
export interface InvitableCheckout {
  communityId: string;
  buyerId: string;
  /** Owner of the API key that opened it. */
  callerId: string | null;
  isPaid: boolean;
}

/** An invite link and its buyer, as they are at one instant. The link itself is nowhere in the database. */
export interface MessengerInvite {
  id: string;
  communityId: string;
  communityName: string;
  buyerId: string;
  /** The buyer's messenger account, theirs everywhere or in this community; null while they have none. */
  buyerAccount: number | null;
  /** Whether the buyer is an active member of the community. */
  isMember: boolean;
  /** Whether a buyer without messenger account gets the first one that joins with it. */
  bindsAccount: boolean;
  expiresAt: number;
}

/** A messenger account that asked to join, with the outcome. */
export interface RecordedJoinRequest {
  id: string;
  inviteId: string;
  messengerUserId: number;
  /** Why it was refused; null when it was accepted. */
  reason: string | null;
  createdAt: number;
}

interface NewInvite {
  id: string;
  linkHash: string;
  communityId: string;
  buyerId: string;
  bindsAccount: boolean;
  expiresAt: number;
}

/** Queries about invite links and who joined with them. */
export interface MessengerStore {
  /** The caller's own checkout before others', a paid one before an open one, the newest payment before older ones. */
  findCheckout(asked: { externalId: string; callerId: string }): Promise<InvitableCheckout | undefined>;
  isMember(member: { communityId: string; userId: string }, now: number): Promise<boolean>;
  insertInvite(invite: NewInvite, now: number): Promise<void>;
  findInvite(linkHash: string, now: number): Promise<MessengerInvite | undefined>;
  /** The user whom a messenger account belongs to in a community: everywhere, or else there. */
  holderOf(account: { communityId: string; messengerUserId: number }): Promise<string | undefined>;
  /** Gives a user who has no messenger account one in a community. */
  bindAccount(
    bound: { communityId: string; userId: string; messengerUserId: number },
    now: number,
  ): Promise<void>;
  /** Keeps a join request; `reason` is null when it was accepted. */
  recordJoinRequest(
    request: { id: string; inviteId: string; messengerUserId: number; reason: string | null },
    now: number,
  ): Promise<void>;
  findJoinRequest(id: string): Promise<RecordedJoinRequest | undefined>;
  /** The newest join requests for a community's chat, newest first. */
  listJoinRequests(communityId: string, limit: number): Promise<RecordedJoinRequest[]>;
  /** The accounts that were let into a community's chat, the latest first. */
  listJoined(communityId: string, limit: number): Promise<JoinedAccount[]>;
}

/** A messenger account in a community's chat. */
export interface JoinedAccount {
  messengerUserId: number;
  /** The user whom it belongs to; null when they are gone. */
  userId: string | null;
  name: string | null;
  email: string | null;
  /** When it was let in the last time. */
  joinedAt: number;
}

export function createMessengerStore(db: Database): MessengerStore {
  const joinRequests = () =>
    db
      .selectFrom('messenger_join_requests as request')
      .innerJoin('messenger_invites as invite', 'invite.id', 'request.invite_id')
      .select(['request.id', 'request.invite_id', 'request.messenger_user_id'])
      .select(['request.reason', 'request.created_at']);
  const checkouts = (externalId: string) =>
    db
      .selectFrom('checkout_reservations')
      .select(['community_id', 'user_id', 'caller_id', 'paid_at'])
      .where('external_id', '=', externalId)
      .where('community_id', 'is not', null);
  const isMember: MessengerStore['isMember'] = async ({ communityId, userId }, now) => {
    const row = await db
      .selectFrom('memberships')
      .select('id')
      .where('community_id', '=', communityId)
      .where('user_id', '=', userId)
      .where('valid_from', '<=', now)
      .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', now)]))
      .executeTakeFirst();
    return row !== undefined;
  };
  return {
    async findCheckout({ externalId, callerId }) {
      const newestPaid = (query: ReturnType<typeof checkouts>) =>
        query
          .where('paid_at', 'is not', null)
          .orderBy('paid_at', 'desc')
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .limit(1)
          .executeTakeFirst();
      const open = (query: ReturnType<typeof checkouts>) =>
        query.where('paid_at', 'is', null).limit(1).executeTakeFirst();
      const own = () => checkouts(externalId).where('caller_id', '=', callerId);
      const row =
        (await newestPaid(own())) ??
        (await open(own())) ??
        (await newestPaid(checkouts(externalId))) ??
        (await open(checkouts(externalId)));
      if (row === undefined || row.community_id === null) return undefined;
      return {
        communityId: row.community_id,
        buyerId: row.user_id,
        callerId: row.caller_id,
        isPaid: row.paid_at !== null,
      };
    },
    isMember,
    async insertInvite({ id, linkHash, communityId, buyerId, bindsAccount, expiresAt }, now) {
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
    },
    async findInvite(linkHash, now) {
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
        .select(['buyer.messenger_user_id', 'account.messenger_user_id as account_here'])
        .where('invite.link_hash', '=', linkHash)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return {
        id: row.id,
        communityId: row.community_id,
        communityName: row.community_name,
        buyerId: row.buyer_id,
        buyerAccount: row.messenger_user_id ?? row.account_here,
        isMember: await isMember({ communityId: row.community_id, userId: row.buyer_id }, now),
        bindsAccount: row.binds_account === 1,
        expiresAt: row.expires_at,
      };
    },
    async holderOf({ communityId, messengerUserId }) {
      const row = await db
        .selectFrom('users')
        .select('id')
        .where('messenger_user_id', '=', messengerUserId)
        .executeTakeFirst();
      return row?.id ?? (await findAccountHolder.first(db, { communityId, messengerUserId }))?.id;
    },
    async bindAccount({ communityId, userId, messengerUserId }, now) {
      await db
        .insertInto('messenger_accounts')
        .values({
          community_id: communityId,
          user_id: userId,
          messenger_user_id: messengerUserId,
          joined_at: now,
        })
        .execute();
    },
    async recordJoinRequest({ id, inviteId, messengerUserId, reason }, now) {
      await db
        .insertInto('messenger_join_requests')
        .values({
          id,
          invite_id: inviteId,
          messenger_user_id: messengerUserId,
          accepted: reason === null ? 1 : 0,
          reason,
          created_at: now,
        })
        .execute();
    },
    async findJoinRequest(id) {
      const row = await joinRequests().where('request.id', '=', id).executeTakeFirst();
      return row && asJoinRequest(row);
    },
    async listJoinRequests(communityId, limit) {
      const rows = await joinRequests()
        .where('invite.community_id', '=', communityId)
        .orderBy('request.created_at', 'desc')
        .orderBy('request.id')
        .limit(limit)
        .execute();
      return rows.map(asJoinRequest);
    },
    async listJoined(communityId, limit) {
      const rows = await db
        .selectFrom('messenger_join_requests as request')
        .innerJoin('messenger_invites as invite', 'invite.id', 'request.invite_id')
        // Only the buyer's own account is let in with their link.
        .leftJoin('users', 'users.id', 'invite.user_id')
        .select(['request.messenger_user_id', 'users.id as user_id', 'users.name', 'users.email'])
        .select((eb) => eb.fn.max('request.created_at').as('joined_at'))
        .where('invite.community_id', '=', communityId)
        .where('request.accepted', '=', 1)
        .groupBy(['request.messenger_user_id', 'users.id', 'users.name', 'users.email'])
        .orderBy('joined_at', 'desc')
        .orderBy('request.messenger_user_id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        messengerUserId: row.messenger_user_id,
        userId: row.user_id,
        name: row.name,
        email: row.email,
        joinedAt: row.joined_at,
      }));
    },
  };
}

function asJoinRequest(row: {
  id: string;
  invite_id: string;
  messenger_user_id: number;
  reason: string | null;
  created_at: number;
}): RecordedJoinRequest {
  return {
    id: row.id,
    inviteId: row.invite_id,
    messengerUserId: row.messenger_user_id,
    reason: row.reason,
    createdAt: row.created_at,
  };
}
