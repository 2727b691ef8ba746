import { ENDPOINTS } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { callWithKey } from './api-key-requests.js';
import { fuzzEndpoint } from './malformed-requests.js';
import { it, type ServiceUnderTest, START } from './service-under-test.js';

const { users, community, memberships } = sandboxScenario;
const DAY = 24 * 3600_000;

async function check(service: ServiceUnderTest, messengerUserId: number, communityId: string = community.id) {
  const path = `/membership/check-messenger/${communityId}/${messengerUserId}`;
  const answer = await callWithKey(service, { path });
  expect(answer.status).toBe(200);
  return ENDPOINTS.checkMessenger.success.body.strict.parse(answer.body).data;
}

const NO_ACCESS = { isActive: false, membershipId: null };

describe('check-messenger', () => {
  it('returns the active membership of a messenger user', {
    tags: [
      'check-messenger.result-is-active',
      'check-messenger.result-membership-id',
      'check-messenger.community-id',
      'check-messenger.messenger-user-id',
    ],
  }, async ({ service }) => {
    const active = { isActive: true, membershipId: memberships.adaCommunity.id };
    expect(await check(service, users.ada.messengerUserId)).toEqual(active);
    expect(await check(service, users.ada.messengerUserId, community.id.toUpperCase())).toEqual(active);
  });

  it('returns no membership for a non-member and for an unknown account', {
    tags: ['check-messenger.result-is-active', 'check-messenger.result-membership-id'],
  }, async ({ service }) => {
    expect(await check(service, users.ben.messengerUserId)).toEqual(NO_ACCESS);
    expect(await check(service, Number.MAX_SAFE_INTEGER)).toEqual(NO_ACCESS);
    const { id } = await service.server.operator.createCommunity({ name: 'Tea', ownerId: users.dana.id });
    expect(await check(service, users.ada.messengerUserId, id)).toEqual(NO_ACCESS);
  });

  it('evaluates at the moment of the call: the first instant of a window counts, its end does not', {
    tags: ['check-messenger.point-in-time'],
  }, async ({ service }) => {
    const { id } = await service.server.operator.grantMembership({
      userId: users.ben.id,
      productType: 'community',
      communityId: community.id,
      validFrom: START + DAY,
      validUntil: START + 2 * DAY,
    });
    const benNow = () => check(service, users.ben.messengerUserId);
    expect(await benNow()).toEqual(NO_ACCESS);
    service.clock.set(START + DAY - 1);
    expect(await benNow()).toEqual(NO_ACCESS);
    service.clock.set(START + DAY);
    expect(await benNow()).toEqual({ isActive: true, membershipId: id });
    service.clock.set(START + 2 * DAY - 1);
    expect(await benNow()).toEqual({ isActive: true, membershipId: id });
    service.clock.set(START + 2 * DAY);
    expect(await benNow()).toEqual(NO_ACCESS);
  });

  it('responds to any path in the shape of the status', {
    tags: ['check-messenger.community-id', 'check-messenger.messenger-user-id'],
    timeout: 60_000,
  }, async ({ service }) => {
    const valid = { communityId: community.id, messengerUserId: '1001' };
    const statuses = await fuzzEndpoint(service, { endpoint: 'checkMessenger', valid });
    expect(statuses.get(400)).toBeGreaterThan(200);
    expect(await check(service, users.ada.messengerUserId)).toMatchObject({ isActive: true });
  });
});
