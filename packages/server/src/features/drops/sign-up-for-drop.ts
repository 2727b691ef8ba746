import { randomUUID } from 'node:crypto';
import type { DropSlotInfo } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordAudit } from '../audit/audit.js';
import { findByEmailIn, isClaimOf } from '../users/identified-user.js';
import { type DropSlot, findNextDropSlot, takeDropSlot } from './drop.queries.js';
import { dropState } from './drop.resource.js';
import { insertDropSignup, isSignedUp } from './drop-signups.js';

export interface SignupRequest {
  communityId: string;
  /** Trimmed and in lower case. */
  email: string;
  /** E.164. */
  phoneNumber?: string | undefined;
}

/** Result of a signup. `slot` is the drop after the signup. */
export type SignupResult =
  | { kind: 'no-drop' }
  | { kind: 'signed-up'; slot: DropSlot; id: string }
  | { kind: 'has-account' | 'duplicate' | 'full'; slot: DropSlot };

/**
 * Signs an email address up for a community's next drop. The signup and the used slot are stored in one transaction.
 * The conditional update in {@link takeDropSlot} decides who gets the last slot, and a unique key allows one signup per
 * address.
 */
export async function signUpForDrop(
  db: Database,
  request: SignupRequest,
  now: number,
): Promise<SignupResult> {
  // Conditional writes decide, so stale reads do no harm. Serializable transactions would keep retrying on the drop's
  // row, which all signups change when a drop opens.
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
    hasAccount: await hasAccount(transaction, { email, communityId }),
    isSignedUp: await isSignedUp(transaction, slot.id, email),
    availableSlots: availableSlotsOf(slot),
  });
  if (decision !== 'sign-up') return { kind: decision, slot };
  const taken = await takeDropSlot(transaction, slot.id);
  if (taken === undefined) {
    // A concurrent signup took the last slot, possibly for the same address.
    return { kind: (await isSignedUp(transaction, slot.id, email)) ? 'duplicate' : 'full', slot };
  }
  const id = randomUUID();
  const signup = { id, dropSlotId: slot.id, email, phoneNumber: phoneNumber ?? null };
  await insertDropSignup(transaction, signup, now);
  await recordAudit(transaction, { action: 'signup.create', subjectId: id, communityId });
  return { kind: 'signed-up', slot: taken, id };
}

/**
 * True if the address is verified or known to the community, or if a vetted partner has provisioned a membership for it
 * anywhere: accounts are looked up globally (spec, "POST /api/drop-notification/signup"). A checkout in another
 * community doesn't count as an account.
 */
async function hasAccount(transaction: Database, address: { email: string; communityId: string }) {
  const { user } = await findByEmailIn(transaction, address);
  if (user !== undefined) return true;
  const provisioned = await transaction
    .selectFrom('community_emails as claim')
    .innerJoin('memberships', 'memberships.user_id', 'claim.user_id')
    .select(['claim.community_id as communityId', 'claim.user_id as userId'])
    .where('claim.email', '=', address.email)
    .where('memberships.external_order_id', 'is not', null)
    .execute();
  // A user with more than that community gave them isn't the holder of the address; see `isClaimOf`.
  for (const claim of provisioned) if (await isClaimOf(transaction, claim)) return true;
  return false;
}

/** Returns the number of free slots; null if the drop is unlimited. */
function availableSlotsOf({ slots, slotsUsed }: DropSlot): number | null {
  return slots === null ? null : slots - slotsUsed;
}

/** Returns a drop as the API shows it (spec, "`dropSlotInfo`"). */
export function dropSlotInfo(slot: DropSlot, now: number): DropSlotInfo {
  const { id, slots, slotsUsed, startsAt, endsAt } = slot;
  return {
    id,
    slots,
    slotsUsed,
    availableSlots: availableSlotsOf(slot),
    startsAt: formatTimestamp(startsAt),
    endsAt: endsAt === null ? null : formatTimestamp(endsAt),
    isCurrentlyActive: dropState(slot, now) === 'running',
    dropNotification: null,
  };
}

export interface SignupFacts {
  /** True if the address is verified, known to the community, or provisioned anywhere. */
  readonly hasAccount: boolean;
  readonly isSignedUp: boolean;
  /** Null if the drop is unlimited. */
  readonly availableSlots: number | null;
}

export type SignupDecision = 'has-account' | 'duplicate' | 'full' | 'sign-up';

/**
 * Decides a signup (spec, "POST /api/drop-notification/signup"). The first matching row applies:
 *
 * | email address         | free slots | decision      |
 * |-----------------------|------------|---------------|
 * | has an account        | any        | `has-account` |
 * | is already signed up  | any        | `duplicate`   |
 * | is new                | none       | `full`        |
 * | is new                | some       | `sign-up`     |
 */
export function decideSignup({ hasAccount, isSignedUp, availableSlots }: SignupFacts): SignupDecision {
  if (hasAccount) return 'has-account';
  if (isSignedUp) return 'duplicate';
  return availableSlots === 0 ? 'full' : 'sign-up';
}
