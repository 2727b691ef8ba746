import { randomUUID } from 'node:crypto';
import { fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, describe, expect, it } from 'vitest';
import { externalIdsOf } from '../src/checkout/service-calls.js';
import { memoryDirectory } from '../src/index.js';
import { MembershipCache } from '../src/memberships/membership-cache.js';
import { manualClock } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop | undefined;
afterEach(() => shop?.close());

const lower = (id: string) => id.toLowerCase();
const upper = (id: string) => id.toUpperCase();
const mixed = (id: string) =>
  id.replaceAll(/[a-f]/g, (letter, at: number) => (at % 2 ? letter : upper(letter)));

describe('ids of memberships, communities and plans compare without letter case', () => {
  it.each([
    ['upper case from the service', upper, lower, lower],
    ['upper case in a rule', lower, upper, lower],
    ['upper case in the directory', lower, lower, upper],
    ['mixed case from the service', mixed, upper, lower],
    ['mixed case in the directory', upper, lower, mixed],
  ])('%s', async (_name, fromService, inRule, inDirectory) => {
    const [membershipId, communityId, pricingPlanId] = [randomUUID(), randomUUID(), randomUUID()];
    const rules = [
      { communityId: inRule(communityId) },
      { pricingPlanId: inRule(pricingPlanId) },
      { membershipId: inRule(membershipId) },
      { membershipId: inRule(membershipId), from: 'any-seller' as const },
    ];
    const started = await startShop({
      options: { directory: memoryDirectory() },
      routes: (app, auth) => {
        app.use(auth.router);
        app.get('/', (_request, response) => void response.send('Hello'));
        for (const [index, rule] of rules.entries()) {
          app.get(
            `/${index}`,
            auth.requireMembership(rule),
            (_request, response) => void response.send('in'),
          );
        }
      },
    });
    shop = started;
    await started.auth.directory?.record({
      membershipId: inDirectory(membershipId),
      communityId: inDirectory(communityId),
      pricingPlanId: inDirectory(pricingPlanId),
    });
    await started.signIn(fakeUser('ada@example.com', [fakeMembership({ id: fromService(membershipId) })]));
    for (const index of rules.keys()) {
      expect((await started.browser.request(`${started.url}/${index}`)).status, `rule ${index}`).toBe(200);
    }
  });
});

describe('the sub of a user', () => {
  const uuid = 'abcdef00-0000-4000-8000-00000000000f';

  it.each([
    ['a UUID in another case is the same user', uuid, upper(uuid), true],
    ['another text in another case is another user', 'user-Ada', 'user-ada', false],
  ])('%s', (_name, cached, asked, isSame) => {
    const cache = new MembershipCache(manualClock());
    cache.remember(cached, [], cache.nextRequest());
    expect(cache.fresh(asked) !== undefined).toBe(isSame);
    cache.forget(asked);
    expect(cache.fresh(cached) === undefined).toBe(isSame);
  });

  it('gives one external id per secret for all cases of a UUID', () => {
    const secrets = ['a secret of at least 32 characters', 'an old secret of 32 characters..'];
    const plan = randomUUID();
    const ids = externalIdsOf(secrets, plan, uuid);
    expect(ids).toHaveLength(2);
    expect(externalIdsOf(secrets, plan, upper(uuid))).toEqual(ids);
    expect(externalIdsOf(secrets.slice(0, 1), plan, uuid)).toEqual([ids[0]]);
    expect(externalIdsOf(secrets, plan, 'user-Ada')[0]).not.toBe(externalIdsOf(secrets, plan, 'user-ada')[0]);
  });
});
