import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/test-services';
import { afterEach, describe, expect, it } from 'vitest';
import type { LatchkeyOptions } from '../src/index.js';
import { Browser, type Page } from './browser.js';
import { DAY, HOUR, MINUTE, SECOND } from './manual-clock.js';
import { COOKIE_SECRET, type Shop, startShop } from './shop.js';

const shops: Shop[] = [];
async function start(setup: Parameters<typeof startShop>[0] = {}): Promise<Shop> {
  const shop = await startShop(setup);
  shops.unshift(shop);
  return shop;
}
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.close();
});

const ada = (): FakeUser => fakeUser('ada@example.com', [fakeMembership()]);
const ben = (): FakeUser => fakeUser('ben@example.com');
const members = ({ browser, url }: Shop, by = browser) => by.request(`${url}/members`);
const membersPage = ({ browser, url }: Shop, by = browser) => by.open(`${url}/members`, { follow: false });

const FAULTS = [
  'reset',
  'server-error',
  'html',
  'truncated',
  'hang',
  'response-lost',
  'insufficient-scope',
] as const;
const GATED = 'The table is set';

/** Whatever happens, who is let in by it must have been a member; and the body must not say otherwise. */
function expectClosed(page: Page, status: number): void {
  expect(page.status).toBe(status);
  expect(page.text).not.toContain(GATED);
}

describe.each(FAULTS)('while memberships are answered by a service that fails so: %s', (fault) => {
  const impatient = { options: { timeoutMs: 300 } };

  it('nobody gets in of whom nothing is known: 503 with Retry-After, as page and as JSON', async () => {
    const shop = await start(impatient);
    shop.service.on('/oauth/memberships', fault);
    for (const user of [ada(), ben()]) {
      await shop.signIn(user);
      const page = await membersPage(shop);
      expectClosed(page, 503);
      expect(page.headers.get('retry-after')).toBe('5');
      expect((await members(shop)).json).toMatchObject({ error: 'service_unavailable' });
    }
  });

  it('the last answer stands for five minutes, unless the service has refused; then the gate closes', async () => {
    const shop = await start(impatient);
    await shop.signIn(ada());
    shop.service.on('/oauth/memberships', fault);
    shop.clock.advance(MINUTE);
    if (fault === 'insufficient-scope') return expectClosed(await members(shop), 503);
    expect((await members(shop)).text).toBe(GATED);
    shop.clock.advance(4 * MINUTE);
    expectClosed(await members(shop), 503);
  });

  it('it recovers with the service', async () => {
    const shop = await start(impatient);
    shop.service.on('/oauth/memberships', fault);
    await shop.signIn(ada());
    expectClosed(await members(shop), 503);
    shop.service.clear();
    shop.clock.advance(5 * SECOND);
    expect((await members(shop)).text).toBe(GATED);
  });
});

describe('while tokens cannot be renewed', () => {
  /** Signed in, with a token that has run out, at a service whose token endpoint fails. */
  async function expired(fault: (typeof FAULTS)[number]): Promise<Shop> {
    const shop = await start({ options: { timeoutMs: 300 } });
    await shop.signIn(ada());
    shop.service.on('/oauth/token', fault);
    shop.clock.advance(HOUR);
    return shop;
  }

  it.each(['reset', 'server-error', 'html'] as const)(
    'because the service is so: %s, the gate closes with 503, and the session outlives it',
    async (fault) => {
      const shop = await expired(fault);
      expectClosed(await membersPage(shop), 503);
      shop.service.clear();
      shop.clock.advance(MINUTE);
      expect((await members(shop)).text).toBe(GATED);
    },
  );

  it('because the service never answers, nobody waits for it longer than for anything else', async () => {
    const shop = await expired('hang');
    for (const page of await Promise.all([membersPage(shop), members(shop)])) expectClosed(page, 503);
  });

  it.each(['response-lost', 'truncated'] as const)(
    'because the new ones were lost on the way (%s), the gate stays closed, and then sign-in is quiet: the old ones are spent',
    async (fault) => {
      const shop = await expired(fault);
      expectClosed(await membersPage(shop), 503);
      shop.service.clear();
      shop.clock.advance(MINUTE);
      expectClosed(await members(shop), 401);
      expect((await shop.browser.open(`${shop.url}/members`)).text).toBe(GATED);
    },
  );
});

describe.each(['/oauth/token', '/oauth/userinfo'])('a sign-in while %s', (endpoint) => {
  it.each(FAULTS)(
    'fails so: %s, ends on a page with a way to try again, and with no session',
    async (fault) => {
      const shop = await start({ options: { timeoutMs: 300 } });
      shop.service.on(endpoint, fault);
      const page = await shop.signIn(ada(), { path: '/members' });
      expect([502, 503]).toContain(page.status);
      expect(page.text).toContain('href="/auth/login?returnTo=%2Fmembers"');
      expect(page.text).not.toContain(GATED);
      expect(shop.sessionCookie()).toBeUndefined();
      shop.service.clear();
      expect((await shop.signIn(shop.service.visitor ?? ada(), { path: '/members' })).text).toBe(GATED);
    },
  );
});

describe('a clock that jumps', () => {
  it('back to the right time, after it was a day ahead, leaves nobody with a token that has long expired', async () => {
    const shop = await start();
    let aheadMs = DAY;
    const hasty = await startShop({
      beside: shop,
      options: { clock: { now: () => shop.clock.now() + aheadMs } },
      routes: (app, auth) => {
        app.use(auth.router);
        app.get('/', (_request, response) => void response.send('home'));
        app.get('/me', async (request, response) => {
          const authorization = `Bearer ${await request.latchkey?.accessToken()}`;
          const answer = await fetch(`${shop.service.url}/oauth/userinfo`, { headers: { authorization } });
          response.sendStatus(answer.status);
        });
      },
    });
    await hasty.signIn(fakeUser('ada@example.com'));
    const me = async () => (await hasty.browser.request(`${hasty.url}/me`)).status;
    expect(await me()).toBe(200);
    aheadMs = 0;
    shop.clock.advance(2 * HOUR);
    expect(await me()).toBe(200);
    const asked = shop.service.count('POST /oauth/token');
    expect([await me(), await me()]).toEqual([200, 200]);
    expect(shop.service.count('POST /oauth/token')).toBe(asked);
    await hasty.close();
  });

  it.each([
    ['a day ahead', DAY],
    ['six days ahead', 6 * DAY],
    ['a day back', -DAY],
    ['ten years back', -3650 * DAY],
  ])('%s: a member stays one, who is none stays out, and nothing hangs', async (_name, leap) => {
    const shop = await start();
    const [member, stranger] = [new Browser(), new Browser()];
    await shop.signIn(ada(), { browser: member });
    await shop.signIn(ben(), { browser: stranger });
    shop.clock.advance(leap);
    expect((await members(shop, member)).text).toBe(GATED);
    expectClosed(await members(shop, stranger), 403);
    shop.clock.advance(-leap);
    expect((await members(shop, member)).text).toBe(GATED);
    expectClosed(await members(shop, stranger), 403);
  });

  it('a year ahead ends sessions, and back again does not bring what has ended at the service', async () => {
    const shop = await start();
    await shop.signIn(ada());
    shop.clock.advance(365 * DAY);
    expectClosed(await members(shop), 401);
  });

  it('past the end of a membership closes, and back opens no wider than the service says', async () => {
    const shop = await start();
    const user = fakeUser('cleo@example.com', [
      fakeMembership({ validUntil: new Date(shop.clock.now() + HOUR).toISOString() }),
    ]);
    await shop.signIn(user);
    expect((await members(shop)).text).toBe(GATED);
    shop.clock.advance(HOUR);
    expectClosed(await members(shop), 403);
    user.memberships = [];
    shop.clock.advance(-HOUR);
    expectClosed(await members(shop), 403);
  });

  it('in the middle of a sign-in, back: the attempt still counts, and once', async () => {
    const shop = await start();
    shop.service.visitor = ada();
    const back = await returnOf(shop);
    shop.clock.advance(-DAY);
    expect((await shop.browser.request(back)).status).toBe(302);
    expect((await shop.browser.request(back)).status).toBe(400);
  });
});

describe('a deployment', () => {
  const redeploy = (before: Shop, options: Partial<LatchkeyOptions> = {}) =>
    start({ beside: before, options: { appUrl: before.url, ...options } });

  /** The browser goes to the same address as before, where the new process now answers. */
  function moveTo(after: Shop, { url, browser }: Shop): Browser {
    browser.hosts.set(new URL(url).host, after.url);
    return browser;
  }

  it('in the middle of a sign-in goes unnoticed: another process finishes what the first began', async () => {
    const before = await start();
    before.service.visitor = ada();
    const back = await returnOf(before, '/members');
    const after = await redeploy(before);
    expect(await moveTo(after, before).open(back)).toMatchObject({
      url: `${before.url}/members`,
      text: GATED,
    });
  });

  it('with a new cookie secret in the middle of a sign-in, the old one still listed, goes unnoticed too', async () => {
    const before = await start();
    before.service.visitor = ada();
    const back = await returnOf(before, '/members');
    const after = await redeploy(before, { cookieSecret: [`${COOKIE_SECRET}, new`, COOKIE_SECRET] });
    expect((await moveTo(after, before).open(back)).text).toBe(GATED);
  });

  it('with the old secret dropped says what happened to the log, and lets the visitor try again', async () => {
    const before = await start();
    before.service.visitor = ada();
    const back = await returnOf(before, '/members');
    const after = await redeploy(before, { cookieSecret: `${COOKIE_SECRET}, new` });
    const browser = moveTo(after, before);
    const page = await browser.open(back);
    expect(page.status).toBe(400);
    expect(page.text).toContain('Try again');
    expect(JSON.stringify(after.log)).toContain('If cookieSecret was replaced');
    expect((await browser.open(`${before.url}/auth/login?returnTo=/members`)).text).toBe(GATED);
  });

  it('with a new secret keeps sessions while the old one is listed, seals anew when they change, and ends them with it', async () => {
    const before = await start();
    await before.signIn(ada());
    const rotating = await redeploy(before, { cookieSecret: [`${COOKIE_SECRET}, new`, COOKIE_SECRET] });
    const browser = moveTo(rotating, before);
    const page = () => browser.request(`${before.url}/members`);
    expect((await page()).text).toBe(GATED);
    before.clock.advance(HOUR);
    expect((await page()).headers.getSetCookie()).toHaveLength(1);
    const after = await redeploy(before, { cookieSecret: `${COOKIE_SECRET}, new` });
    moveTo(after, before);
    expect((await page()).text).toBe(GATED);
    const unrelated = await redeploy(before, { cookieSecret: `${COOKIE_SECRET}, quite another` });
    moveTo(unrelated, before);
    expectClosed(await page(), 401);
  });

  it('does not let a finished sign-in be finished again by a process that knows nothing of it', async () => {
    const before = await start();
    before.service.visitor = ada();
    const back = await returnOf(before);
    const cookie = before.browser.headerFor('/auth/callback');
    await before.browser.open(back);
    const after = await redeploy(before);
    const replayer = moveTo(after, { ...before, browser: new Browser() });
    const page = await replayer.open(back, { headers: { cookie }, follow: false });
    expect(page.status).toBe(400);
    expect(replayer.cookies.size).toBe(0);
  });
});

describe('half a service', () => {
  it('revocation that fails does not keep anybody signed in', async () => {
    for (const fault of FAULTS) {
      const shop = await start({ options: { timeoutMs: 300 } });
      await shop.signIn(ada());
      shop.service.on('/oauth/revoke', fault);
      const out = await shop.browser.request(`${shop.url}/auth/logout`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      expect(out.status, fault).toBe(204);
      expectClosed(await members(shop), 401);
    }
  }, 30_000);
});

/** Goes as far as the service, and gives the address that it sends the visitor back to. */
async function returnOf({ browser, url }: Shop, path = '/'): Promise<string> {
  const away = await browser.request(`${url}/auth/login?returnTo=${encodeURIComponent(path)}`);
  const back = await browser.request(away.headers.get('location') ?? '');
  return back.headers.get('location') ?? '';
}
