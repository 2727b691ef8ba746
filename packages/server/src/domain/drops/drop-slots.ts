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

/** Queries about drops. */
export interface DropStore {
  /** False when the id is taken. */
  insert(slot: Omit<DropSlot, 'slotsUsed'>, now: number): Promise<boolean>;
  /** Every slot of a community, earliest first. */
  list(communityId: string): Promise<DropSlot[]>;
  /** The slot with the earliest start among those of a community that have not ended; a running one counts. */
  findNext(communityId: string, now: number): Promise<DropSlot | undefined>;
  isSignedUp(dropSlotId: string, email: string): Promise<boolean>;
  /** Takes one slot, and gives the drop as it is then; `undefined` when none is left. */
  takeSlot(id: string): Promise<DropSlot | undefined>;
  insertSignup(signup: NewDropSignup, now: number): Promise<void>;
}

/** A signup to be stored. An address has one for a drop. */
interface NewDropSignup {
  id: string;
  dropSlotId: string;
  email: string;
  phoneNumber: string | null;
}

export function createDropStore(db: Database): DropStore {
  return {
    async insert({ id, communityId, name, slots, startsAt, endsAt }, now) {
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
    },
    async list(communityId) {
      const rows = await db
        .selectFrom('drop_slots')
        .selectAll()
        .where('community_id', '=', communityId)
        .orderBy('starts_at')
        .orderBy('id')
        .execute();
      return rows.map(asDropSlot);
    },
    async findNext(communityId, now) {
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
    },
    async isSignedUp(dropSlotId, email) {
      const row = await db
        .selectFrom('drop_signups')
        .select('id')
        .where('drop_slot_id', '=', dropSlotId)
        .where('email', '=', email)
        .executeTakeFirst();
      return row !== undefined;
    },
    async takeSlot(id) {
      const row = await db
        .updateTable('drop_slots')
        .set((eb) => ({ slots_used: eb('slots_used', '+', 1) }))
        .where('id', '=', id)
        .where((eb) => eb.or([eb('slots', 'is', null), eb('slots_used', '<', eb.ref('slots'))]))
        .returningAll()
        .executeTakeFirst();
      return row && asDropSlot(row);
    },
    async insertSignup({ id, dropSlotId, email, phoneNumber }, now) {
      await db
        .insertInto('drop_signups')
        .values({ id, drop_slot_id: dropSlotId, email, phone_number: phoneNumber, created_at: now })
        .execute();
    },
  };
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
