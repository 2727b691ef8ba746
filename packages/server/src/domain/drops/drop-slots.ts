import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Schema } from '../../platform/database/schema.js';

/** A drop that people can sign up for. */
export interface DropSlot {
  id: string;
  communityId: string;
  name: string;
  /** Null when unlimited. */
  slots: number | null;
  slotsUsed: number;
  startsAt: number;
  /** The first instant at which it is over; null when it has no end. */
  endsAt: number | null;
}

/** A signup to be stored. An address has one for a drop. */
interface NewDropSignup {
  id: string;
  dropSlotId: string;
  email: string;
  phoneNumber: string | null;
}

export function asDropSlot(row: Selectable<Schema['drop_slots']>): DropSlot {
  return {
    id: row.id,
    communityId: row.community_id,
    name: row.name,
    slots: row.slots,
    slotsUsed: row.slots_used,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
  };
}
/** False when the id is taken. */
export async function insertDropSlot(
  db: Database,
  { id, communityId, name, slots, startsAt, endsAt }: Omit<DropSlot, 'slotsUsed'>,
  now: number,
): Promise<boolean> {
  const inserted = await db
    .insertInto('drop_slots')
    .values({
      id,
      community_id: communityId,
      name,
      slots,
      starts_at: startsAt,
      ends_at: endsAt,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Every slot of a community, earliest first. */
export async function listDropSlots(db: Database, communityId: string): Promise<DropSlot[]> {
  const rows = await db
    .selectFrom('drop_slots')
    .selectAll()
    .where('community_id', '=', communityId)
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
  return rows.map(asDropSlot);
}

/** The slot with the earliest start among those of a community that have not ended; a running one counts. */
export async function findNextDropSlot(
  db: Database,
  communityId: string,
  now: number,
): Promise<DropSlot | undefined> {
  const row = await db
    .selectFrom('drop_slots')
    .selectAll()
    .where('community_id', '=', communityId)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .orderBy('starts_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && asDropSlot(row);
}

export async function isSignedUp(db: Database, dropSlotId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('drop_signups')
    .select('id')
    .where('drop_slot_id', '=', dropSlotId)
    .where('email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes one slot, and gives the drop as it is then; `undefined` when none is left. */
export async function takeDropSlot(db: Database, id: string): Promise<DropSlot | undefined> {
  const row = await db
    .updateTable('drop_slots')
    .set((eb) => ({ slots_used: eb('slots_used', '+', 1) }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb('slots', 'is', null), eb('slots_used', '<', eb.ref('slots'))]))
    .returningAll()
    .executeTakeFirst();
  return row && asDropSlot(row);
}

export async function insertDropSignup(
  db: Database,
  { id, dropSlotId, email, phoneNumber }: NewDropSignup,
  now: number,
): Promise<void> {
  await db
    .insertInto('drop_signups')
    .values({ id, drop_slot_id: dropSlotId, email, phone_number: phoneNumber, created_at: now })
    .execute();
}
