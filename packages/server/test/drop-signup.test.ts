import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { decideSignup } from '../src/features/drops/sign-up-for-drop.js';
import { callWithKey, keyWith } from './api-key-requests.js';
import { communityWith, failureOf, resultOf, signUp } from './drop-signup-requests.js';
import { fuzzEndpoint } from './malformed-requests.js';
import { it } from './service-under-test.js';

const { users, community, dropSlot } = sandboxScenario;
const HOUR = 3600_000;
const DAY = 24 * HOUR;

describe('drop signup', () => {
  it('returns 201 with the current drop slot', {
    tags: [
      'drop-signup.success-created',
      'drop-signup.result-signed-up',
      'drop-signup.result-has-existing-account',
      'drop-signup.result-slot-info',
      'drop-signup.slot-id',
      'drop-signup.slot-slots',
      'drop-signup.slot-slots-used',
      'drop-signup.slot-available',
      'drop-signup.slot-starts-at',
      'drop-signup.slot-ends-at',
      'drop-signup.slot-currently-active',
      'drop-signup.slot-notification',
      'api-key.envelope',
    ],
  }, async ({ service }) => {
    expect(resultOf(await signUp(service))).toEqual({
      signedUp: true,
      hasExistingAccount: false,
      dropSlotInfo: {
        id: dropSlot.id,
        slots: 100,
        slotsUsed: 1,
        availableSlots: 99,
        startsAt: '2026-06-19T14:05:00.000Z',
        endsAt: null,
        isCurrentlyActive: false,
        dropNotification: null,
      },
    });
  });

  it('omits the internal userHasNotification, which is optional', {
    tags: ['drop-signup.slot-user-has-notification'],
  }, async ({ service }) => {
    expect(resultOf(await signUp(service)).dropSlotInfo).not.toHaveProperty('userHasNotification');
  });

  it('ignores the number of slots when there is no limit', {
    tags: ['drop-signup.slot-slots', 'drop-signup.slot-available'],
  }, async ({ service }) => {
    const { communityId } = await communityWith(service, { starts: DAY });
    await signUp(service, { communityId, email: 'one@example.com' });
    const { dropSlotInfo } = resultOf(await signUp(service, { communityId, email: 'two@example.com' }));
    expect(dropSlotInfo).toMatchObject({ slots: null, slotsUsed: 2, availableSlots: null });
  });

  it('applies to the earliest drop that has not ended at the time of the call', {
    tags: ['drop-signup.next-drop', 'drop-signup.slot-currently-active', 'drop-signup.slot-ends-at'],
  }, async ({ service }) => {
    const { communityId, dropIds } = await communityWith(
      service,
      { starts: 3 * DAY },
      { starts: DAY, ends: 2 * DAY },
      { starts: -2 * DAY, ends: -DAY },
    );
    const [last, first] = dropIds;
    const next = async (email: string) =>
      resultOf(await signUp(service, { communityId, email })).dropSlotInfo;
    expect(await next('a@example.com')).toMatchObject({
      id: first,
      isCurrentlyActive: false,
      endsAt: '2026-06-14T14:05:00.000Z',
    });
    service.clock.advance(DAY);
    expect(await next('b@example.com')).toMatchObject({ id: first, isCurrentlyActive: true, slotsUsed: 2 });
    service.clock.advance(DAY - 1);
    expect(await next('c@example.com')).toMatchObject({ id: first, isCurrentlyActive: true });
    service.clock.advance(1);
    expect(await next('a@example.com')).toMatchObject({ id: last, isCurrentlyActive: false, slotsUsed: 1 });
    service.clock.advance(DAY);
    expect(await next('b@example.com')).toMatchObject({ id: last, isCurrentlyActive: true });
  });

  it('returns 404 when no drop is running or planned', {
    tags: ['api-key.status-not-found', 'envelope.endpoint-failure'],
  }, async ({ service }) => {
    const { communityId } = await communityWith(service, { starts: -2 * DAY, ends: 0 });
    expect(failureOf(await signUp(service, { communityId }))).toBe('404 not_found');
    expect(failureOf(await signUp(service, { communityId, email: users.ada.email }))).toBe('404 not_found');
  });

  it('signs up no address with an account, member or not, and uses no slot', {
    tags: [
      'drop-signup.existing-account',
      'drop-signup.existing-account-global',
      'drop-signup.result-has-existing-account',
    ],
  }, async ({ service }) => {
    for (const email of [users.ada.email, users.ben.email, '  BEN@Example.com ']) {
      expect(resultOf(await signUp(service, { email }))).toMatchObject({
        signedUp: false,
        hasExistingAccount: true,
        dropSlotInfo: { id: dropSlot.id, slotsUsed: 0, availableSlots: 100 },
      });
    }
    // This includes an address that was signed up before.
    await signUp(service);
    await service.server.operator.createUser({ email: 'grace@example.com' });
    expect(resultOf(await signUp(service))).toMatchObject({
      signedUp: false,
      dropSlotInfo: { slotsUsed: 1 },
    });
  });

  it('returns 409 already_exists for an address that is signed up, however it is written', {
    tags: ['drop-signup.duplicate', 'api-key.status-conflict'],
  }, async ({ service }) => {
    await signUp(service);
    for (const email of ['grace@example.com', ' Grace@EXAMPLE.com']) {
      expect(failureOf(await signUp(service, { email }))).toBe('409 already_exists');
    }
    const { dropSlotInfo } = resultOf(await signUp(service, { email: 'other@example.com' }));
    expect(dropSlotInfo.slotsUsed).toBe(2);
  });

  it('returns 409 conflict when no slot is left, and reports a duplicate first', {
    tags: ['api-key.status-conflict'],
  }, async ({ service }) => {
    const { communityId } = await communityWith(service, { starts: DAY, slots: 1 }, { starts: 2 * DAY });
    const { dropSlotInfo } = resultOf(await signUp(service, { communityId }));
    expect(dropSlotInfo).toMatchObject({ slots: 1, slotsUsed: 1, availableSlots: 0 });
    const other = { communityId, email: 'other@example.com' };
    expect(failureOf(await signUp(service, other))).toBe('409 conflict');
    expect(failureOf(await signUp(service, { communityId }))).toBe('409 already_exists');
    expect(resultOf(await signUp(service, { communityId, email: users.ada.email })).dropSlotInfo).toEqual(
      dropSlotInfo,
    );
    const { communityId: none } = await communityWith(service, { starts: DAY, slots: 0 });
    expect(failureOf(await signUp(service, { communityId: none }))).toBe('409 conflict');
  });

  it.for([
    ['communityId', undefined],
    ['communityId', 'main'],
    ['communityId', null],
    ['email', undefined],
    ['email', 'grace'],
    ['email', ''],
    ['email', `${'g'.repeat(250)}@example.com`],
    ['phoneNumber', '020 7946 0018'],
    ['phoneNumber', '+44 20 7946 0018 ext. 3'],
    ['phoneNumber', '+1234567890123456'],
    ['phoneNumber', ''],
    ['phoneNumber', 442079460018],
    ['phoneNumber', null],
  ] as const)(
    'returns 400 for %s = %s',
    {
      tags: [
        'drop-signup.community-id',
        'drop-signup.email',
        'drop-signup.phone-number',
        'api-key.status-validation',
      ],
    },
    async ([field, value], { service }) => {
      const answer = await signUp(service, { [field]: value });
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
    },
  );

  it('accepts a phone number with spaces and dashes, and unknown fields', {
    tags: ['drop-signup.phone-number'],
  }, async ({ service }) => {
    const answer = await signUp(service, { phoneNumber: '+44 20-7946 0018', dropSlotId: 'mine' });
    expect(resultOf(answer).dropSlotInfo.id).toBe(dropSlot.id);
  });

  it('requires DROP_NOTIFICATION_WRITE and a role in the community', {
    tags: ['api-key.drop-signup-permission', 'api-key.missing-permission', 'api-key.missing-role'],
  }, async ({ service }) => {
    const path = PATHS.dropSignup;
    const json = { communityId: community.id, email: 'grace@example.com' };
    const weak = await keyWith(service, ['MEMBERSHIP_READ', 'MEMBERSHIP_WRITE', 'CHECKOUT_WRITE']);
    expect(await callWithKey(service, { path, json, key: weak })).toMatchObject({ status: 403 });
    const right = await keyWith(service, ['DROP_NOTIFICATION_WRITE']);
    expect(await callWithKey(service, { path, json, key: right })).toMatchObject({ status: 201 });
    const stranger = await keyWith(service, ['DROP_NOTIFICATION_WRITE'], users.ben.id);
    expect(await callWithKey(service, { path, json, key: stranger })).toMatchObject({ status: 403 });
  });

  it('never returns a 5xx for a malformed request', {
    tags: ['rejection.before-endpoint'],
    timeout: 60_000,
  }, async ({ service }) => {
    const valid = { communityId: community.id, email: 'grace@example.com', phoneNumber: '+442079460018' };
    const statuses = await fuzzEndpoint(service, { endpoint: 'dropSignup', valid, runs: 250 });
    expect(statuses.get(400)).toBeGreaterThan(100);
  });
});

describe('decision on a signup', () => {
  it.for([
    { hasAccount: true, isSignedUp: true, availableSlots: 0, decision: 'has-account' },
    { hasAccount: true, isSignedUp: false, availableSlots: null, decision: 'has-account' },
    { hasAccount: false, isSignedUp: true, availableSlots: 0, decision: 'duplicate' },
    { hasAccount: false, isSignedUp: true, availableSlots: null, decision: 'duplicate' },
    { hasAccount: false, isSignedUp: false, availableSlots: 0, decision: 'full' },
    { hasAccount: false, isSignedUp: false, availableSlots: 1, decision: 'sign-up' },
    { hasAccount: false, isSignedUp: false, availableSlots: null, decision: 'sign-up' },
  ])(
    'is $decision with hasAccount $hasAccount, isSignedUp $isSignedUp and $availableSlots slots',
    ({ decision, ...facts }) => {
      expect(decideSignup(facts)).toBe(decision);
    },
  );
});
