import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, describe, expect, it } from 'vitest';
import type { LatchkeyOptions } from '../src/index.js';
import { Browser, type Page } from './browser.js';
import { COOKIE_SECRET } from './cookie-secret.js';
import { HOUR, MINUTE, SECOND } from './manual-clock.js';
import { callbackUrl, type Shop, startShop } from './shop.js';

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

const returnOf = async ({ browser, url }: Shop, path = '/') =>
  (await callbackUrl(browser, `${url}/auth/login?returnTo=${encodeURIComponent(path)}`)).href;

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

/** Checks the status and that the response does not contain the protected text. */
function expectClosed(page: Page, status: number): void {
  expect(page.status).toBe(status);
  expect(page.text).not.toContain(GATED);
}

/** Only a service that never responds needs a short limit. A busy machine can take longer than that for a good response. */
const timeoutFor = (fault: (typeof FAULTS)[number]) => (fault === 'hang' ? 1_000 : 10_000);

describe.each(FAULTS)('while the memberships endpoint fails with %s', (fault) => {
  const impatient = { options: { timeoutMs: timeoutFor(fault) } };

  it('rejects visitors without a cached result: 503 with Retry-After, as page and as JSON', async () => {
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

  it('uses the last response for five minutes, unless the service rejected the request', async () => {
    const shop = await start(impatient);
    await shop.signIn(ada());
    shop.service.on('/oauth/memberships', fault);
    shop.clock.advance(MINUTE);
    if (fault === 'insufficient-scope') return expectClosed(await members(shop), 503);
    expect((await members(shop)).text).toBe(GATED);
    shop.clock.advance(4 * MINUTE);
    expectClosed(await members(shop), 503);
  });

  it('recovers with the service', async () => {
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
  /** A signed-in visitor with an expired token, at a service whose token endpoint fails. */
  async function expired(fault: (typeof FAULTS)[number]): Promise<Shop> {
    const shop = await start({ options: { timeoutMs: timeoutFor(fault) } });
    await shop.signIn(ada());
    shop.service.on('/oauth/token', fault);
    shop.clock.advance(HOUR);
    return shop;
  }

  it.each(['reset', 'server-error', 'html'] as const)(
    'because of %s, the gate responds with 503 and the session survives',
    async (fault) => {
      const shop = await expired(fault);
      expectClosed(await membersPage(shop), 503);
      shop.service.clear();
      shop.clock.advance(MINUTE);
      expect((await members(shop)).text).toBe(GATED);
    },
  );

  it('because the service never responds, visitors wait no longer than for other requests', async () => {
    const shop = await expired('hang');
    for (const page of await Promise.all([membersPage(shop), members(shop)])) expectClosed(page, 503);
  });

  it.each(['response-lost', 'truncated'] as const)(
    'because the response was lost (%s), the gate responds with 503, then redirects to a silent sign-in',
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
  it.each(FAULTS)('fails with %s ends on a page with a retry link and without a session', async (fault) => {
    const shop = await start({ options: { timeoutMs: timeoutFor(fault) } });
    shop.service.on(endpoint, fault);
    const page = await shop.signIn(ada(), { path: '/members' });
    expect([502, 503]).toContain(page.status);
    expect(page.text).toContain('href="/auth/login?returnTo=%2Fmembers"');
    expect(page.text).not.toContain(GATED);
    expect(shop.sessionCookie()).toBeUndefined();
    shop.service.clear();
    expect((await shop.signIn(shop.service.visitor ?? ada(), { path: '/members' })).text).toBe(GATED);
  });
});

describe('a deployment', () => {
  const redeploy = (before: Shop, options: Partial<LatchkeyOptions> = {}) =>
    start({ beside: before, options: { appUrl: before.url, ...options } });

  /** The browser uses the same address as before, where the new process responds. */
  function moveTo(after: Shop, { url, browser }: Shop): Browser {
    browser.hosts.set(new URL(url).host, after.url);
    return browser;
  }

  it('during a sign-in has no effect: another process completes it', async () => {
    const before = await start();
    before.service.visitor = ada();
    const back = await returnOf(before, '/members');
    const after = await redeploy(before);
    expect(await moveTo(after, before).open(back)).toMatchObject({
      url: `${before.url}/members`,
      text: GATED,
    });
  });

  it('with a new cookie secret during a sign-in has no effect while the old one is listed', async () => {
    const before = await start();
    before.service.visitor = ada();
    const back = await returnOf(before, '/members');
    const after = await redeploy(before, { cookieSecret: [`${COOKIE_SECRET}, new`, COOKIE_SECRET] });
    expect((await moveTo(after, before).open(back)).text).toBe(GATED);
  });

  it('without the old secret logs the cause and lets the visitor try again', async () => {
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

  it('with a new secret keeps sessions while the old one is listed, and encrypts changed sessions with the new one', async () => {
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

  it('does not let another process redeem a completed sign-in again', async () => {
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

describe('a partial outage', () => {
  it('of revocation does not keep the visitor signed in', async () => {
    for (const fault of FAULTS) {
      const shop = await start({ options: { timeoutMs: timeoutFor(fault) } });
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
