import type { Database } from '../../platform/database/open-database.js';
import { type Budget, useBudgets } from '../budgets/budgets.js';
import { mailboxOf } from '../budgets/mailbox-of.js';
import { queueMail } from '../mail/mail-outbox.js';
import { hasOptedOut } from './invitation-opt-out.js';

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

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
export async function queueInvitationMail(
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
