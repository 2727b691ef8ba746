import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { hashSecret } from '../../platform/secrets.js';
import { type JoinRefusal, judgeJoinRequest } from './join-decision.js';
import {
  bindMessengerAccount,
  findAccountHolder,
  findInvite,
  recordJoinRequest,
} from './messenger-accounts.js';
import type { JoinAnswer, JoinRequestHandler } from './messenger-bot.js';

/** Told to the person who asked, in the messenger. */
const REFUSAL_TEXTS: Readonly<Record<JoinRefusal, string>> = {
  expired: 'This invite link has expired. Ask for a new one where you bought your membership.',
  'not-a-member': 'The membership that this link was made for is over.',
  'other-account':
    'This link is for another messenger account. Open it with the one that belongs to the buyer.',
  'account-taken': 'This messenger account belongs to somebody else’s membership.',
  'no-account':
    'The buyer has no messenger account yet, and this link cannot give them one. Ask for a new link where you bought your membership.',
};

const UNKNOWN_LINK = 'This invite link is not known here.';

/**
 * Makes the handler of the bot's join requests. Request, outcome and, for a buyer without one, their messenger
 * account in this community are kept in one transaction; of two accounts that use a link at once, one becomes the buyer's.
 */
export function answerJoinRequests({ db, clock }: { db: Database; clock: Clock }): JoinRequestHandler {
  return async ({ link, messengerUserId }) => {
    const now = clock.now();
    return await inTransaction(db, async (transaction): Promise<JoinAnswer> => {
      const invite = await findInvite(transaction, hashSecret(link), now);
      if (invite === undefined) return { accepted: false, reason: UNKNOWN_LINK };
      const { communityId, buyerId } = invite;
      const holderId = await findAccountHolder(transaction, { communityId, messengerUserId });
      const verdict = judgeJoinRequest({
        messengerUserId,
        buyerAccount: invite.buyerAccount,
        isOthersAccount: holderId !== undefined && holderId !== buyerId,
        isMember: invite.isMember,
        hasExpired: invite.expiresAt <= now,
        bindsAccount: invite.bindsAccount,
      });
      const bound = verdict.accepted && verdict.binds;
      if (bound)
        await bindMessengerAccount(transaction, { communityId, userId: buyerId, messengerUserId }, now);
      const requestId = randomUUID();
      const reason = verdict.accepted ? null : REFUSAL_TEXTS[verdict.reason];
      await recordJoinRequest(
        transaction,
        { id: requestId, inviteId: invite.id, messengerUserId, reason },
        now,
      );
      return reason === null ? { accepted: true, requestId } : { accepted: false, reason, requestId };
    });
  };
}
