import { randomUUID } from 'node:crypto';
import type { Database } from '../database/open-database.js';
import { inTransaction } from '../database/transaction.js';
import { createDropStore, type DropSlot } from '../stores/drop-store.js';
import { createUserStore } from '../stores/user-store.js';
import { availableSlotsOf } from './drop-slot-info.js';
import { judgeSignup, type SignupVerdict } from './judge-signup.js';

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
 * kept together or not at all. The last slot is given away by the conditional update in `takeSlot`, so that of any
 * number of people who want it at once, in any number of processes, one gets it.
 */
export async function signUpForDrop(
  db: Database,
  { communityId, email, phoneNumber }: SignupRequest,
  now: number,
): Promise<SignupResult> {
  return await inTransaction(db, async (transaction) => {
    const drops = createDropStore(transaction);
    const slot = await drops.findNext(communityId, now);
    if (slot === undefined) return { verdict: 'no-drop' };
    const verdict = judgeSignup({
      hasAccount: (await createUserStore(transaction).findByEmail(email)) !== undefined,
      isSignedUp: await drops.isSignedUp(slot.id, email),
      availableSlots: availableSlotsOf(slot),
    });
    if (verdict !== 'sign-up') return { verdict, slot };
    const taken = await drops.takeSlot(slot.id);
    if (taken === undefined) return { verdict: 'full', slot };
    await drops.insertSignup(
      { id: randomUUID(), dropSlotId: slot.id, email, phoneNumber: phoneNumber ?? null },
      now,
    );
    return { verdict, slot: taken };
  });
}
