import { randomUUID } from 'node:crypto';
import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, describe, expect, it } from 'vitest';
import type { WebhookOptions } from '../src/index.js';
import { signWebhook } from '../src/testing/index.js';
import { Browser } from './browser.js';
import { COMMUNITY } from './community-directory.js';
import { SECOND } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

const SECRET = '5ec2e7'.repeat(10).concat('abcd');
const OTHER_SECRET = '0a5ec2e7'.repeat(8);
const OTHER_COMMUNITY = '5eed0000-0000-4000-8000-0000000000c1';

let shop: Shop;
afterEach(() => shop.close());

interface Visitor {
  user: FakeUser;
  /** The user's id for the client of the shop. */
  sub: string;
  browser: Browser;
  /** Opens the members' page. Resolves with the status. */
  open(path?: string): Promise<number>;
  /** Opens the members' page. Resolves with the number of requests to the service for this. */
  fetches(): Promise<number>;
}

async function startWithVisitors(users: readonly FakeUser[], options?: WebhookOptions): Promise<Visitor[]> {
  const secrets = { communities: { [COMMUNITY]: SECRET, [OTHER_COMMUNITY]: OTHER_SECRET } };
  shop = await startShop({
    routes: (app, auth) => {
      app.use(auth.router);
      app.get('/', (_request, response) => void response.send('Hello'));
      for (const [path, communityId] of [
        ['/members', COMMUNITY],
        ['/others', OTHER_COMMUNITY],
      ] as const) {
        app.get(path, auth.requireMembership({ communityId }), (_request, response) => {
          response.send('The table is set');
        });
      }
      app.all('/webhooks', auth.webhooks(options ?? secrets));
    },
  });
  const asked = () => shop.service.count('GET /oauth/memberships');
  const visitors = users.map((user): Visitor => {
    const browser = new Browser();
    const open = async (path = '/members') => (await browser.request(`${shop.url}${path}`)).status;
    return {
      user,
      browser,
      sub: '',
      open,
      async fetches() {
        const before = asked();
        await open();
        return asked() - before;
      },
    };
  });
  for (const visitor of visitors) {
    await shop.signIn(visitor.user, { browser: visitor.browser });
    const { json } = await visitor.browser.request(`${shop.url}/auth/session`);
    visitor.sub = (json as { user: { sub: string } }).user.sub;
  }
  return visitors;
}

async function deliver(data: Record<string, unknown>, secret = SECRET): Promise<void> {
  const delivery = signWebhook({ type: 'membership.updated', data }, { secret });
  const response = await fetch(`${shop.url}/webhooks`, delivery);
  expect(response.status).toBe(200);
}

describe('a webhook event', () => {
  it.each([
    ['without ids', {}],
    ['with a user id that is not the sub, and an unknown membership id', 'foreign'],
  ])('%s closes and opens the gate at once', async (_name, given) => {
    const data = given === 'foreign' ? foreignIds() : {};
    const [ada, ben] = await startWithVisitors([member('ada'), fakeUser('ben@example.com')]);
    expect([await ada?.open(), await ben?.open()]).toEqual([200, 403]);
    const bought = fakeMembership();
    ada?.user.memberships.pop();
    ben?.user.memberships.push(bought);
    expect([await ada?.open(), await ben?.open()]).toEqual([200, 403]);
    await deliver(data);
    expect([await ada?.open(), await ben?.open()]).toEqual([403, 200]);
  });

  it('that names a cached membership concerns its visitor only', async () => {
    const [ada, ben] = await startWithVisitors([member('ada'), member('ben')]);
    const membershipId = ada?.user.memberships[0]?.id;
    const note = ben?.sub;
    for (const id of [membershipId, membershipId?.toUpperCase()]) {
      await deliver({
        membership: { id },
        user: { sub: randomUUID(), name: note },
        list: [{ sub: note }],
        note,
      });
      expect([await ada?.fetches(), await ben?.fetches()]).toEqual([1, 0]);
    }
  });

  it.each<[string, (membershipId: string | undefined) => object]>([
    ['object', (membershipId) => ({ object: { membershipId } })],
    ['payload', (id) => ({ payload: { membership: { id } } })],
    ['data.object', (membership_id) => ({ data: { object: { membership_id } } })],
  ])('that names a cached membership in %s concerns its visitor only', async (_place, bodyWith) => {
    const [ada, ben] = await startWithVisitors([member('ada'), member('ben')]);
    const body = bodyWith(ada?.user.memberships[0]?.id);
    const response = await fetch(
      `${shop.url}/webhooks`,
      signWebhook({ type: 'membership.updated', body }, { secret: SECRET }),
    );
    expect(response.status).toBe(200);
    expect([await ada?.fetches(), await ben?.fetches()]).toEqual([1, 0]);
  });

  it('that names a user by the sub of a visitor concerns this visitor only, in any letter case', async () => {
    const [ada, ben] = await startWithVisitors([member('ada'), member('ben')]);
    for (const user of [
      { user: { sub: ada?.sub } },
      { user: { id: ada?.sub.toUpperCase() } },
      { userId: ada?.sub },
    ]) {
      await deliver(user);
      expect([await ada?.fetches(), await ben?.fetches()], JSON.stringify(user)).toEqual([1, 0]);
    }
  });

  it('that names several memberships, one of them unknown, concerns all members', async () => {
    const [ada, ben] = await startWithVisitors([member('ada'), member('ben')]);
    await deliver({ membershipId: ada?.user.memberships[0]?.id, membership: { id: randomUUID() } });
    expect([await ada?.fetches(), await ben?.fetches()]).toEqual([1, 1]);
  });

  it('of another community leaves the members of this one cached, and opens the gate of the other', async () => {
    const [ada] = await startWithVisitors([member('ada')]);
    expect(await ada?.open('/others')).toBe(403);
    const bought = fakeMembership();
    ada?.user.memberships.push(bought);
    await deliver({}, OTHER_SECRET);
    expect(await ada?.fetches()).toBe(0);
    expect(await ada?.open('/others')).toBe(403);
    await shop.auth.directory?.record({ membershipId: bought.id, communityId: OTHER_COMMUNITY });
    await deliver({}, OTHER_SECRET);
    expect(await ada?.open('/others')).toBe(200);
  });

  it('takes the membership id from readMembership if the option is set', async () => {
    const [ada, ben] = await startWithVisitors([member('ada'), member('ben')], {
      communities: { [COMMUNITY]: SECRET },
      readMembership: ({ body }) => ({ membershipId: (body as { data: { grant?: string } }).data.grant }),
    });
    await deliver({ grant: ada?.user.memberships[0]?.id, membershipId: ben?.user.memberships[0]?.id });
    expect([await ada?.fetches(), await ben?.fetches()]).toEqual([1, 0]);
  });

  it('without a community, as with the option secret, concerns all visitors', async () => {
    shop = await startShop({
      options: { directory: undefined },
      routes: (app, auth) => {
        app.use(auth.router);
        const anySeller = { productType: 'community', from: 'any-seller' } as const;
        app.get('/', auth.requireMembership(anySeller), (_request, response) => void response.send('in'));
        app.all('/webhooks', auth.webhooks({ secret: SECRET }));
      },
    });
    const ada = member('ada');
    await shop.signIn(ada);
    const open = async () => (await shop.browser.request(shop.url)).status;
    ada.memberships.pop();
    expect(await open()).toBe(200);
    await deliver({});
    expect(await open()).toBe(403);
  });

  it('without ids leaves the last response for an outage of the service', async () => {
    const [ada] = await startWithVisitors([member('ada')]);
    await deliver({});
    shop.service.on('/oauth/memberships', 'reset');
    expect(await ada?.open()).toBe(200);
  });

  it('does not share a request that began before it', async () => {
    const [ada] = await startWithVisitors([member('ada')]);
    shop.clock.advance(61 * SECOND);
    const release = shop.service.hold('/oauth/memberships');
    const early = ada?.open();
    await expect.poll(() => shop.service.count('GET /oauth/memberships')).toBe(2);
    ada?.user.memberships.pop();
    await deliver({});
    const later = ada?.open();
    await expect.poll(() => shop.service.count('GET /oauth/memberships')).toBe(3);
    release();
    expect([await early, await later, await ada?.open()]).toEqual([200, 403, 403]);
  });
});

describe('many events without ids', () => {
  it('drop the cache at most once a second, and the last one always takes effect', async () => {
    const [ada, ben] = await startWithVisitors([member('ada'), fakeUser('ben@example.com')]);
    await deliver({});
    expect([await ada?.fetches(), await ben?.fetches()]).toEqual([1, 1]);
    for (let event = 0; event < 30; event += 1) {
      await deliver(event % 2 === 0 ? {} : foreignIds());
      shop.clock.advance(30);
      expect([await ada?.fetches(), await ben?.fetches()]).toEqual([0, 0]);
    }
    ada?.user.memberships.pop();
    shop.clock.advance(SECOND);
    expect([await ada?.open(), await ada?.fetches()]).toEqual([403, 0]);
    expect([await ben?.fetches(), await ben?.fetches()]).toEqual([1, 0]);
  });

  it('take effect after the clock was set back', async () => {
    const [ada] = await startWithVisitors([member('ada')]);
    await deliver({});
    expect(await ada?.fetches()).toBe(1);
    shop.clock.advance(-30 * SECOND);
    await deliver({});
    expect(await ada?.fetches()).toBe(1);
  });
});

describe('auth.forgetMemberships', () => {
  it('drops the cache of the visitor whom the user id identifies, in any letter case', async () => {
    const [ada, ben] = await startWithVisitors([member('ada'), member('ben')]);
    for (const changed of [{ userId: ada?.sub }, ada?.sub, ada?.sub.toUpperCase()]) {
      shop.auth.forgetMemberships(changed);
      expect([await ada?.fetches(), await ben?.fetches()]).toEqual([1, 0]);
    }
  });

  it('drops the cache of the visitor whom the membership identifies, in any letter case', async () => {
    const [ada, ben] = await startWithVisitors([member('ada'), member('ben')]);
    shop.auth.forgetMemberships({ membershipId: ada?.user.memberships[0]?.id.toUpperCase() });
    expect([await ada?.fetches(), await ben?.fetches()]).toEqual([1, 0]);
  });

  it('drops that of a community if the ids identify no visitor', async () => {
    const [ada] = await startWithVisitors([member('ada')]);
    shop.auth.forgetMemberships({ membershipId: randomUUID(), communityId: OTHER_COMMUNITY });
    expect(await ada?.fetches()).toBe(0);
    shop.clock.advance(SECOND);
    shop.auth.forgetMemberships({ userId: randomUUID(), communityId: COMMUNITY.toUpperCase() });
    expect(await ada?.fetches()).toBe(1);
    shop.clock.advance(SECOND);
    shop.auth.forgetMemberships({});
    expect(await ada?.fetches()).toBe(1);
  });
});

function member(name: string): FakeUser {
  return fakeUser(`${name}@example.com`, [{}]);
}

/** Ids that no visitor has. */
function foreignIds() {
  return { membership: { id: randomUUID() }, user: { sub: randomUUID(), id: randomUUID() } };
}
