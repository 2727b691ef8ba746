import { randomUUID } from 'node:crypto';
import type { DropSlotInfo } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import { csvOf } from '../../platform/csv.js';
import type { Database } from '../../platform/database/open-database.js';
import { asPage, batchesOf, hasRows, nextRows, PAGE_SIZE } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordAudit } from '../audit/audit.js';
import { findByEmailIn, isClaimOf } from '../users/identified-user.js';
import { type DropSlot, findNextDropSlot, freeDropSlot, takeDropSlot } from './drop.queries.js';
import { dropState } from './drop.resource.js';

export type SignupResult =
  | { kind: 'no-drop' }
  | { kind: 'signed-up'; slot: DropSlot; id: string }
  | { kind: 'has-account' | 'duplicate' | 'full'; slot: DropSlot };

/**
 * Signs an email address up for a community's next drop, in one transaction. The conditional update in
 * {@link takeDropSlot} decides who gets the last slot, and a unique key allows one signup per address.
 */
export async function signUpForDrop(
  db: Database,
  request: { communityId: string; email: string; phoneNumber?: string | undefined },
  now: number,
): Promise<SignupResult> {
  const { communityId, email, phoneNumber } = request;
  const signUp = async (transaction: Database): Promise<SignupResult> => {
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
    const signup = { id, drop_slot_id: slot.id, email, phone_number: phoneNumber ?? null, created_at: now };
    await transaction.insertInto('drop_signups').values(signup).execute();
    await recordAudit(transaction, { action: 'signup.create', subjectId: id, communityId });
    return { kind: 'signed-up', slot: taken, id };
  };
  // Conditional writes decide, so stale reads do no harm. Serializable transactions would keep retrying on the drop's
  // row, which all signups change when a drop opens.
  return await inTransaction(db, signUp, { isolation: 'read committed' });
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
export function decideSignup(address: {
  hasAccount: boolean;
  isSignedUp: boolean;
  availableSlots: number | null;
}) {
  if (address.hasAccount) return 'has-account';
  if (address.isSignedUp) return 'duplicate';
  return address.availableSlots === 0 ? 'full' : 'sign-up';
}

/** `phoneNumber` is in E.164. */
export type DropSignup = Awaited<ReturnType<typeof listSignups>>['rows'][number];

async function isSignedUp(db: Database, dropSlotId: string, email: string): Promise<boolean> {
  return await hasRows(
    db.selectFrom('drop_signups').where('drop_slot_id', '=', dropSlotId).where('email', '=', email),
  );
}

export async function withdrawSignups(transaction: Database, email: string): Promise<void> {
  const withdrawn = await transaction
    .deleteFrom('drop_signups')
    .where('email', '=', email)
    .returning('drop_slot_id')
    .execute();
  // Every transaction uses the same order, which prevents deadlocks.
  for (const id of withdrawn.map((row) => row.drop_slot_id).toSorted()) await freeDropSlot(transaction, id);
}

/** Lists one page of a drop's signups, sorted by email address. `after` is where the previous page ended. */
export async function listSignups(db: Database, dropId: string, after: string | undefined) {
  const page = { by: ['email'], after: after === undefined ? undefined : [after], limit: PAGE_SIZE + 1 };
  return asPage(await nextRows(signupsOf(db, dropId), page).execute(), ({ email }) => email);
}

export function exportSignups(db: Database, dropId: string): AsyncGenerator<string> {
  return csvOf(
    batchesOf(() => signupsOf(db, dropId), { by: ['email'], limit: 1_000 }),
    {
      email: ({ email }) => email,
      phone_number: ({ phoneNumber }) => phoneNumber,
      signed_up_at: ({ createdAt }) => formatTimestamp(createdAt),
    },
  );
}

function signupsOf(db: Database, dropId: string) {
  return db
    .selectFrom('drop_signups')
    .select(['email', 'phone_number as phoneNumber', 'created_at as createdAt'])
    .where('drop_slot_id', '=', dropId);
}
