import { fakeMembership } from '@latchkey/conformance/scripted-service';
import { describe, expect, it } from 'vitest';
import { MembershipCache } from '../src/memberships/membership-cache.js';
import { siteMembership } from '../src/memberships/site-membership.js';
import { manualClock } from './manual-clock.js';

const one = siteMembership(fakeMembership(), undefined);
const many = Array.from({ length: 20_000 }, () => siteMembership(fakeMembership(), undefined));

describe('users with 20,000 memberships', () => {
  it('replace each other in the cache, and no other user', () => {
    const cache = new MembershipCache(manualClock());
    cache.remember('ada', [one], cache.nextRequest());
    for (let user = 0; user < 30; user += 1) cache.remember(`large ${user}`, many, cache.nextRequest());
    expect(cache.fresh('ada')?.memberships).toEqual([one]);
    const kept = Array.from({ length: 30 }, (_, user) => cache.fresh(`large ${user}`)).filter(
      (snapshot) => snapshot !== undefined,
    );
    expect(kept).toHaveLength(10);
    expect(cache.fresh('large 29')?.memberships).toHaveLength(20_000);
  });

  it('are found by a changed membership, and by no other', () => {
    const cache = new MembershipCache(manualClock());
    cache.remember('ada', [one], cache.nextRequest());
    cache.remember('large', many, cache.nextRequest());
    cache.forgetMemberships(['other']);
    expect([cache.fresh('ada'), cache.fresh('large')]).not.toContain(undefined);
    cache.forgetMemberships([many[19_999]?.id.toUpperCase() ?? '']);
    expect([cache.fresh('ada')?.size, cache.fresh('large')]).toEqual([1, undefined]);
  });

  it('become small again when their list does', () => {
    const cache = new MembershipCache(manualClock());
    cache.remember('ada', many, cache.nextRequest());
    cache.remember('ada', [one], cache.nextRequest());
    expect(cache.fresh('ada')?.memberships).toEqual([one]);
    cache.remember('ada', many, cache.nextRequest());
    cache.forget('ada');
    expect(cache.fresh('ada')).toBeUndefined();
  });
});

describe('a response to a request that began before a change', () => {
  it('is not cached, also after thousands of other changes', () => {
    const cache = new MembershipCache(manualClock());
    const request = cache.nextRequest();
    cache.forgetMemberships([one.id]);
    for (let batch = 0; batch < 50; batch += 1) {
      cache.forgetMemberships(Array.from({ length: 500 }, (_, row) => `other-${batch}-${row}`));
    }
    cache.remember('ada', [one], request);
    expect(cache.fresh('ada')).toBeUndefined();
    cache.remember('ada', [one], cache.nextRequest());
    expect(cache.fresh('ada')?.memberships).toEqual([one]);
  });

  it('is cached if it contains no changed membership', () => {
    const cache = new MembershipCache(manualClock());
    const request = cache.nextRequest();
    cache.forgetMemberships(['other']);
    cache.remember('ada', [one], request);
    expect(cache.fresh('ada')?.memberships).toEqual([one]);
  });
});
