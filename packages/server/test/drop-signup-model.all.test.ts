import { sandboxScenario } from '@latchkey/sandbox';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import type { ApiKeyResponse } from './api-key-requests.js';
import { failureOf, resultOf, signUp } from './drop-signup-requests.js';
import { it } from './service-under-test.js';

const { users } = sandboxScenario;
const HOUR = 3600_000;

/**
 * Commands around the signups of a community, run in any order. Times are hours from the start of the run.
 */
const drawnCommand = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('sign-up' as const), person: fc.nat(3) }) },
  fc.record({ kind: fc.constant('hours' as const), hours: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('account' as const), person: fc.nat(3) }),
  fc.record({
    kind: fc.constant('drop' as const),
    starts: fc.integer({ min: -4, max: 12 }),
    lasts: fc.option(fc.integer({ min: 1, max: 6 })),
    slots: fc.option(fc.nat(2)),
  }),
);

interface ModelDrop {
  id: string;
  starts: number;
  ends: number | null;
  slots: number | null;
  people: Set<string>;
}

describe('signups, drops, accounts and time in any order', () => {
  it('match a model of the rules', {
    tags: ['drop-signup.next-drop', 'drop-signup.duplicate', 'drop-signup.existing-account'],
    timeout: 60_000,
  }, async ({ service }) => {
    const { operator } = service.server;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(drawnCommand, { minLength: 4, maxLength: 16 }), async (drawnCommands) => {
        run += 1;
        const began = service.clock.now();
        const { id: communityId } = await operator.createCommunity({ name: 'Tea', ownerId: users.dana.id });
        const drops: ModelDrop[] = [];
        const accounts = new Set<string>();
        let hours = 0;
        for (const event of drawnCommands) {
          if (event.kind === 'hours') {
            hours += event.hours;
            service.clock.advance(event.hours * HOUR);
          } else if (event.kind === 'drop') {
            const starts = hours + event.starts;
            const ends = event.lasts === null ? null : starts + event.lasts;
            const startsAt = began + starts * HOUR;
            const endsAt = ends === null ? null : began + ends * HOUR;
            const slot = { communityId, name: 'Drop', slots: event.slots, startsAt, endsAt };
            const { id } = await operator.createDropSlot(slot);
            drops.push({ id, starts, ends, slots: event.slots, people: new Set() });
          } else {
            const email = `person-${run}-${event.person}@example.com`;
            if (event.kind === 'account') {
              if (!accounts.has(email)) await operator.createUser({ email });
              accounts.add(email);
            } else {
              const answer = await signUp(service, { communityId, email });
              expect(outcomeOf(answer)).toEqual(predict({ drops, accounts, hours, email }));
            }
          }
        }
      }),
      fuzzRuns(30),
    );
  });
});

function outcomeOf(answer: ApiKeyResponse) {
  if (answer.status !== 201) return failureOf(answer);
  const { signedUp, dropSlotInfo } = resultOf(answer);
  const { id, slotsUsed, availableSlots, isCurrentlyActive } = dropSlotInfo;
  return { signedUp, id, slotsUsed, availableSlots, isCurrentlyActive };
}

/** Model of the rules. Changes the drop when a visitor is signed up. */
function predict(world: { drops: ModelDrop[]; accounts: Set<string>; hours: number; email: string }) {
  const { drops, accounts, hours, email } = world;
  const [next] = drops
    .filter(({ ends }) => ends === null || ends > hours)
    .sort((one, other) => one.starts - other.starts || (one.id < other.id ? -1 : 1));
  if (next === undefined) return '404 not_found';
  const signedUp = !accounts.has(email);
  if (signedUp) {
    if (next.people.has(email)) return '409 already_exists';
    if (next.slots !== null && next.people.size >= next.slots) return '409 conflict';
    next.people.add(email);
  }
  return {
    signedUp,
    id: next.id,
    slotsUsed: next.people.size,
    availableSlots: next.slots === null ? null : next.slots - next.people.size,
    isCurrentlyActive: next.starts <= hours,
  };
}
