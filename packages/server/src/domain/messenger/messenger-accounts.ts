import type { Database } from '../../platform/database/open-database.js';
import { localAccountHolder } from '../memberships/account-holder.js';

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
const selectJoinRequests = (db: Database) =>
  db
    .selectFrom('messenger_join_requests as request')
    .innerJoin('messenger_invites as invite', 'invite.id', 'request.invite_id')
    .select(['request.id', 'request.invite_id', 'request.messenger_user_id'])
    .select(['request.reason', 'request.created_at']);
const selectCheckouts = (db: Database, externalId: string) =>
  db
    .selectFrom('checkout_reservations')
    .select(['community_id', 'user_id', 'caller_id', 'paid_at'])
    .where('external_id', '=', externalId)
    .where('community_id', 'is not', null);

/** True if the user has an active membership of the community. */
export async function isActiveMember(
  db: Database,
  { communityId, userId }: { communityId: string; userId: string },
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .select('id')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .where('valid_from', '<=', now)
    .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', now)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** The caller's own checkout before others', a paid one before an open one, the newest payment before older ones. */
export async function findInvitableCheckout(
  db: Database,
  { externalId, callerId }: { externalId: string; callerId: string },
): Promise<InvitableCheckout | undefined> {
  const newestPaid = (query: ReturnType<typeof selectCheckouts>) =>
    query
      .where('paid_at', 'is not', null)
      .orderBy('paid_at', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  const open = (query: ReturnType<typeof selectCheckouts>) =>
    query.where('paid_at', 'is', null).limit(1).executeTakeFirst();
  const own = () => selectCheckouts(db, externalId).where('caller_id', '=', callerId);
  const row =
    (await newestPaid(own())) ??
    (await open(own())) ??
    (await newestPaid(selectCheckouts(db, externalId))) ??
    (await open(selectCheckouts(db, externalId)));
  if (row === undefined || row.community_id === null) return undefined;
  return {
    communityId: row.community_id,
    buyerId: row.user_id,
    callerId: row.caller_id,
    isPaid: row.paid_at !== null,
  };
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

export async function findInvite(
  db: Database,
  linkHash: string,
  now: number,
): Promise<MessengerInvite | undefined> {
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
    isMember: await isActiveMember(db, { communityId: row.community_id, userId: row.buyer_id }, now),
    bindsAccount: row.binds_account === 1,
    expiresAt: row.expires_at,
  };
}

/** The user whom a messenger account belongs to in a community: everywhere, or else there. */
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

/** Gives a user who has no messenger account one in a community. */
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

/** Keeps a join request; `reason` is null when it was accepted. */
export async function recordJoinRequest(
  db: Database,
  {
    id,
    inviteId,
    messengerUserId,
    reason,
  }: { id: string; inviteId: string; messengerUserId: number; reason: string | null },
  now: number,
): Promise<void> {
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
}

export async function findJoinRequest(db: Database, id: string): Promise<RecordedJoinRequest | undefined> {
  const row = await selectJoinRequests(db).where('request.id', '=', id).executeTakeFirst();
  return row && asJoinRequest(row);
}

/** The newest join requests for a community's chat, newest first. */
export async function listJoinRequests(
  db: Database,
  communityId: string,
  limit: number,
): Promise<RecordedJoinRequest[]> {
  const rows = await selectJoinRequests(db)
    .where('invite.community_id', '=', communityId)
    .orderBy('request.created_at', 'desc')
    .orderBy('request.id')
    .limit(limit)
    .execute();
  return rows.map(asJoinRequest);
}

/** The accounts that were let into a community's chat, the latest first. */
export async function listJoinedAccounts(
  db: Database,
  communityId: string,
  limit: number,
): Promise<JoinedAccount[]> {
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
}
