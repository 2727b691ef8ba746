import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { type Budget, useBudgets } from '../budgets/budgets.js';
import { mailboxOf } from '../budgets/mailbox-of.js';
import type { CommunityActor } from '../communities/community-access.js';
import { queueMail } from '../mail/mail-outbox.js';
import {
  expiryOf,
  INVITATIONS_MAX_PER_ADDRESS,
  INVITATIONS_MAX_PER_COMMUNITY,
  INVITATIONS_MAX_PER_SENDER,
  type InvitationOffer,
  isOffered,
  isOpen,
} from './invitation.js';
import { hasOptedOut } from './invitation-opt-out.js';

/** Invitation to announce by mail. */
interface InvitationToMail {
  id: string;
  email: string;
  communityId: string;
  /** User who invites. */
  senderId: string;
}

/**
 * Limits of invitations by mail. Without them, a stranger with a community could use the service to flood a mailbox. The
 * sender's own budgets come first, so that they are used up before those that the sender shares with others.
 */
function budgetsOf({ email, communityId, senderId }: InvitationToMail): Budget[] {
  const mailbox = mailboxOf(email);
  const budget = (counted: string[], limit: number, periodMs: number): Budget => ({
    counted: ['invitation mails', ...counted],
    limit,
    periodMs,
  });
  return [
    // Withdrawing and inviting again corrects an invitation. It must not repeat the mail at will.
    budget(['community and mailbox', communityId, mailbox], 2, 30 * DAY_MS),
    budget(['sender and mailbox', senderId, mailbox], 2, DAY_MS),
    budget(['sender', senderId], 50, DAY_MS),
    budget(['mailbox', mailbox], 3, DAY_MS),
    budget(['service'], 1000, HOUR_MS),
  ];
}

/**
 * Queues the mail of a new invitation in the transaction that stores it. It queues none if the mailbox has opted out or a
 * limit is reached. The sender is not told, because the reasons concern other senders and the recipient.
 */
async function queueInvitationMail(
  transaction: Database,
  invitation: InvitationToMail,
  now: number,
): Promise<void> {
  if (await hasOptedOut(transaction, invitation.email)) return;
  const use = await useBudgets(transaction, budgetsOf(invitation), now);
  if (use.kind === 'exhausted') return;
  const mail = { kind: 'invitation', subjectId: invitation.id, to: invitation.email, facts: {} } as const;
  await queueMail(transaction, mail, now);
}

/** Result of {@link sendInvitation}. Only `invited` writes anything. None of them depends on accounts. */
export type SendInvitationResult =
  | { kind: 'invited' }
  /** The community has already invited the address. */
  | { kind: 'already-invited' }
  /** The address declined an invitation of the community. It can be invited again from `until` on. */
  | { kind: 'declined'; until: number }
  | { kind: 'too-many'; of: 'sender' | 'address' | 'community'; max: number };

/**
 * Stores an invitation and queues its mail in the caller's serializable transaction, which also checked the sender's role. It
 * reads no user and no other seller's data except counts, so the result is the same if the address has an account or not.
 */
export async function sendInvitation(
  transaction: Database,
  { communityId, userId }: CommunityActor,
  { email, offer, now }: { email: string; offer: InvitationOffer; now: number },
): Promise<SendInvitationResult> {
  const current = await transaction
    .selectFrom('invitations')
    .selectAll()
    .where('community_id', '=', communityId)
    .where('kind', '=', offer.kind)
    .where('email', '=', email)
    .executeTakeFirst();
  if (current !== undefined && current.expires_at > now) {
    return current.declined_at === null
      ? { kind: 'already-invited' }
      : { kind: 'declined', until: current.expires_at };
  }
  if (current !== undefined) {
    await transaction.deleteFrom('invitations').where('id', '=', current.id).execute();
  }
  const excess = await findExcess(transaction, { communityId, userId, email, now });
  if (excess !== undefined) return { kind: 'too-many', ...excess };
  const id = randomUUID();
  await transaction
    .insertInto('invitations')
    .values({
      id,
      community_id: communityId,
      email,
      kind: offer.kind,
      role: offer.kind === 'role' ? offer.role : null,
      valid_from: offer.kind === 'membership' ? offer.validFrom : null,
      valid_until: offer.kind === 'membership' ? offer.validUntil : null,
      invited_by: userId,
      created_at: now,
      expires_at: expiryOf(offer, now),
      declined_at: null,
    })
    .execute();
  await queueInvitationMail(transaction, { id, email, communityId, senderId: userId }, now);
  return { kind: 'invited' };
}

/** Returns the limit that one more invitation would exceed. */
async function findExcess(
  transaction: Database,
  { communityId, userId, email, now }: CommunityActor & { email: string; now: number },
): Promise<{ of: 'sender' | 'address' | 'community'; max: number } | undefined> {
  const running = transaction
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('expires_at', '>', now);
  const ofSender = await running
    .where('invited_by', '=', userId)
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  if (Number(ofSender.count) >= INVITATIONS_MAX_PER_SENDER) {
    return { of: 'sender', max: INVITATIONS_MAX_PER_SENDER };
  }
  const ofAddress = await running
    .where('email', '=', email)
    .where((eb) => isOpen(eb, now))
    // The person can answer only those, and must be able to make room.
    .where(isOffered)
    .executeTakeFirstOrThrow();
  if (Number(ofAddress.count) >= INVITATIONS_MAX_PER_ADDRESS) {
    return { of: 'address', max: INVITATIONS_MAX_PER_ADDRESS };
  }
  const ofCommunity = await running.where('community_id', '=', communityId).executeTakeFirstOrThrow();
  if (Number(ofCommunity.count) >= INVITATIONS_MAX_PER_COMMUNITY) {
    return { of: 'community', max: INVITATIONS_MAX_PER_COMMUNITY };
  }
  return undefined;
}
