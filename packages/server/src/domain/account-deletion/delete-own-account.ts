import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { isRecentSignIn } from '../sessions/recent-sign-in.js';
import { findSignInTime } from '../sessions/sessions.js';
import { type EnteredFactor, enterSecondFactor, type SecondFactorResult } from '../two-step/second-factor.js';
import { type DeleteAccountResult, deleteAccount } from './delete-account.js';

/** Result of {@link deleteOwnAccount}. */
export type DeleteOwnAccountResult =
  | DeleteAccountResult
  | Exclude<SecondFactorResult, { kind: 'correct' | 'off' }>
  /** The session has ended, or is too old for a user without two-step sign-in. */
  | { readonly kind: 'must-sign-in' };

/**
 * Deletes the account of a signed-in user, who proves it: with the second factor if two-step sign-in is on, and otherwise with a recent
 * sign-in. The proof and the deletion are one transaction. A rejected code is counted.
 */
export async function deleteOwnAccount(
  db: Database,
  { sessionId, ...entered }: EnteredFactor & { sessionId: string },
  now: number,
): Promise<DeleteOwnAccountResult> {
  const { userId, browser, network } = entered;
  const work = async (transaction: Database): Promise<DeleteOwnAccountResult> => {
    const signedInAt = await findSignInTime(transaction, { userId, sessionId }, now);
    if (signedInAt === undefined) return { kind: 'must-sign-in' };
    const proof = await enterSecondFactor(transaction, entered, now);
    if (proof.kind === 'off' && !isRecentSignIn(signedInAt, now)) return { kind: 'must-sign-in' };
    if (proof.kind !== 'off' && proof.kind !== 'correct') return proof;
    return await deleteAccount(transaction, { userId, deletedBy: { who: 'user', browser, network } }, now);
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}
