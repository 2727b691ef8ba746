import type { ProvisionExternalRequest } from '@latchkey/contract';
import { describe, expect, it } from 'vitest';
import { provisionExternalBody, provisionExternalResponseSchemas } from '../src/api-key/membership.js';
import { accepts, rejectedPaths, without } from './schema-checks.js';

const body = {
  communityId: '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90',
  externalOrderId: 'order-1001',
  email: 'ada@example.com',
} satisfies ProvisionExternalRequest;

describe('the body of provision-external', () => {
  it('requires communityId and externalOrderId', {
    tags: ['provision.community-id', 'provision.external-order-id'],
  }, () => {
    expect(rejectedPaths(provisionExternalBody, body)).toEqual([]);
    expect(rejectedPaths(provisionExternalBody, without(body, 'communityId'))).toEqual(['communityId']);
    expect(rejectedPaths(provisionExternalBody, without(body, 'externalOrderId'))).toEqual([
      'externalOrderId',
    ]);
  });

  it('requires an email or a messengerUserId, and accepts both', {
    tags: ['provision.email-or-messenger'],
  }, () => {
    const neither = without(body, 'email');
    expect(rejectedPaths(provisionExternalBody, neither)).toEqual(['email']);
    expect(rejectedPaths(provisionExternalBody, { ...neither, messengerUserId: 1 })).toEqual([]);
    expect(rejectedPaths(provisionExternalBody, { ...body, messengerUserId: 1 })).toEqual([]);
  });

  it('accepts a messengerUserId from 1 to 2^53-1, as a number', {
    tags: ['provision.messenger-user-id-min'],
  }, () => {
    for (const messengerUserId of [1, Number.MAX_SAFE_INTEGER]) {
      expect(rejectedPaths(provisionExternalBody, { ...body, messengerUserId })).toEqual([]);
    }
    for (const messengerUserId of [0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1, '1', true, null]) {
      expect(rejectedPaths(provisionExternalBody, { ...body, messengerUserId })).toEqual(['messengerUserId']);
    }
  });

  it('accepts an externalOrderId of 1 to 255 characters that a database can store', {
    tags: ['provision.external-order-id'],
  }, () => {
    for (const externalOrderId of ['x', 'x'.repeat(255), 'Bestellung Nr. 5 ☕']) {
      expect(rejectedPaths(provisionExternalBody, { ...body, externalOrderId })).toEqual([]);
    }
    for (const externalOrderId of ['', 'x'.repeat(256), 'a\u0000b', '\uD800', 5, null]) {
      expect(rejectedPaths(provisionExternalBody, { ...body, externalOrderId })).toEqual(['externalOrderId']);
    }
  });

  it('rejects a malformed uuid in both fields', {
    tags: ['provision.malformed-uuid', 'provision.pricing-plan-id'],
  }, () => {
    expect(rejectedPaths(provisionExternalBody, { ...body, communityId: 'main' })).toEqual(['communityId']);
    expect(rejectedPaths(provisionExternalBody, { ...body, pricingPlanId: 'gold' })).toEqual([
      'pricingPlanId',
    ]);
    expect(rejectedPaths(provisionExternalBody, { ...body, pricingPlanId: body.communityId })).toEqual([]);
  });

  it('parses timestamps to milliseconds and rejects other formats than ISO-8601', {
    tags: ['provision.malformed-timestamp'],
  }, () => {
    const window = { validFrom: '2026-01-01', validUntil: '2026-02-01T00:00:00+01:00' };
    expect(provisionExternalBody.parse({ ...body, ...window })).toMatchObject({
      validFrom: Date.parse('2026-01-01T00:00:00Z'),
      validUntil: Date.parse('2026-01-31T23:00:00Z'),
    });
    for (const validUntil of ['tomorrow', '2026-02-30', '', 1767225600000]) {
      expect(rejectedPaths(provisionExternalBody, { ...body, validUntil })).toEqual(['validUntil']);
    }
  });

  it('rejects null for every optional field', { tags: ['provision.valid-until-omitted'] }, () => {
    for (const field of [
      'email',
      'messengerUserId',
      'pricingPlanId',
      'validFrom',
      'validUntil',
      'onOverlap',
    ]) {
      expect(rejectedPaths(provisionExternalBody, { ...body, [field]: null })).toEqual([field]);
    }
  });

  it('accepts extend, replace and error for onOverlap', {
    tags: ['provision.on-overlap-values', 'provision.malformed-on-overlap'],
  }, () => {
    for (const onOverlap of ['extend', 'replace', 'error']) {
      expect(provisionExternalBody.parse({ ...body, onOverlap }).onOverlap).toBe(onOverlap);
    }
    for (const onOverlap of ['', 'Extend', 'merge', 1]) {
      expect(rejectedPaths(provisionExternalBody, { ...body, onOverlap })).toEqual(['onOverlap']);
    }
  });

  it('has extend as the default of onOverlap', { tags: ['provision.on-overlap-default'] }, () => {
    expect(provisionExternalBody.parse(body).onOverlap).toBe('extend');
  });

  it('drops unknown fields', () => {
    expect(provisionExternalBody.parse({ ...body, note: 'hello' })).not.toHaveProperty('note');
  });

  it.each([undefined, null, [], 'text', 5])('rejects %j', (value) => {
    expect(accepts(provisionExternalBody, value)).toBe(false);
  });
});

describe('the response of provision-external', () => {
  const data = {
    membershipId: '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f91',
    userId: '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f92',
    validFrom: '2026-01-01T00:00:00.000Z',
    validUntil: null,
    status: 'created',
  };
  const { strict, loose } = provisionExternalResponseSchemas;

  it('has all five fields, with validUntil null for lifetime access', {
    tags: ['provision.result-valid-until', 'provision.repeat-same-fields'],
  }, () => {
    expect(rejectedPaths(strict, { success: true, data })).toEqual([]);
    for (const key of Object.keys(data)) {
      expect(rejectedPaths(strict, { success: true, data: without(data, key) })).toEqual([`data.${key}`]);
    }
  });

  it('has uuids as ids', { tags: ['provision.result-membership-id', 'provision.result-user-id'] }, () => {
    expect(
      rejectedPaths(strict, { success: true, data: { ...data, membershipId: '7', userId: '8' } }),
    ).toEqual(['data.membershipId', 'data.userId']);
  });

  it('has four known values of status, and a caller accepts others', {
    tags: ['provision.result-status'],
  }, () => {
    for (const status of ['created', 'extended', 'replaced', 'idempotent_return']) {
      expect(accepts(strict, { success: true, data: { ...data, status } })).toBe(true);
    }
    expect(accepts(strict, { success: true, data: { ...data, status: 'merged' } })).toBe(false);
    expect(loose.parse({ success: true, data: { ...data, status: 'merged' } }).data?.status).toBe('merged');
  });
});
