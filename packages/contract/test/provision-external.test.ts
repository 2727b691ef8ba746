import type { ProvisionExternalRequest } from '@latchkey/contract';
import { describe, expect, it } from 'vitest';
import {
  provisionExternalBody,
  provisionExternalResponseSchemas,
} from '../src/membership/provision-external.js';
import { accepts, refusedPaths, without } from './schema-checks.js';

const body = {
  communityId: '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90',
  externalOrderId: 'order-1001',
  email: 'ada@example.com',
} satisfies ProvisionExternalRequest;

describe('the body of provision-external', () => {
  it('needs communityId and externalOrderId [provision.community-id] [provision.external-order-id]', () => {
    expect(refusedPaths(provisionExternalBody, body)).toEqual([]);
    expect(refusedPaths(provisionExternalBody, without(body, 'communityId'))).toEqual(['communityId']);
    expect(refusedPaths(provisionExternalBody, without(body, 'externalOrderId'))).toEqual([
      'externalOrderId',
    ]);
  });

  it('needs an email or a messengerUserId, and takes both [provision.email-or-messenger]', () => {
    const neither = without(body, 'email');
    expect(refusedPaths(provisionExternalBody, neither)).toEqual(['email']);
    expect(refusedPaths(provisionExternalBody, { ...neither, messengerUserId: 1 })).toEqual([]);
    expect(refusedPaths(provisionExternalBody, { ...body, messengerUserId: 1 })).toEqual([]);
  });

  it('takes a messengerUserId from 1 to 2^53-1, as a number [provision.messenger-user-id-min]', () => {
    for (const messengerUserId of [1, Number.MAX_SAFE_INTEGER]) {
      expect(refusedPaths(provisionExternalBody, { ...body, messengerUserId })).toEqual([]);
    }
    for (const messengerUserId of [0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1, '1', true, null]) {
      expect(refusedPaths(provisionExternalBody, { ...body, messengerUserId })).toEqual(['messengerUserId']);
    }
  });

  it('takes an externalOrderId of 1 to 255 characters that a database can keep [provision.external-order-id]', () => {
    for (const externalOrderId of ['x', 'x'.repeat(255), 'Bestellung Nr. 5 ☕']) {
      expect(refusedPaths(provisionExternalBody, { ...body, externalOrderId })).toEqual([]);
    }
    for (const externalOrderId of ['', 'x'.repeat(256), 'a\u0000b', '\uD800', 5, null]) {
      expect(refusedPaths(provisionExternalBody, { ...body, externalOrderId })).toEqual(['externalOrderId']);
    }
  });

  it('refuses a malformed uuid in either place [provision.malformed-uuid] [provision.pricing-plan-id]', () => {
    expect(refusedPaths(provisionExternalBody, { ...body, communityId: 'main' })).toEqual(['communityId']);
    expect(refusedPaths(provisionExternalBody, { ...body, pricingPlanId: 'gold' })).toEqual([
      'pricingPlanId',
    ]);
    expect(refusedPaths(provisionExternalBody, { ...body, pricingPlanId: body.communityId })).toEqual([]);
  });

  it('reads timestamps as milliseconds and refuses what is not ISO-8601 [provision.malformed-timestamp]', () => {
    const window = { validFrom: '2026-01-01', validUntil: '2026-02-01T00:00:00+01:00' };
    expect(provisionExternalBody.parse({ ...body, ...window })).toMatchObject({
      validFrom: Date.parse('2026-01-01T00:00:00Z'),
      validUntil: Date.parse('2026-01-31T23:00:00Z'),
    });
    for (const validUntil of ['tomorrow', '2026-02-30', '', 1767225600000]) {
      expect(refusedPaths(provisionExternalBody, { ...body, validUntil })).toEqual(['validUntil']);
    }
  });

  it('refuses null for every optional field [provision.valid-until-omitted]', () => {
    for (const field of [
      'email',
      'messengerUserId',
      'pricingPlanId',
      'validFrom',
      'validUntil',
      'onOverlap',
    ]) {
      expect(refusedPaths(provisionExternalBody, { ...body, [field]: null })).toEqual([field]);
    }
  });

  it('takes extend, replace and error for onOverlap [provision.on-overlap-values] [provision.malformed-on-overlap]', () => {
    for (const onOverlap of ['extend', 'replace', 'error']) {
      expect(provisionExternalBody.parse({ ...body, onOverlap }).onOverlap).toBe(onOverlap);
    }
    for (const onOverlap of ['', 'Extend', 'merge', 1]) {
      expect(refusedPaths(provisionExternalBody, { ...body, onOverlap })).toEqual(['onOverlap']);
    }
  });

  it('extends by default [provision.on-overlap-default]', () => {
    expect(provisionExternalBody.parse(body).onOverlap).toBe('extend');
  });

  it('leaves unknown fields out', () => {
    expect(provisionExternalBody.parse({ ...body, note: 'hello' })).not.toHaveProperty('note');
  });

  it.each([undefined, null, [], 'text', 5])('is not %j', (value) => {
    expect(accepts(provisionExternalBody, value)).toBe(false);
  });
});

describe('the answer of provision-external', () => {
  const data = {
    membershipId: '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f91',
    userId: '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f92',
    validFrom: '2026-01-01T00:00:00.000Z',
    validUntil: null,
    status: 'created',
  };
  const { strict, loose } = provisionExternalResponseSchemas;

  it('carries all five fields, validUntil null for lifetime [provision.result-valid-until] [provision.repeat-same-fields]', () => {
    expect(refusedPaths(strict, { success: true, data })).toEqual([]);
    for (const key of Object.keys(data)) {
      expect(refusedPaths(strict, { success: true, data: without(data, key) })).toEqual([`data.${key}`]);
    }
  });

  it('carries uuids [provision.result-membership-id] [provision.result-user-id]', () => {
    expect(
      refusedPaths(strict, { success: true, data: { ...data, membershipId: '7', userId: '8' } }),
    ).toEqual(['data.membershipId', 'data.userId']);
  });

  it('knows four values of status, and a caller takes more [provision.result-status]', () => {
    for (const status of ['created', 'extended', 'replaced', 'idempotent_return']) {
      expect(accepts(strict, { success: true, data: { ...data, status } })).toBe(true);
    }
    expect(accepts(strict, { success: true, data: { ...data, status: 'merged' } })).toBe(false);
    expect(loose.parse({ success: true, data: { ...data, status: 'merged' } }).data?.status).toBe('merged');
  });
});
