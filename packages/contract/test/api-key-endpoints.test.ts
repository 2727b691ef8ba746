import { describe, expect, it } from 'vitest';
import {
  type BuyPlanRequest,
  buyPlanBody,
  buyPlanResponseSchemas,
  inviteLinkPath,
  inviteLinkResponseSchemas,
} from '../src/api-key/checkout.js';
import { dropSignupBody, dropSignupResponseSchemas } from '../src/api-key/drop-signup.js';
import { checkMessengerPath, checkMessengerResponseSchemas } from '../src/api-key/membership.js';
import { accepts, rejectedPaths, without } from './schema-checks.js';

const uuid = '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90';

describe('the invite link', () => {
  it('requires an externalId of 1 to 255 characters', { tags: ['invite-link.external-id'] }, () => {
    expect(inviteLinkPath.parse({ externalId: 'buyer/7' })).toEqual({ externalId: 'buyer/7' });
    expect(accepts(inviteLinkPath, { externalId: 'x'.repeat(255) })).toBe(true);
    expect(accepts(inviteLinkPath, { externalId: 'x'.repeat(256) })).toBe(false);
    expect(accepts(inviteLinkPath, { externalId: '' })).toBe(false);
  });

  it('consists of a URL and its expiry', {
    tags: ['invite-link.result-link', 'invite-link.result-expires-at'],
  }, () => {
    const data = { link: 'https://messenger.example/+abc', expiresAt: '2026-02-01T09:30:15.000Z' };
    expect(rejectedPaths(inviteLinkResponseSchemas.strict, { success: true, data })).toEqual([]);
    expect(
      accepts(inviteLinkResponseSchemas.strict, { success: true, data: without(data, 'expiresAt') }),
    ).toBe(false);
    expect(accepts(inviteLinkResponseSchemas.strict, { success: true, data: { ...data, link: 'abc' } })).toBe(
      false,
    );
  });

  it('can fail inside a 200: success false, data null, a message, no errorCode', {
    tags: ['invite-link.no-bot', 'envelope.failure-inside-success'],
  }, () => {
    const noBot = { success: false, data: null, message: 'The messenger bot is not set up.' };
    expect(accepts(inviteLinkResponseSchemas.strict, noBot)).toBe(true);
    expect(accepts(inviteLinkResponseSchemas.strict, without(noBot, 'data'))).toBe(false);
    expect(accepts(inviteLinkResponseSchemas.strict, { ...noBot, errorCode: 'not_found' })).toBe(false);
    expect(inviteLinkResponseSchemas.loose.parse(noBot).data).toBeNull();
  });
});

describe('the messenger check', () => {
  it('requires a uuid and digits in the path', {
    tags: ['check-messenger.community-id', 'check-messenger.messenger-user-id'],
  }, () => {
    expect(checkMessengerPath.parse({ communityId: uuid, messengerUserId: '9007199254740991' })).toEqual({
      communityId: uuid,
      messengerUserId: 9007199254740991,
    });
    for (const messengerUserId of [
      '0',
      '01',
      '-1',
      '+1',
      '1.0',
      '1e3',
      '0x1',
      ' 1',
      '',
      '9007199254740992',
    ]) {
      expect(rejectedPaths(checkMessengerPath, { communityId: uuid, messengerUserId })).toEqual([
        'messengerUserId',
      ]);
    }
    expect(rejectedPaths(checkMessengerPath, { communityId: 'main', messengerUserId: '1' })).toEqual([
      'communityId',
    ]);
  });

  it('contains a membershipId only if isActive is true', {
    tags: ['check-messenger.result-is-active', 'check-messenger.result-membership-id'],
  }, () => {
    const { strict, loose } = checkMessengerResponseSchemas;
    const answer = (isActive: unknown, membershipId: unknown) => ({
      success: true,
      data: { isActive, membershipId },
    });
    expect(accepts(strict, answer(true, uuid))).toBe(true);
    expect(accepts(strict, answer(false, null))).toBe(true);
    expect(accepts(strict, answer(true, null))).toBe(false);
    expect(accepts(strict, answer(false, uuid))).toBe(false);
    expect(loose.parse({ success: true, data: { isActive: false } }).data?.isActive).toBe(false);
  });
});

describe('buy-plan', () => {
  const body = {
    pricingPlanId: uuid,
    communityId: uuid,
    externalId: 'buyer-7',
    email: 'ada@example.com',
    successUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
  } satisfies BuyPlanRequest;

  it('requires plan, community, externalId and both URLs', {
    tags: [
      'buy-plan.pricing-plan-id',
      'buy-plan.community-id',
      'buy-plan.external-id',
      'buy-plan.success-url',
      'buy-plan.cancel-url',
    ],
  }, () => {
    expect(rejectedPaths(buyPlanBody, body)).toEqual([]);
    for (const key of ['pricingPlanId', 'communityId', 'externalId', 'successUrl', 'cancelUrl']) {
      expect(rejectedPaths(buyPlanBody, without(body, key))).toEqual([key]);
      expect(rejectedPaths(buyPlanBody, { ...body, [key]: '' })).toEqual([key]);
    }
  });

  it('accepts a missing email, which the endpoint reports, and rejects a malformed one', {
    tags: ['buy-plan.missing-email'],
  }, () => {
    expect(rejectedPaths(buyPlanBody, without(body, 'email'))).toEqual([]);
    for (const email of ['', 'ada', null]) {
      expect(rejectedPaths(buyPlanBody, { ...body, email })).toEqual(['email']);
    }
  });

  it('normalizes the email', { tags: ['buy-plan.email-normalised'] }, () => {
    expect(buyPlanBody.parse({ ...body, email: ' Ada@Example.com ' }).email).toBe('ada@example.com');
  });

  it('accepts a utmSource of at most 100 characters', { tags: ['buy-plan.utm-source-max-length'] }, () => {
    expect(rejectedPaths(buyPlanBody, { ...body, utmSource: 'x'.repeat(100) })).toEqual([]);
    expect(rejectedPaths(buyPlanBody, { ...body, utmSource: 'x'.repeat(101) })).toEqual(['utmSource']);
  });

  it('rejects a malformed uuid', { tags: ['buy-plan.malformed-uuid'] }, () => {
    expect(rejectedPaths(buyPlanBody, { ...body, pricingPlanId: 'gold' })).toEqual(['pricingPlanId']);
  });

  it('responds with a session, with empty data, or with success false and no errorCode', {
    tags: ['buy-plan.result-checkout-url', 'buy-plan.unknown-plan', 'buy-plan.missing-email'],
  }, () => {
    const { strict } = buyPlanResponseSchemas;
    expect(accepts(strict, { success: true, data: { checkoutUrl: 'https://pay.example/s/1' } })).toBe(true);
    expect(accepts(strict, { success: true, data: {} })).toBe(true);
    expect(accepts(strict, { success: false, message: 'email is required' })).toBe(true);
    expect(accepts(strict, { success: false, message: 'email is required', errorCode: 'bad_request' })).toBe(
      false,
    );
    expect(accepts(strict, { success: false })).toBe(false);
    expect(accepts(strict, { success: true, data: { checkoutUrl: null } })).toBe(false);
  });

  it('makes checkoutUrl optional for a caller', { tags: ['buy-plan.absence-is-failure'] }, () => {
    const { loose } = buyPlanResponseSchemas;
    expect(loose.parse({ success: true, data: {} }).data?.checkoutUrl).toBeUndefined();
    expect(loose.parse({ success: false, message: 'email is required' }).data?.checkoutUrl).toBeUndefined();
  });
});

describe('drop signup', () => {
  const body = { communityId: uuid, email: 'ada@example.com' };
  const slot = {
    id: 'drop-1',
    slots: null,
    slotsUsed: 0,
    availableSlots: null,
    startsAt: '2026-01-31T09:30:15.000Z',
    endsAt: null,
    isCurrentlyActive: false,
    dropNotification: null,
  };
  const data = { signedUp: true, hasExistingAccount: false, dropSlotInfo: slot };
  const { strict, loose } = dropSignupResponseSchemas;

  it('requires community and email', { tags: ['drop-signup.community-id', 'drop-signup.email'] }, () => {
    expect(rejectedPaths(dropSignupBody, body)).toEqual([]);
    expect(rejectedPaths(dropSignupBody, {})).toEqual(['communityId', 'email']);
  });

  it('accepts a phone number in E.164 and removes spaces and dashes', {
    tags: ['drop-signup.phone-number'],
  }, () => {
    expect(dropSignupBody.parse({ ...body, phoneNumber: '+44 20-7946 0018' }).phoneNumber).toBe(
      '+442079460018',
    );
    for (const phoneNumber of ['+1234567', '+123456789012345']) {
      expect(rejectedPaths(dropSignupBody, { ...body, phoneNumber })).toEqual([]);
    }
    for (const phoneNumber of [
      '',
      '442079460018',
      '+0123456789',
      '+123456',
      '+1234567890123456',
      '+44(20)1',
      null,
    ]) {
      expect(rejectedPaths(dropSignupBody, { ...body, phoneNumber })).toEqual(['phoneNumber']);
    }
  });

  it('responds with the slot, whose counts and end are null if unlimited', {
    tags: [
      'drop-signup.result-slot-info',
      'drop-signup.slot-slots',
      'drop-signup.slot-available',
      'drop-signup.slot-ends-at',
    ],
  }, () => {
    expect(rejectedPaths(strict, { success: true, data })).toEqual([]);
    const limited = {
      ...slot,
      slots: 10,
      slotsUsed: 3,
      availableSlots: 7,
      endsAt: '2026-02-01T09:30:15.000Z',
    };
    expect(rejectedPaths(strict, { success: true, data: { ...data, dropSlotInfo: limited } })).toEqual([]);
    for (const key of Object.keys(slot)) {
      const info = without(slot, key);
      expect(rejectedPaths(strict, { success: true, data: { ...data, dropSlotInfo: info } })).toEqual([
        `data.dropSlotInfo.${key}`,
      ]);
    }
  });

  it('is skipped exactly for addresses with an account', {
    tags: ['drop-signup.result-signed-up', 'drop-signup.result-has-existing-account'],
  }, () => {
    expect(
      accepts(strict, { success: true, data: { ...data, signedUp: false, hasExistingAccount: true } }),
    ).toBe(true);
    expect(accepts(strict, { success: true, data: { ...data, hasExistingAccount: true } })).toBe(false);
    expect(accepts(strict, { success: true, data: { ...data, signedUp: false } })).toBe(false);
  });

  it('contains internal fields, of which a caller accepts any value', {
    tags: [
      'drop-signup.slot-notification',
      'drop-signup.slot-user-has-notification',
      'drop-signup.ignore-internal',
    ],
  }, () => {
    const internal = { ...slot, dropNotification: { id: 1 }, userHasNotification: true };
    expect(rejectedPaths(strict, { success: true, data: { ...data, dropSlotInfo: internal } })).toEqual([]);
    const changed = { ...slot, dropNotification: 'none', userHasNotification: 0 };
    expect(rejectedPaths(loose, { success: true, data: { ...data, dropSlotInfo: changed } })).toEqual([]);
    const gone = without(slot, 'dropNotification');
    expect(rejectedPaths(loose, { success: true, data: { ...data, dropSlotInfo: gone } })).toEqual([]);
  });
});
