import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { findByEmailIn } from '../users/identified-user.js';
import { insertDropSignup, isSignedUp } from './drop-signups.js';
import { availableSlotsOf } from './drop-slot-info.js';
import { type DropSlot, findNextDropSlot, takeDropSlot } from './drops.js';
import { decideSignup } from './signup-decision.js';

/** Request to sign up for a community's next drop. */
export interface SignupRequest {
  communityId: string;
  /** Trimmed and in lower case. */
  email: string;
  /** E.164. */
  phoneNumber?: string | undefined;
}

/** Result of a signup, with the drop as it is after the signup. */
export type SignupResult =
  | { kind: 'no-drop' }
  | { kind: 'signed-up' | 'has-account' | 'duplicate' | 'full'; slot: DropSlot };

/**
 * Signs an email address up for the next drop of a community. One transaction stores the signup and the used slot. The
 * conditional update in {@link takeDropSlot} assigns the last slot, and a unique key allows one signup per address.
 */
export async function signUpForDrop(
  db: Database,
  request: SignupRequest,
  now: number,
): Promise<SignupResult> {
  // Conditional writes decide, so stale reads do no harm. Serializable transactions would retry on the drop's row, which
  // all signups change when a drop opens.
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
  if (slot === undefined) return { kind: 'no-drop' };
  const decision = decideSignup({
    hasAccount: (await findByEmailIn(transaction, { email, communityId })) !== undefined,
    isSignedUp: await isSignedUp(transaction, slot.id, email),
    availableSlots: availableSlotsOf(slot),
  });
  if (decision !== 'sign-up') return { kind: decision, slot };
  const taken = await takeDropSlot(transaction, slot.id);
  if (taken === undefined) {
    // A concurrent signup took the last slot. It may be for the same address.
    return { kind: (await isSignedUp(transaction, slot.id, email)) ? 'duplicate' : 'full', slot };
  }
  await insertDropSignup(
    transaction,
    { id: randomUUID(), dropSlotId: slot.id, email, phoneNumber: phoneNumber ?? null },
    now,
  );
  return { kind: 'signed-up', slot: taken };
}
