import { randomUUID } from 'node:crypto';
import {
  asPage,
  formatPosition,
  type ListPage,
  PAGE_SIZE,
  type Position,
} from '../../platform/database/keyset.js';
import type { ExpressionBuilder, Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Schema } from '../../schema/schema.js';
import {
  type AdministeredCommunity,
  asAdministrator,
  type CommunityActor,
} from '../communities/community-access.js';
import type { DropSettings } from './drop.js';

/** Drop of a community. */
export interface DropSlot extends DropSettings {
  id: string;
  communityId: string;
  slotsUsed: number;
}

/** Stores a drop. False if the id is taken. */
export async function insertDropSlot(
  db: Database,
  { id, communityId, ...drop }: Omit<DropSlot, 'slotsUsed'>,
  now: number,
): Promise<boolean> {
  const inserted = await db
    .insertInto('drop_slots')
    .values({ id, community_id: communityId, ...settingsOf(drop), created_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Lists one page of the drops of a community: those that start last, earliest start first. */
export async function listDropSlots(
  db: Database,
  communityId: string,
  after?: Position | undefined,
): Promise<ListPage<DropSlot>> {
  const rows = await db
    .selectFrom('drop_slots')
    .selectAll()
    .where('community_id', '=', communityId)
    .$if(after !== undefined, (query) =>
      query.where((eb) => eb(eb.refTuple('starts_at', 'id'), '<', eb.tuple(after?.at ?? 0, after?.id ?? ''))),
    )
    .orderBy('starts_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute();
  const page = asPage(rows, ({ starts_at, id }) => formatPosition({ at: starts_at, id }), asDropSlot);
  return { ...page, rows: page.rows.reverse() };
}

/** Returns the drop with the earliest start among those that have not ended. A running drop counts. */
export async function findNextDropSlot(
  db: Database,
  communityId: string,
  now: number,
): Promise<DropSlot | undefined> {
  const row = await db
    .selectFrom('drop_slots')
    .selectAll()
    .where('community_id', '=', communityId)
    .where((eb) => hasNotEnded(eb, now))
    .orderBy('starts_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && asDropSlot(row);
}

/** Returns a drop of the community. */
export async function findDrop(
  db: Database,
  community: AdministeredCommunity,
  dropId: string,
): Promise<DropSlot | undefined> {
  const row = await db
    .selectFrom('drop_slots')
    .selectAll()
    .where('id', '=', dropId)
    .where('community_id', '=', community.id)
    .executeTakeFirst();
  return row && asDropSlot(row);
}

/** Maximum number of drops of a community, ended ones included. The operator can create more. */
const DROPS_MAX_PER_COMMUNITY = 1_000;

/** Result of {@link createDrop}. */
export type CreateDropResult =
  | { kind: 'created'; id: string }
  | { kind: 'too-many'; max: number }
  /** The actor does not administer the community. */
  | { kind: 'unknown' };

/** Creates a drop. The transaction that stores it counts the drops of the community. */
export async function createDrop(
  db: Database,
  actor: CommunityActor,
  { drop, now }: { drop: DropSettings; now: number },
): Promise<CreateDropResult> {
  const result = await asAdministrator(db, actor, async (transaction): Promise<CreateDropResult> => {
    const { communityId } = actor;
    const { count } = await transaction
      .selectFrom('drop_slots')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('community_id', '=', communityId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= DROPS_MAX_PER_COMMUNITY) return { kind: 'too-many', max: DROPS_MAX_PER_COMMUNITY };
    const id = randomUUID();
    await insertDropSlot(transaction, { id, communityId, ...drop }, now);
    return { kind: 'created', id };
  });
  return result ?? { kind: 'unknown' };
}

/** Result of a change to a drop. */
export type ChangeDropResult =
  | { kind: 'changed' }
  /** More slots are used than the changed drop would have. */
  | { kind: 'too-few-slots'; slotsUsed: number }
  /** The actor does not administer the community, or the community has no such drop. */
  | { kind: 'unknown' };

/** Changes a drop. The number of slots can't fall below the slots in use, even with concurrent signups. */
export async function changeDrop(
  db: Database,
  actor: CommunityActor,
  { dropId, drop }: { dropId: string; drop: DropSettings },
): Promise<ChangeDropResult> {
  const result = await asAdministrator(db, actor, async (transaction, community) => {
    const changed = await transaction
      .updateTable('drop_slots')
      .set(settingsOf(drop))
      .where('id', '=', dropId)
      .where('community_id', '=', community.id)
      .$if(drop.slots !== null, (update) => update.where('slots_used', '<=', drop.slots))
      .returning('id')
      .executeTakeFirst();
    if (changed !== undefined) return { kind: 'changed' } as const;
    const current = await findDrop(transaction, community, dropId);
    return current && ({ kind: 'too-few-slots', slotsUsed: current.slotsUsed } as const);
  });
  return result ?? { kind: 'unknown' };
}

/** Ends a running or upcoming drop now; an ended one stays unchanged. False if the actor or the drop is unknown. */
export async function endDrop(
  db: Database,
  actor: CommunityActor,
  { dropId, now }: { dropId: string; now: number },
): Promise<boolean> {
  const ended = await asAdministrator(db, actor, async (transaction, community) => {
    if ((await findDrop(transaction, community, dropId)) === undefined) return false;
    await transaction
      .updateTable('drop_slots')
      .set({ ends_at: now })
      .where('id', '=', dropId)
      .where((eb) => hasNotEnded(eb, now))
      .execute();
    return true;
  });
  return ended ?? false;
}

/** Takes one slot and returns the changed drop. `undefined` if no slot is left. */
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

/** Frees the slot of a signup that is deleted. */
export async function freeDropSlot(db: Database, id: string): Promise<void> {
  await db
    .updateTable('drop_slots')
    .set((eb) => ({ slots_used: eb('slots_used', '-', 1) }))
    .where('id', '=', id)
    .where('slots_used', '>', 0)
    .execute();
}

function hasNotEnded(eb: ExpressionBuilder<Schema, 'drop_slots'>, now: number) {
  return eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]);
}

function settingsOf({ name, slots, startsAt, endsAt }: DropSettings) {
  return { name, slots, starts_at: startsAt, ends_at: endsAt };
}

function asDropSlot(row: Selectable<Schema['drop_slots']>): DropSlot {
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
