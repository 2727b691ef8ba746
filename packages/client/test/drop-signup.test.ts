import { describe, expect } from 'vitest';
import { failureOf } from './failure-of.js';
import { loseFirstAnswer } from './lost-answer.js';
import { it, sandboxScenario } from './service.js';

const { community, dropSlot, users } = sandboxScenario;
const grace = { communityId: community.id, email: 'grace@example.com' };

describe('dropSignup', () => {
  it('signs up an address and returns the drop, whose type has no internal fields', {
    tags: ['drop-signup.ignore-internal'],
  }, async ({ service }) => {
    const signup = await service.client().dropSignup({ ...grace, phoneNumber: '+44 20 7946 0018' });
    expect(signup).toMatchObject({
      signedUp: true,
      hasExistingAccount: false,
      dropSlotInfo: { id: dropSlot.id, slots: 100, slotsUsed: 1, availableSlots: 99, endsAt: null },
    });
    // @ts-expect-error: internal field.
    void signup.dropSlotInfo?.dropNotification;
    // @ts-expect-error: internal field.
    void signup.dropSlotInfo?.userHasNotification;
  });

  it('accepts any value of the internal fields', { tags: ['drop-signup.ignore-internal'] }, async ({
    service,
  }) => {
    const signup = await service.client().dropSignup(grace);
    for (const internal of [null, 'text', 7, [], { id: 1 }, undefined]) {
      const dropSlotInfo = {
        ...signup.dropSlotInfo,
        dropNotification: internal,
        userHasNotification: internal,
      };
      const client = service.client({
        fetch: async () =>
          Response.json({ success: true, data: { ...signup, dropSlotInfo } }, { status: 201 }),
      });
      expect((await client.dropSignup(grace)).signedUp).toBe(true);
    }
  });

  it('returns a result for an address with an account', {
    tags: ['envelope.failure-inside-success'],
  }, async ({ service }) => {
    const signup = await service.client().dropSignup({ ...grace, email: users.ada.email });
    expect(signup).toMatchObject({
      signedUp: false,
      hasExistingAccount: true,
      dropSlotInfo: { slotsUsed: 0 },
    });
  });

  it('fails with 409 already_exists for a second signup, without a retry', {
    tags: ['retry.not-client-errors'],
  }, async ({ service }) => {
    const client = service.client();
    await client.dropSignup(grace);
    const error = await failureOf(client.dropSignup(grace));
    expect(error).toMatchObject({
      code: 'failed',
      status: 409,
      errorCode: 'already_exists',
      attempts: 1,
      outcomeUnknown: false,
    });
    expect(error.message).not.toContain('earlier attempt');
  });

  it('names a lost first attempt as the possible cause of already_exists', async ({ service }) => {
    const client = service.client({
      sleep: async () => {},
      fetch: loseFirstAnswer(),
    });
    const error = await failureOf(client.dropSignup(grace));
    expect(error).toMatchObject({
      code: 'failed',
      status: 409,
      errorCode: 'already_exists',
      attempts: 2,
      outcomeUnknown: true,
    });
    expect(error.message).toContain(
      'An earlier attempt of this call got no response and could be the cause.',
    );
  });
});
