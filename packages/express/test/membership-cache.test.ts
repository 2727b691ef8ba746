import { fakeMembership } from '@latchkey/test-services';
import { describe, expect, it } from 'vitest';
import { MembershipCache } from '../src/memberships/membership-cache.js';
import { manualClock } from './manual-clock.js';

const ada = { sub: 'ada', accessToken: 'token' };
const old = fakeMembership();

/** An answer that comes when the test says so. */
function pending() {
  let answer = (_memberships: ReturnType<typeof fakeMembership>[]) => {};
  const promise = new Promise<ReturnType<typeof fakeMembership>[]>((resolve) => {
    answer = resolve;
  });
  return { ask: () => promise, answer };
}

describe('the memory of memberships', () => {
  it('does not keep an answer that was under way when the user was forgotten', async () => {
    const cache = new MembershipCache(manualClock());
    const { ask, answer } = pending();
    const asked = cache.fetch(ada, ask);
    cache.forget('ada');
    answer([old]);
    expect((await asked).memberships).toEqual([old]);
    expect(cache.fresh('ada')).toBeUndefined();
    expect(cache.stale('ada')).toBeUndefined();
  });

  it('the same when everybody was forgotten', async () => {
    const cache = new MembershipCache(manualClock());
    const { ask, answer } = pending();
    const asked = cache.fetch(ada, ask);
    cache.forget();
    answer([old]);
    await asked;
    expect(cache.fresh('ada')).toBeUndefined();
  });

  it('the same when many thousands of others were forgotten after, as by an import at the service', async () => {
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

  it('asks anew for who asks after that, instead of sharing the older answer', async () => {
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

  it('keeps the answer to the later question, whichever comes first', async () => {
    const cache = new MembershipCache(manualClock());
    const { ask, answer } = pending();
    const slow = cache.fetch(ada, ask);
    await cache.fetch({ ...ada, accessToken: 'of another session' }, async () => [old]);
    answer([]);
    await slow;
    expect(cache.fresh('ada')?.memberships).toEqual([old]);
  });

  it('tells who watches a user when that user, or everybody, is forgotten, until they stop', () => {
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
