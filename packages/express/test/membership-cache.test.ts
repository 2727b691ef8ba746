import { fakeMembership } from '@latchkey/conformance/scripted-service';
import { describe, expect, it } from 'vitest';
import { MembershipCache } from '../src/memberships/membership-cache.js';
import { type SiteMembership, siteMembership } from '../src/memberships/site-membership.js';
import { manualClock } from './manual-clock.js';

const ada = { sub: 'ada', accessToken: 'token' };
const old = siteMembership(fakeMembership(), undefined);

/** A response that the test controls. */
function pending() {
  let answer = (_memberships: SiteMembership[]) => {};
  const promise = new Promise<SiteMembership[]>((resolve) => {
    answer = resolve;
  });
  return { ask: () => promise, answer };
}

describe('the membership cache', () => {
  it('holds as many memberships as the longest list that the kit reads', async () => {
    const cache = new MembershipCache(manualClock());
    const many = Array.from({ length: 200_000 }, () => old);
    expect(cache.remember('ada', many, cache.nextRequest()).memberships).toHaveLength(200_000);
    expect(cache.fresh('ada')?.memberships).toHaveLength(200_000);
  });

  it('does not cache a response if the user was forgotten during the request', async () => {
    const cache = new MembershipCache(manualClock());
    const { ask, answer } = pending();
    const asked = cache.fetch(ada, ask);
    cache.forget('ada');
    answer([old]);
    expect((await asked).memberships).toEqual([old]);
    expect(cache.fresh('ada')).toBeUndefined();
    expect(cache.stale('ada')).toBeUndefined();
  });

  it('does not cache a response if all users were forgotten during the request', async () => {
    const cache = new MembershipCache(manualClock());
    const { ask, answer } = pending();
    const asked = cache.fetch(ada, ask);
    cache.forget();
    answer([old]);
    await asked;
    expect(cache.fresh('ada')).toBeUndefined();
  });

  it('does not cache a response if thousands of other users were forgotten afterwards', async () => {
    const cache = new MembershipCache(manualClock());
    const { ask, answer } = pending();
    const asked = cache.fetch(ada, ask);
    cache.forget('ada');
    for (let other = 0; other < 20_000; other += 1) cache.forget(`other ${other}`);
    answer([old]);
    await asked;
    expect(cache.fresh('ada')).toBeUndefined();
    await cache.fetch(ada, async () => [old]);
    expect(cache.fresh('ada')?.memberships).toEqual([old]);
  });

  it('sends a new request after forget, instead of sharing the older one', async () => {
    const cache = new MembershipCache(manualClock());
    const { ask, answer } = pending();
    const first = cache.fetch(ada, ask);
    cache.forget('ada');
    const second = await cache.fetch(ada, async () => []);
    answer([old]);
    await first;
    expect(second.memberships).toEqual([]);
    expect(cache.fresh('ada')?.memberships).toEqual([]);
  });

  it('keeps the response to the later request, in whatever order they arrive', async () => {
    const cache = new MembershipCache(manualClock());
    const { ask, answer } = pending();
    const slow = cache.fetch(ada, ask);
    await cache.fetch({ ...ada, accessToken: 'of another session' }, async () => [old]);
    answer([]);
    await slow;
    expect(cache.fresh('ada')?.memberships).toEqual([old]);
  });

  it('notifies listeners when the user or all users are forgotten, until they are removed', () => {
    const cache = new MembershipCache(manualClock());
    const heard: string[] = [];
    const stop = cache.onForget('ada', () => heard.push('first'));
    cache.onForget('ada', () => heard.push('second'));
    cache.forget('ben');
    cache.forget('ada');
    stop();
    cache.forget();
    expect(heard).toEqual(['first', 'second', 'second']);
  });
});
