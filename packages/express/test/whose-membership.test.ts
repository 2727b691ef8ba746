import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type LatchkeyOptions,
  LatchkeyOptionsError,
  type MembershipDirectory,
  membershipDirectory,
  memoryDirectory,
  sqliteDirectory,
} from '../src/index.js';
import { Browser } from './browser.js';
import { COMMUNITY, OF_THE_SHOP, PRODUCT, SHOP_MEMBERS } from './community-directory.js';
import { MINUTE, SECOND } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

const FOREIGN = { isKnown: false, communityId: null, productId: null, pricingPlanId: null };

let folder: string;
let directory: MembershipDirectory;
const shops: Shop[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-gates-'));
  directory = sqliteDirectory(join(folder, 'memberships.sqlite'));
});
afterEach(async () => {
  for (const shop of shops.splice(0).reverse()) await shop.close();
  await directory.close();
  await rm(folder, { recursive: true });
});

async function open(options: Partial<LatchkeyOptions> = {}, beside?: Shop): Promise<Shop> {
  const shop = await startShop({
    options: { directory, ...options },
    ...(beside && { beside }),
    routes: (app, auth) => {
      app.use(auth.router);
      app.get('/', (_request, response) => response.send('Hello'));
      app.get('/members', auth.requireMembership(SHOP_MEMBERS), (_request, response) =>
        response.send('The table is set'),
      );
      app.get(
        '/count',
        auth.requireMembership((list) => list.length > 0),
        (_request, response) => response.send('The table is set'),
      );
      app.get(
        '/anybody',
        auth.requireMembership({ productType: 'community', from: 'any-seller' }),
        (_request, response) => response.send('The door is open'),
      );
      app.all('/welcome', auth.awaitMembership(SHOP_MEMBERS, { holdSeconds: 0 }), (_request, response) =>
        response.send('Welcome, member'),
      );
      app.get('/list', async (request, response) => {
        response.json(await request.latchkey?.memberships());
      });
      app.get('/view', auth.locals(), (_request, response) => {
        const view = response.locals.latchkey;
        response.json([view?.membershipsKnown, view?.has(SHOP_MEMBERS), view?.memberships]);
      });
    },
  });
  shops.push(shop);
  return shop;
}

/** A member of the shop, recorded in the directory. */
async function member(): Promise<FakeUser> {
  const ada = fakeUser('ada@example.com', [fakeMembership()]);
  for (const { id } of ada.memberships) await directory.record({ membershipId: id, communityId: COMMUNITY });
  return ada;
}

const get = (shop: Shop, path: string) => shop.browser.request(`${shop.url}${path}`);
const status = async (shop: Shop, path: string) => (await get(shop, path)).status;

describe('a gate by community', () => {
  it('admits a member that the directory contains', async () => {
    const shop = await open();
    await shop.signIn(await member());
    expect(await status(shop, '/members')).toBe(200);
    expect(await status(shop, '/count')).toBe(200);
    expect((await get(shop, '/list')).json).toEqual([expect.objectContaining(OF_THE_SHOP)]);
    expect((await get(shop, '/view')).json).toEqual([true, true, [expect.objectContaining(OF_THE_SHOP)]]);
  });

  it('rejects a stranger with a community of their own, and names the membership', async () => {
    const shop = await open({ upgradeUrl: '/join' });
    const ben = fakeUser('ben@example.com', [fakeMembership()]);
    const [own] = shop.listed(ben.memberships);
    await shop.signIn(ben);
    for (const path of ['/members', '/count']) {
      expect(await get(shop, path)).toMatchObject({
        status: 403,
        json: { error: 'membership_unknown', membershipIds: [own?.id], upgradeUrl: '/join' },
      });
    }
    expect((await get(shop, '/list')).json).toEqual([{ ...own, ...FOREIGN }]);
    expect((await get(shop, '/auth/session')).json.memberships).toEqual([{ ...own, ...FOREIGN }]);
    expect((await get(shop, '/view')).json).toEqual([true, false, [{ ...own, ...FOREIGN }]]);
    expect(await status(shop, '/anybody')).toBe(200);
  });

  it('explains an unknown membership on a page, with the ways on', async () => {
    const shop = await open({ upgradeUrl: '/join' });
    await shop.signIn(fakeUser('ben@example.com', [fakeMembership({ id: 'id-"<of>-ben' })]));
    const page = await shop.browser.open(`${shop.url}/members?page=2`);
    expect(page.status).toBe(403);
    expect(page.text).toContain('<bdi>ben@example.com</bdi> has a membership that is not known here:</p>');
    expect(page.text).toContain('<p><code translate="no">id-&quot;&lt;of&gt;-ben</code></p>');
    expect(page.text).toContain('If you have just paid, wait a moment and try again.');
    expect(page.text).toContain('<a href="/members?page=2">Try again</a>');
    expect(page.text).toContain('href="/join">Get access</a>');
  });

  it('gives the reason and the ids to a custom page', async () => {
    const shop = await open({
      pages: { forbidden: (_request, response, details) => void response.json(details) },
    });
    const ben = fakeUser('ben@example.com', [fakeMembership()]);
    await shop.signIn(ben);
    expect((await shop.browser.open(`${shop.url}/members`)).json).toMatchObject({
      reason: 'unknown_membership',
      membershipIds: shop.listed(ben.memberships).map(({ id }) => id),
      retryUrl: '/members',
    });
  });

  it('logs one line for each unknown membership, with the id and the fix', async () => {
    const shop = await open();
    const ben = fakeUser('ben@example.com', [fakeMembership()]);
    await shop.signIn(ben);
    for (let request = 0; request < 5; request += 1) await get(shop, '/members');
    expect(shop.log).toEqual([
      {
        level: 'warn',
        message: expect.stringContaining('auth.directory.record({ membershipId, communityId })'),
        details: {
          membershipId: shop.listed(ben.memberships)[0]?.id,
          productType: 'community',
          sub: shop.subOf(ben),
        },
      },
    ]);
  });

  it('rejects a member of another community or product of the site as other_membership', async () => {
    const shop = await open();
    const ada = await member();
    const [first] = ada.memberships;
    await directory.remove(first?.id ?? '');
    await directory.record({ membershipId: first?.id ?? '', communityId: PRODUCT });
    await shop.signIn(ada);
    expect(await get(shop, '/members')).toMatchObject({
      status: 403,
      json: { error: 'membership_required' },
    });
  });

  it('is not satisfied by a record of a membership that the visitor does not have', async () => {
    const shop = await open();
    await member();
    await shop.signIn(fakeUser('ben@example.com'));
    expect((await get(shop, '/members')).json.error).toBe('membership_required');
  });

  it('compares ids in any case', async () => {
    const shop = await open();
    const id = '5EED0000-0000-4000-8000-00000000ABCD';
    await directory.record({ membershipId: id.toLowerCase(), communityId: COMMUNITY.toUpperCase() });
    await shop.signIn(fakeUser('ada@example.com', [fakeMembership({ id })]));
    expect(await status(shop, '/members')).toBe(200);
  });

  it('ignores fields of the same names in the response of the service', async () => {
    const shop = await open();
    const forged = { ...fakeMembership(), communityId: COMMUNITY, isKnown: true };
    await shop.signIn(fakeUser('ben@example.com', [forged]));
    expect((await get(shop, '/members')).json.error).toBe('membership_unknown');
  });

  it('rejects a known membership that has ended', async () => {
    const shop = await open();
    const ada = await member();
    ada.memberships = ada.memberships.map((each) => ({
      ...each,
      validUntil: new Date(shop.clock.now() + SECOND).toISOString(),
    }));
    await shop.signIn(ada);
    expect(await status(shop, '/members')).toBe(200);
    shop.clock.advance(SECOND);
    expect((await get(shop, '/members')).json.error).toBe('membership_required');
  });

  it('cannot be created without a directory, and says what to pass', async () => {
    const shop = await startShop({ options: { directory: undefined }, routes: () => {} });
    shops.push(shop);
    expect(() => shop.auth.requireMembership(SHOP_MEMBERS)).toThrow(LatchkeyOptionsError);
    expect(() => shop.auth.awaitMembership(SHOP_MEMBERS)).toThrow("sqliteDirectory('memberships.sqlite')");
    expect(shop.auth.directory).toBeUndefined();
    shop.auth.requireMembership({ productType: 'community', from: 'any-seller' });
  });
});

describe('a record', () => {
  it('by auth.directory opens the gate at once, and remove closes it', async () => {
    const shop = await open();
    const ben = fakeUser('ben@example.com', [fakeMembership()]);
    const membershipId = ben.memberships[0]?.id ?? '';
    await shop.signIn(ben);
    expect(await status(shop, '/members')).toBe(403);
    await shop.auth.directory?.record({ membershipId: membershipId.toUpperCase(), communityId: COMMUNITY });
    expect(await status(shop, '/members')).toBe(200);
    await shop.auth.directory?.remove(membershipId);
    expect(await status(shop, '/members')).toBe(403);
    await shop.auth.directory?.import([{ membershipId, communityId: COMMUNITY }]);
    expect(await status(shop, '/members')).toBe(200);
  });

  it('of another process opens the gate within five seconds', async () => {
    const shop = await open();
    const ben = fakeUser('ben@example.com', [fakeMembership()]);
    await shop.signIn(ben);
    expect(await status(shop, '/members')).toBe(403);
    await directory.record({ membershipId: ben.memberships[0]?.id ?? '', communityId: COMMUNITY });
    shop.clock.advance(5 * SECOND);
    expect((await get(shop, '/list')).json).toEqual([expect.objectContaining(OF_THE_SHOP)]);
    expect(await status(shop, '/members')).toBe(200);
  });

  it('during a lookup leaves no old state in the cache', async () => {
    let passed = () => {};
    const held = new Promise<void>((resolve) => {
      passed = resolve;
    });
    let hold = false;
    const reached: string[] = [];
    const slow: MembershipDirectory = {
      ...directory,
      async find(ids) {
        const entries = await directory.find(ids);
        reached.push('find');
        if (hold) await held;
        return entries;
      },
    };
    const shop = await open({ directory: slow });
    const ben = fakeUser('ben@example.com', [fakeMembership()]);
    await shop.signIn(ben);
    shop.clock.advance(MINUTE);
    hold = true;
    const early = get(shop, '/members');
    await expect.poll(() => reached.length).toBe(2);
    await shop.auth.directory?.record({
      membershipId: ben.memberships[0]?.id ?? '',
      communityId: COMMUNITY,
    });
    hold = false;
    passed();
    expect((await early).status).toBe(200);
    expect(await status(shop, '/members')).toBe(200);
  });

  it('that cannot be stored drops the cache nevertheless, because it may have been stored', async () => {
    const shop = await open({
      directory: {
        ...directory,
        async record(records) {
          await directory.record(records);
          throw new Error('connection lost');
        },
      },
    });
    const ben = fakeUser('ben@example.com', [fakeMembership()]);
    await shop.signIn(ben);
    expect(await status(shop, '/members')).toBe(403);
    const record = { membershipId: ben.memberships[0]?.id ?? '', communityId: COMMUNITY };
    await expect(shop.auth.directory?.record(record)).rejects.toThrow('connection lost');
    expect(await status(shop, '/members')).toBe(200);
  });
});

describe('awaitMembership', () => {
  it('waits until the directory contains the membership', async () => {
    const shop = await open();
    const ben = fakeUser('ben@example.com', [fakeMembership()]);
    await shop.signIn(ben);
    expect(await status(shop, '/welcome')).toBe(503);
    expect((await get(shop, '/welcome')).json.error).toBe('membership_pending');
    await directory.record({ membershipId: ben.memberships[0]?.id ?? '', communityId: COMMUNITY });
    expect((await get(shop, '/welcome')).text).toBe('Welcome, member');
  });

  it('names the membership at the end of the waiting time, and logs it', async () => {
    const shop = await open();
    const ben = fakeUser('ben@example.com', [fakeMembership()]);
    const [id] = shop.listed(ben.memberships).map((each) => each.id);
    await shop.signIn(ben);
    await get(shop, '/welcome');
    shop.clock.advance(15 * SECOND);
    expect(await get(shop, '/welcome')).toMatchObject({
      status: 403,
      json: { error: 'membership_unknown', membershipIds: [id] },
    });
    const page = await shop.browser.open(`${shop.url}/welcome`);
    expect(page.text).toContain('this site does not recognise it yet:</p>');
    expect(page.text).toContain(`<code translate="no">${id}</code>`);
    expect(page.text).toContain('You need not pay again.');
    expect(shop.log.map(({ details }) => details)).toEqual([expect.objectContaining({ membershipId: id })]);
  });

  it('admits at one process, and the buyer then passes the gates of another that saw no membership before', async () => {
    const shop = await open();
    const other = await open({ appUrl: shop.url }, shop);
    const ben = fakeUser('ben@example.com');
    await shop.signIn(ben);
    // Both share the cookies, as two processes behind one address do.
    const cookies = () => ({
      cookie: [...shop.browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; '),
    });
    const atOther = (path: string) => fetch(`${other.url}${path}`, { headers: cookies() });
    expect((await atOther('/members')).status).toBe(403);
    expect(await status(shop, '/welcome')).toBe(503);
    const paid = fakeMembership();
    ben.memberships.push(paid);
    const [listed] = shop.listed([paid]);
    await directory.record({ membershipId: paid.id, communityId: COMMUNITY });
    expect((await get(shop, '/welcome')).text).toBe('Welcome, member');
    expect(await (await atOther('/view')).json()).toEqual([true, true, [{ ...listed, ...OF_THE_SHOP }]]);
    expect(await (await atOther('/auth/session')).json()).toMatchObject({
      memberships: [{ ...listed, ...OF_THE_SHOP }],
    });
    expect((await atOther('/members')).status).toBe(200);
  });
});

describe('an outage of the directory', () => {
  /** The directory, and a switch. */
  function breakable() {
    const state = { isDown: false };
    const failing: MembershipDirectory = {
      ...directory,
      async find(ids) {
        if (state.isDown)
          throw new AggregateError([
            new Error('connect ECONNREFUSED ::1:5432'),
            new Error('connect ECONNREFUSED 127.0.0.1:5432'),
          ]);
        return directory.find(ids);
      },
    };
    return { state, failing };
  }

  it('uses the last response for five minutes, then responds with 503', async () => {
    const { state, failing } = breakable();
    const shop = await open({ directory: failing });
    await shop.signIn(await member());
    state.isDown = true;
    shop.clock.advance(MINUTE);
    expect(await status(shop, '/members')).toBe(200);
    shop.clock.advance(4 * MINUTE);
    expect(await get(shop, '/members')).toMatchObject({
      status: 503,
      json: { error: 'service_unavailable' },
    });
    expect(await status(shop, '/auth/session')).toBe(503);
    expect((await get(shop, '/view')).json).toEqual([false, false, []]);
    expect(JSON.stringify(shop.log)).toContain('The membership directory failed: connect ECONNREFUSED');
    state.isDown = false;
    shop.clock.advance(5 * SECOND);
    expect(await status(shop, '/members')).toBe(200);
  });

  it('does not reject a visitor whose membership was unknown before', async () => {
    const { state, failing } = breakable();
    const shop = await open({ directory: failing });
    await shop.signIn(fakeUser('ben@example.com', [fakeMembership()]));
    state.isDown = true;
    shop.clock.advance(5 * SECOND);
    expect(await status(shop, '/members')).toBe(503);
  });

  it('admits nobody at sign-in, and signs in nevertheless', async () => {
    const { state, failing } = breakable();
    state.isDown = true;
    const shop = await open({ directory: failing });
    await shop.signIn(await member());
    expect(await status(shop, '/')).toBe(200);
    expect(await status(shop, '/members')).toBe(503);
  });

  it('ends a lookup that hangs', async () => {
    const shop = await open({ directory: { ...directory, find: () => new Promise(() => {}) } });
    await shop.signIn(await member());
    expect(await status(shop, '/members')).toBe(503);
    expect(JSON.stringify(shop.log)).toContain('did not respond within 2000 ms');
  });
});

describe('20,000 memberships that a seller granted', () => {
  const many = (count: number, fields = {}) => Array.from({ length: count }, () => fakeMembership(fields));

  it('do not lock the member out, and a rejection names and logs only a few', async () => {
    const shop = await open();
    const ada = await member();
    ada.memberships = [...many(10_000), ...ada.memberships, ...many(10_000)];
    await shop.signIn(ada);
    expect(await status(shop, '/members')).toBe(200);
    const { memberships } = (await get(shop, '/auth/session')).json as { memberships: unknown[] };
    expect(memberships).toHaveLength(1_000);
    expect(memberships[0]).toMatchObject(OF_THE_SHOP);

    const newest = fakeMembership({ validFrom: '2029-02-01T00:00:00.000Z' });
    const browser = new Browser();
    await shop.signIn(fakeUser('ben@example.com', [...many(20_000), newest]), { browser });
    const { json } = await browser.request(`${shop.url}/members`);
    expect(json.membershipIds).toEqual([
      shop.service.listed(newest).id,
      ...Array(4).fill(expect.any(String)),
    ]);
    expect(shop.log).toHaveLength(5);
  });

  it('do not end the cache of the member by expiring one after the other', async () => {
    const shop = await open();
    const ada = await member();
    const endingAt = (index: number) =>
      fakeMembership({ validUntil: new Date(shop.clock.now() + 100 * (index + 1)).toISOString() });
    ada.memberships.push(...Array.from({ length: 100 }, (_, index) => endingAt(index)));
    await shop.signIn(ada);
    for (let second = 0; second < 10; second += 1) {
      expect(await status(shop, '/members')).toBe(200);
      shop.clock.advance(SECOND);
    }
    expect(shop.service.count('GET /oauth/memberships')).toBe(1);
    expect((await get(shop, '/list')).json).toHaveLength(1);
  });
});

describe('the log of unknown memberships', () => {
  it('has at most 100 lines an hour, so that strangers cannot fill it', async () => {
    const shop = await open();
    const strangers = Array.from({ length: 25 }, (_, index) =>
      fakeUser(
        `${index}@example.com`,
        Array.from({ length: 5 }, () => fakeMembership()),
      ),
    );
    for (const stranger of strangers) {
      const browser = new Browser();
      await shop.signIn(stranger, { browser });
      await browser.request(`${shop.url}/members`);
    }
    expect(shop.log).toHaveLength(101);
    expect(shop.log.at(-1)?.message).toContain('are not logged within the next hour');
  });
});

describe.each([
  ['memoryDirectory()', () => memoryDirectory()],
  ["sqliteDirectory(':memory:')", () => sqliteDirectory(':memory:')],
  ["sqliteDirectory('file::memory:')", () => sqliteDirectory('file::memory:')],
  ["sqliteDirectory('file:members?mode=memory')", () => sqliteDirectory('file:members?mode=memory')],
])('%s', (name, create) => {
  it('logs a warning at the start if it is for tests only', async () => {
    const shop = await open({ directory: create() });
    const isForTests = name === 'memoryDirectory()';
    expect(shop.log[0]?.message.includes('memoryDirectory, which is for tests only') ?? false).toBe(
      isForTests,
    );
  });

  it('is refused in production', async () => {
    const before = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    try {
      await expect(open({ directory: create() })).rejects.toThrow('directory: is in memory');
    } finally {
      process.env.NODE_ENV = before;
    }
  });
});

it('a custom store fits', async () => {
  const id = 'm-1';
  const shop = await open({
    directory: membershipDirectory({
      find: async () => [{ membershipId: id, communityId: COMMUNITY, productId: null, pricingPlanId: null }],
      record: async () => ({ kind: 'recorded' }),
      remove: async () => {},
      close: async () => {},
    }),
  });
  await shop.signIn(fakeUser('ada@example.com', [fakeMembership({ id })]));
  expect(await status(shop, '/members')).toBe(200);
});
