import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { hashSecret } from '../../platform/secrets.js';
import { findByAccountIn } from '../users/identified-user.js';
import { linkAccount } from '../users/link-identifiers.js';
import { findInvite } from './invites.js';
import { decideJoinRequest, type JoinRejectionReason } from './join-decision.js';
import { recordJoinRequest } from './join-requests.js';
import type { JoinRequestHandler, JoinResult } from './messenger-bot.js';

/** Messages to the person who requested to join, in the messenger. */
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

/**
 * Creates the handler of the bot's join requests. One transaction stores the request, its result and, for a buyer without
 * a messenger account, the account. If two accounts use a link at once, only one becomes the buyer's.
 */
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
