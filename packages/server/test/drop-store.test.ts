import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { insertDropSlot, listDropSlots, takeDropSlot } from '../src/features/drops/drop.queries.js';
import { withDatabase } from './emitted-events.js';
import { START } from './service-under-test.js';

describe('reservation of a drop slot', () => {
  withDatabase('is rejected by the database itself when no slot is left', async ({ db }) => {
    const slot = { id: 'drop', communityId: sandboxScenario.community.id, name: 'Drop' };
    await insertDropSlot(db, { ...slot, slots: 2, startsAt: START, endsAt: null }, START);
    const taken = await Promise.all(Array.from({ length: 5 }, () => takeDropSlot(db, 'drop')));
    expect(taken.map((drop) => drop?.slotsUsed).sort()).toEqual([1, 2, undefined, undefined, undefined]);
    expect((await listDropSlots(db, slot.communityId)).rows[0]?.slotsUsed).toBe(2);
  });

  withDatabase('never fails without a limit', async ({ db }) => {
    const slot = { id: 'drop', communityId: sandboxScenario.community.id, name: 'Drop' };
    await insertDropSlot(db, { ...slot, slots: null, startsAt: START, endsAt: null }, START);
    for (const used of [1, 2, 3]) expect((await takeDropSlot(db, 'drop'))?.slotsUsed).toBe(used);
  });
});
