import { randomUUID } from 'node:crypto';
import type { Schema } from '../../migrations/schema.js';
import type { ExpressionBuilder } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { camelCased, countRows, type Position, readPage } from '../../platform/database/rows.js';
import { notFound } from '../../platform/http/http-failure.js';
import { auditedWrite, changedFields, recordAudit } from '../audit/audit.js';
import {
  type AdministeredCommunity,
  asAdministrator,
  type CommunityActor,
  type LimitedCreation,
} from '../communities/community-access.js';
import { columnsOf } from '../fields/define-resource.js';
import { type DropSettings, dropResource } from './drop.resource.js';

export interface DropSlot extends DropSettings {
  id: string;
  communityId: string;
  slotsUsed: number;
}

/** False if the id is taken. */
export async function insertDropSlot(
  db: Database,
  { id, communityId, ...drop }: Omit<DropSlot, 'slotsUsed'>,
  now: number,
): Promise<boolean> {
  return await auditedWrite(db, { action: 'drop.create', subjectId: id, communityId }, (transaction) =>
    transaction
      .insertInto('drop_slots')
      .values({ id, community_id: communityId, ...columnsOf(dropResource, drop), created_at: now })
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
}

export function listDropSlots(db: Database, communityId: string, after?: Position | undefined) {
  const drops = db.selectFrom('drop_slots').selectAll().where('community_id', '=', communityId);
  return readPage(drops, { by: ['starts_at', 'id'], direction: 'desc', after }, camelCased);
}

export async function findNextDropSlot(db: Database, communityId: string, now: number) {
  const row = await db
    .selectFrom('drop_slots')
    .selectAll()
    .where('community_id', '=', communityId)
    .where((eb) => hasNotEnded(eb, now))
    .orderBy('starts_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && camelCased(row);
}

/** @throws HttpFailure 404 if the community has no such drop. */
export async function requireDrop(db: Database, { id: communityId }: AdministeredCommunity, dropId: string) {
  const drops = db.selectFrom('drop_slots').selectAll().where('community_id', '=', communityId);
  const row = await drops.where('id', '=', dropId).executeTakeFirst();
  if (row === undefined) throw notFound();
  return camelCased(row);
}

const DROPS_MAX_PER_COMMUNITY = 1_000;

export async function createDrop(
  db: Database,
  actor: CommunityActor,
  { drop, now }: { drop: DropSettings; now: number },
): Promise<LimitedCreation> {
  return await asAdministrator(db, actor, async (transaction) => {
    const { communityId } = actor;
    const drops = transaction.selectFrom('drop_slots').where('community_id', '=', communityId);
    if ((await countRows(drops)) >= DROPS_MAX_PER_COMMUNITY) {
      return { kind: 'full', max: DROPS_MAX_PER_COMMUNITY };
    }
    const id = randomUUID();
    await insertDropSlot(transaction, { id, communityId, ...drop }, now);
    return { kind: 'created', id };
  });
}

/** There can't be fewer slots than are in use, even with concurrent signups. */
export async function changeDrop(
  db: Database,
  actor: CommunityActor,
  { dropId, drop }: { dropId: string; drop: DropSettings },
) {
  return await asAdministrator(db, actor, async (transaction, community) => {
    const current = await requireDrop(transaction, community, dropId);
    const changed = await transaction
      .updateTable('drop_slots')
      .set(columnsOf(dropResource, drop))
      .where('id', '=', dropId)
      .where('community_id', '=', community.id)
      .$if(drop.slots !== null, (update) => update.where('slots_used', '<=', drop.slots))
      .returning('id')
      .executeTakeFirst();
    if (changed === undefined) return { kind: 'too-few-slots', slotsUsed: current.slotsUsed } as const;
    const { communityId } = actor;
    const details = { fields: changedFields(current, drop) };
    await recordAudit(transaction, { action: 'drop.change', subjectId: dropId, communityId, details });
    return { kind: 'changed' } as const;
  });
}

/** A drop that has ended stays as it is. */
export async function endDrop(
  db: Database,
  actor: CommunityActor,
  { dropId, now }: { dropId: string; now: number },
): Promise<void> {
  await asAdministrator(db, actor, async (transaction, community) => {
    await requireDrop(transaction, community, dropId);
    const { communityId } = actor;
    await auditedWrite(transaction, { action: 'drop.end', subjectId: dropId, communityId }, () =>
      transaction
        .updateTable('drop_slots')
        .set({ ends_at: now })
        .where('id', '=', dropId)
        .where((eb) => hasNotEnded(eb, now)),
    );
  });
}

export async function takeDropSlot(db: Database, id: string) {
  const row = await db
    .updateTable('drop_slots')
    .set((eb) => ({ slots_used: eb('slots_used', '+', 1) }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb('slots', 'is', null), eb('slots_used', '<', eb.ref('slots'))]))
    .returningAll()
    .executeTakeFirst();
  return row && camelCased(row);
}

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
