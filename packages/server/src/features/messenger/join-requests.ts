import { randomUUID } from 'node:crypto';
import type { Row } from '../../migrations/schema.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { type CamelCased, camelCased } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { hashSecret } from '../../platform/secrets.js';
import { recordAudit } from '../audit/audit.js';
import { findAdministered } from '../communities/community-access.js';
import { isActiveMember } from '../memberships/active-memberships.js';
import { findByAccountIn, linkAccount } from '../users/identified-user.js';
import { samePerson, shownPerson } from '../users/shown-person.js';
import { decideJoinRequest, type JoinRejectionReason } from './join-decision.js';
import type { JoinRequestHandler, JoinResult } from './messenger-bot.js';

export async function findInvite(db: Database, linkHash: string, now: number) {
  const row = await db
    .selectFrom('messenger_invites as invite')
    .innerJoin('users as buyer', 'buyer.id', 'invite.user_id')
    .innerJoin('communities', 'communities.id', 'invite.community_id')
    .leftJoin('messenger_accounts as account', samePerson('account', 'invite'))
    .select(['invite.id', 'invite.community_id as communityId', 'invite.expires_at as expiresAt'])
    .select(['invite.caller_id', 'buyer.id as buyerId', 'communities.name as communityName'])
    .leftJoin('community_emails as link', samePerson('link', 'invite'))
    .select(['buyer.email', 'buyer.name', 'buyer.messenger_user_id', 'link.shown_id'])
    .select(['link.email as named_email', 'account.messenger_user_id as account_here'])
    .where('invite.link_hash', '=', linkHash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { id, communityId, communityName, buyerId: userId, expiresAt, caller_id } = row;
  return {
    ...{ id, communityId, communityName, buyerId: userId, expiresAt },
    buyerAccount: shownPerson({ ...row, id: userId }).messengerUserId,
    isMember: await isActiveMember(db, { communityId, userId }, now),
    /** True if the first account that joins is linked to a buyer who has none. */
    bindsAccount:
      caller_id !== null && (await findAdministered(db, { communityId, userId: caller_id })) !== undefined,
  };
}

export type MessengerInvite = NonNullable<Awaited<ReturnType<typeof findInvite>>>;

export type RecordedJoinRequest = CamelCased<Omit<Row<'messenger_join_requests'>, 'accepted'>>;

const selectJoinRequests = (db: Database) =>
  db
    .selectFrom('messenger_join_requests as request')
    .innerJoin('messenger_invites as invite', 'invite.id', 'request.invite_id')
    .select(['request.id', 'request.invite_id', 'request.messenger_user_id'])
    .select(['request.reason', 'request.created_at']);

async function recordJoinRequest(
  db: Database,
  { id, inviteId, messengerUserId, reason }: Omit<RecordedJoinRequest, 'createdAt'>,
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
  return row && camelCased(row);
}

export async function listJoinRequests(db: Database, communityId: string, limit: number) {
  const rows = await selectJoinRequests(db)
    .where('invite.community_id', '=', communityId)
    .orderBy('request.created_at', 'desc')
    .orderBy('request.id')
    .limit(limit)
    .execute();
  return rows.map(camelCased);
}

export async function listJoinedAccounts(db: Database, communityId: string, limit: number) {
  return await db
    .selectFrom('messenger_join_requests as request')
    .innerJoin('messenger_invites as invite', 'invite.id', 'request.invite_id')
    // An invite link works only for its buyer's account.
    .leftJoin('users', 'users.id', 'invite.user_id')
    .leftJoin('community_emails as link', (join) =>
      join.onRef('link.community_id', '=', 'invite.community_id').onRef('link.user_id', '=', 'users.id'),
    )
    .select(['request.messenger_user_id as messengerUserId', 'users.id as userId', 'users.name'])
    .select((eb) => eb.fn.coalesce('link.email', 'users.email').as('email'))
    .select((eb) => eb.fn.max('request.created_at').as('joinedAt'))
    .where('invite.community_id', '=', communityId)
    .where('request.accepted', '=', 1)
    .groupBy(['request.messenger_user_id', 'users.id', 'users.name', 'users.email', 'link.email'])
    .orderBy('joinedAt', 'desc')
    .orderBy('request.messenger_user_id')
    .limit(limit)
    .execute();
}

const REJECTION_TEXTS: Readonly<Record<JoinRejectionReason, string>> = {
  expired: 'This invite link has expired. Ask for a new one where you bought your membership.',
  'not-a-member': 'The membership that this link was made for is over.',
  'other-account':
    'This link is for another messenger account. Open it with the one that belongs to the buyer.',
  'account-taken': 'This messenger account belongs to another person’s membership.',
  'no-account':
    'The buyer has no messenger account yet, and this link can’t add one. Ask for a new link where you bought your membership.',
};

const UNKNOWN_LINK = 'This invite link is unknown.';

/** If two accounts use a link at once, only one becomes the buyer's. */
export function createJoinRequestHandler({ db, clock }: { db: Database; clock: Clock }): JoinRequestHandler {
  return async ({ link, messengerUserId }) => {
    const now = clock.now();
    return await inTransaction(db, async (transaction): Promise<JoinResult> => {
      const invite = await findInvite(transaction, hashSecret(link), now);
      if (invite === undefined) return { kind: 'rejected', reason: UNKNOWN_LINK };
      const { communityId, buyerId } = invite;
      const holder = await findByAccountIn(transaction, { communityId, messengerUserId });
      const decision = decideJoinRequest({
        messengerUserId,
        buyerAccount: invite.buyerAccount,
        isOthersAccount: holder !== undefined && holder.id !== buyerId,
        isMember: invite.isMember,
        hasExpired: invite.expiresAt <= now,
        bindsAccount: invite.bindsAccount,
      });
      if (decision.kind === 'accepted' && decision.bindsAccount) {
        await linkAccount(transaction, { communityId, userId: buyerId, messengerUserId }, now);
      }
      if (decision.kind === 'accepted') {
        const { id: subjectId } = invite;
        await recordAudit(transaction, { action: 'invite.join', subjectId, communityId });
      }
      const requestId = randomUUID();
      const reason = decision.kind === 'accepted' ? null : REJECTION_TEXTS[decision.reason];
      await recordJoinRequest(
        transaction,
        { id: requestId, inviteId: invite.id, messengerUserId, reason },
        now,
      );
      return reason === null ? { kind: 'accepted', requestId } : { kind: 'rejected', reason, requestId };
    });
  };
}
