import type { Selectable } from 'kysely';
import type { Database } from '../database/open-database.js';
import type { Schema } from '../database/schema.js';

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
