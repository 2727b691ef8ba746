import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { communityWith, failureOf, resultOf, signUp } from './drop-signup-requests.js';
import { it } from './service-under-test.js';

const { users } = sandboxScenario;
const DAY = 24 * 3600_000;

describe('drop signup', () => {
  it('returns one signup and 49 conflicts for fifty concurrent requests for the last slot', async ({
    service,
  }) => {
    const { communityId } = await communityWith(service, { starts: DAY, slots: 1 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        signUp(service, { communityId, email: `person-${index}@example.com` }),
      ),
    );
    const won = answers.filter(({ status }) => status === 201);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201).map(failureOf)).toEqual(
      Array.from({ length: 49 }, () => '409 conflict'),
    );
    const { dropSlotInfo } = resultOf(await signUp(service, { communityId, email: users.ada.email }));
    expect(dropSlotInfo).toMatchObject({ slotsUsed: 1, availableSlots: 0 });
  });

  it('returns one signup and 49 duplicates for fifty concurrent requests of one address', {
    tags: ['drop-signup.duplicate'],
  }, async ({ service }) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => signUp(service)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 201).map(failureOf);
    expect(new Set(others)).toEqual(new Set(['409 already_exists']));
    const { dropSlotInfo } = resultOf(await signUp(service, { email: users.ada.email }));
    expect(dropSlotInfo.slotsUsed).toBe(1);
  });

  it('reports duplicates, not a full drop, to fifty concurrent requests of one address for the last slot', {
    tags: ['drop-signup.duplicate'],
  }, async ({ service }) => {
    const { communityId } = await communityWith(service, { starts: DAY, slots: 1 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => signUp(service, { communityId })));
    const others = answers.filter(({ status }) => status !== 201).map(failureOf);
    expect(others).toEqual(Array.from({ length: 49 }, () => '409 already_exists'));
  });
});
