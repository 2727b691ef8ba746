import { afterEach, describe, expect, it } from 'vitest';
import { MembershipSnapshot } from '../src/memberships/membership-snapshot.js';
import { siteMembership } from '../src/memberships/site-membership.js';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('validUntil without an offset', () => {
  it.each(['Asia/Tokyo', 'America/Los_Angeles'])('is UTC on a machine in %s', (timeZone) => {
    process.env.TZ = timeZone;
    const membership = { id: 'm', productType: 'community', isActive: true, validFrom: undefined };
    const ends = siteMembership({ ...membership, validUntil: '2026-06-12T14:05:00' }, undefined);
    const sizeAt = (time: string) => {
      const clock = { now: () => Date.parse(time) };
      return new MembershipSnapshot([ends], { clock, fetchedAt: clock.now() }).memberships.length;
    };
    expect([sizeAt('2026-06-12T14:04:59Z'), sizeAt('2026-06-12T14:05:00Z')]).toEqual([1, 0]);
  });
});
