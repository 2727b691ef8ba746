import { describe, expect } from 'vitest';
import { createDropStore } from '../src/domain/drops/drop-slots.js';
import { sandboxScenario } from '../src/index.js';
import { withDatabase } from './emitted-events.js';
import { START } from './service-under-test.js';

describe('taking a slot of a drop', () => {
  withDatabase('is refused by the database itself when none is left', async ({ db }) => {
    const drops = createDropStore(db);
    const slot = { id: 'drop', communityId: sandboxScenario.community.id, name: 'Drop' };
    await drops.insert({ ...slot, slots: 2, startsAt: START, endsAt: null }, START);
    const taken = await Promise.all(Array.from({ length: 5 }, () => drops.takeSlot('drop')));
    expect(taken.map((drop) => drop?.slotsUsed).sort()).toEqual([1, 2, undefined, undefined, undefined]);
    expect((await drops.list(slot.communityId))[0]?.slotsUsed).toBe(2);
  });

  withDatabase('never ends where there is no limit', async ({ db }) => {
    const drops = createDropStore(db);
    const slot = { id: 'drop', communityId: sandboxScenario.community.id, name: 'Drop' };
    await drops.insert({ ...slot, slots: null, startsAt: START, endsAt: null }, START);
    for (const used of [1, 2, 3]) expect((await drops.takeSlot('drop'))?.slotsUsed).toBe(used);
  });
});
