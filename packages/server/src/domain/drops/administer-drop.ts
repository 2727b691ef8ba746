import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import {
  type AdministeredCommunity,
  asAdministrator,
  type CommunityActor,
} from '../communities/community-access.js';
import { asDropSlot, type DropSlot, insertDropSlot } from './drop-slots.js';

/** What an administrator says of a drop. */
export type DropSettings = Pick<DropSlot, 'name' | 'slots' | 'startsAt' | 'endsAt'>;

/** Where a drop stands: it starts at its first instant and is over at its last. */
export type DropState = 'upcoming' | 'running' | 'ended' | 'called-off';

/** Where a drop stands now. One that was ended before it began was called off. */
export function dropState(
  { startsAt, endsAt }: Pick<DropSlot, 'startsAt' | 'endsAt'>,
  now: number,
): DropState {
  if (endsAt !== null && endsAt <= now) return endsAt <= startsAt ? 'called-off' : 'ended';
  return startsAt <= now ? 'running' : 'upcoming';
}

/** A drop of the community. */
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

/** Creates a drop of the community and gives its id; `undefined` when the actor has no role there. */
export async function createDrop(
  db: Database,
  actor: CommunityActor,
  { drop, now }: { drop: DropSettings; now: number },
): Promise<string | undefined> {
  return await asAdministrator(db, actor, async (transaction) => {
    const id = randomUUID();
    await insertDropSlot(transaction, { id, communityId: actor.communityId, ...drop }, now);
    return id;
  });
}

/** What became of a change to a drop. */
export type DropChangeOutcome =
  | { kind: 'changed' }
  /** More slots are taken than the drop would have. */
  | { kind: 'too-few-slots'; slotsUsed: number }
  /** The actor has no role there, or the community no such drop. */
  | { kind: 'unknown' };

/** Changes a drop of the community; never to fewer slots than are taken, whoever signs up at the same moment. */
export async function changeDrop(
  db: Database,
  actor: CommunityActor,
  { dropId, drop }: { dropId: string; drop: DropSettings },
): Promise<DropChangeOutcome> {
  const outcome = await asAdministrator(db, actor, async (transaction, community) => {
    const { name, slots, startsAt, endsAt } = drop;
    const changed = await transaction
      .updateTable('drop_slots')
      .set({ name, slots, starts_at: startsAt, ends_at: endsAt })
      .where('id', '=', dropId)
      .where('community_id', '=', community.id)
      .$if(slots !== null, (update) => update.where('slots_used', '<=', slots))
      .returning('id')
      .executeTakeFirst();
    if (changed !== undefined) return { kind: 'changed' } as const;
    const current = await findDrop(transaction, community, dropId);
    return current && ({ kind: 'too-few-slots', slotsUsed: current.slotsUsed } as const);
  });
  return outcome ?? { kind: 'unknown' };
}

/** Ends a drop now: a running one, or one that has not begun. One that is over stays as it is. False when unknown. */
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
      .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
      .execute();
    return true;
  });
  return ended ?? false;
}
