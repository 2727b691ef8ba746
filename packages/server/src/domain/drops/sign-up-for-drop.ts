import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { findUserByEmail } from '../users/users.js';
import { availableSlotsOf } from './drop-slot-info.js';
import { type DropSlot, findNextDropSlot, insertDropSignup, isSignedUp, takeDropSlot } from './drop-slots.js';
import { judgeSignup, type SignupVerdict } from './signup-decision.js';

/** Somebody who wants to hear of a community's next drop. */
export interface SignupRequest {
  communityId: string;
  /** Trimmed and in lower case. */
  email: string;
  /** E.164. */
  phoneNumber?: string | undefined;
}

/** What became of a signup, and the drop slot that it was for as it is now. */
export type SignupResult = { verdict: 'no-drop' } | { verdict: SignupVerdict; slot: DropSlot };

/**
 * Signs an address up for the next drop of a community, in one transaction: the signup and the slot that it takes are
 * kept together or not at all. The last slot is given away by the conditional update in `takeSlot`, and an address has
 * one signup by a unique key: of any number of people who want it at once, in any number of processes, one gets it.
 */
export async function signUpForDrop(
  db: Database,
  request: SignupRequest,
  now: number,
): Promise<SignupResult> {
  // Two conditional writes decide, so nobody has to be sent away for having read something older: at the opening of a
  // drop everybody wants the same row.
  return await inTransaction(db, (transaction) => signUp(transaction, request, now), {
    isolation: 'read committed',
  });
}

async function signUp(
  transaction: Database,
  { communityId, email, phoneNumber }: SignupRequest,
  now: number,
): Promise<SignupResult> {
  const slot = await findNextDropSlot(transaction, communityId, now);
  if (slot === undefined) return { verdict: 'no-drop' };
  const verdict = judgeSignup({
    hasAccount: (await findUserByEmail(transaction, email)) !== undefined,
    isSignedUp: await isSignedUp(transaction, slot.id, email),
    availableSlots: availableSlotsOf(slot),
  });
  if (verdict !== 'sign-up') return { verdict, slot };
  const taken = await takeDropSlot(transaction, slot.id);
  if (taken === undefined) {
    // Somebody else was faster; perhaps a second request of the same address, which then is a duplicate.
    return { verdict: (await isSignedUp(transaction, slot.id, email)) ? 'duplicate' : 'full', slot };
  }
  await insertDropSignup(
    transaction,
    { id: randomUUID(), dropSlotId: slot.id, email, phoneNumber: phoneNumber ?? null },
    now,
  );
  return { verdict, slot: taken };
}
