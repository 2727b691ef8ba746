import { connect } from 'node:net';
import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AwaitMembershipOptions, LatchkeyOptions } from '../src/index.js';
import { SHOP_MEMBERS } from './community-directory.js';
import { HOUR, MINUTE, SECOND } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ben: FakeUser;
/** Closed responses, whether sent or aborted. */
let closed: number;
beforeEach(() => {
  closed = 0;
  ben = fakeUser('ben@example.com');
});
afterEach(() => shop.close());

const community = SHOP_MEMBERS;

/** A shop whose checkout returns to `/welcome`. Requests are not held unless a test sets `holdSeconds`. */
async function open(
  gate: AwaitMembershipOptions = { holdSeconds: 0 },
  options: Partial<LatchkeyOptions> = {},
): Promise<void> {
  shop = await startShop({
    options,
    routes: (app, auth) => {
      app.use((_request, response, next) => {
        response.once('close', () => {
          closed += 1;
        });
        next();
      });
      app.use(auth.router);
      app.get('/', (_request, response) => response.send('Hello'));
      app.all('/welcome', auth.awaitMembership(community, gate), (_request, response) =>
        response.send('Welcome, member'),
      );
      app.get('/members', auth.requireMembership(community), (_request, response) =>
        response.send('The table is set'),
      );
    },
  });
  await shop.signIn(ben);
}

const welcome = () => shop.browser.open(`${shop.url}/welcome?order=7`);
const welcomeScript = () => shop.browser.request(`${shop.url}/welcome`);
const asked = () => shop.service.count('GET /oauth/memberships');

/** Resolves when the service has received this number of requests. */
async function askedTimes(times: number): Promise<void> {
  await expect.poll(asked, { interval: 5, timeout: 5000 }).toBeGreaterThanOrEqual(times);
}

describe('awaitMembership', () => {
  it('admits members at once without another request', async () => {
    ben.memberships.push(fakeMembership());
    await open();
    const page = await welcome();
    expect(page).toMatchObject({ status: 200, text: 'Welcome, member' });
    expect(page.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^latchkey_recheck_[^;]*; Path=\/; Max-Age=65;/),
    ]);
    expect(asked()).toBe(1);
  });

  it('bypasses the cache, so a visitor who has just paid is admitted', {
    tags: ['buy-plan.success-url-no-proof'],
  }, async () => {
    await open();
    ben.memberships.push(fakeMembership());
    expect(await welcome()).toMatchObject({ status: 200, text: 'Welcome, member' });
    expect((await shop.browser.open(`${shop.url}/members`)).text).toBe('The table is set');
  });

  it('leaves no rejection behind: the members’ page opens as soon as the membership exists', async () => {
    await open();
    expect((await welcome()).status).toBe(202);
    ben.memberships.push(fakeMembership());
    expect((await shop.browser.open(`${shop.url}/members`)).text).toBe('The table is set');
  });

  it('lets no other process serve what it cached before the payment, and lets it cache again', async () => {
    await open();
    const other = await startShop({ beside: shop, options: { appUrl: shop.url } });
    const membershipsAtOther = async () => {
      const { json } = await shop.browser.request(`${other.url}/auth/session`);
      return json.memberships;
    };
    expect(await membershipsAtOther()).toEqual([]);
    shop.clock.advance(20 * SECOND);
    ben.memberships.push(fakeMembership());
    expect(await welcome()).toMatchObject({ status: 200 });
    shop.clock.advance(10 * SECOND);
    expect(await membershipsAtOther()).toHaveLength(1);
    const requests = asked();
    expect(await membershipsAtOther()).toHaveLength(1);
    expect(asked()).toBe(requests);
    await other.close();
  });

  it('holds the request and polls, so that a payment confirmed meanwhile shows no page', async () => {
    await open({ holdSeconds: 10 });
    const page = welcome();
    await askedTimes(2);
    ben.memberships.push(fakeMembership());
    expect(await page).toMatchObject({ status: 200, text: 'Welcome, member' });
  });

  it('polls at once when a webhook drops the cache of this user, and of no other', async () => {
    await open({ holdSeconds: 10 });
    const page = welcome();
    await askedTimes(4);
    ben.memberships.push(fakeMembership());
    shop.auth.forgetMemberships('somebody else');
    shop.auth.forgetMemberships(ben.sub);
    expect(await page).toMatchObject({ status: 200, text: 'Welcome, member' });
  });

  it('then sends a page that reports the pending payment, reloads itself and offers no plan', async () => {
    await open({ holdSeconds: 0 }, { upgradeUrl: '/join' });
    const page = await welcome();
    expect(page.status).toBe(202);
    expect(page.headers.get('refresh')).toBe('2');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.text).toContain('Your payment is being confirmed.');
    expect(page.text).toContain('<a href="/welcome?order=7">Check now</a>');
    expect(page.text).not.toContain('/join');
  });

  it('admits the visitor at the first load after the confirmation, and clears the wait cookie', async () => {
    await open();
    await welcome();
    expect([...shop.browser.cookies.keys()].some((name) => name.includes('latchkey_wait_'))).toBe(true);
    ben.memberships.push(fakeMembership());
    shop.clock.advance(2 * SECOND);
    expect((await welcome()).text).toBe('Welcome, member');
    expect([...shop.browser.cookies.keys()].some((name) => name.includes('latchkey_wait_'))).toBe(false);
  });

  it('stops reloading after 15 seconds, explains the delay and lets the visitor check again', async () => {
    await open();
    await welcome();
    shop.clock.advance(15 * SECOND - 1);
    expect((await welcome()).headers.get('refresh')).toBe('2');
    shop.clock.advance(1);
    const page = await welcome();
    expect(page.status).toBe(202);
    expect(page.headers.get('refresh')).toBeNull();
    expect(page.text).toContain('has not been confirmed yet');
    expect(page.text).toContain('>Check again</a>');
    ben.memberships.push(fakeMembership());
    expect((await welcome()).text).toBe('Welcome, member');
  });

  it.each([
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }, 503],
    ['HEAD', { method: 'HEAD' }, 204],
  ])('neither begins a wait nor asks the service for %s', async (_what, request, status) => {
    await open();
    const before = asked();
    const page = await shop.browser.open(`${shop.url}/welcome`, request);
    expect(page.status).toBe(status);
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(asked()).toBe(before);
    shop.clock.advance(MINUTE);
    expect((await welcome()).headers.get('refresh')).toBe('2');
  });

  it('starts a new wait for another purchase ten minutes later, or after the clock was set back', async () => {
    await open();
    for (const leap of [15 * SECOND, 10 * MINUTE, -30 * MINUTE]) {
      shop.clock.advance(leap === 15 * SECOND ? 0 : leap);
      expect((await welcome()).headers.get('refresh'), `${leap}`).toBe('2');
      shop.clock.advance(15 * SECOND);
      expect((await welcome()).headers.get('refresh'), `${leap}`).toBeNull();
    }
  });

  it('does not continue the wait of another user in the same browser', async () => {
    await open();
    await welcome();
    shop.clock.advance(15 * SECOND);
    await shop.signIn(fakeUser('cleo@example.com'));
    expect((await welcome()).headers.get('refresh')).toBe('2');
  });

  it('ignores an altered wait cookie', async () => {
    await open();
    await welcome();
    const [name = ''] = [...shop.browser.cookies.keys()].filter((each) => each.includes('latchkey_wait_'));
    for (const value of ['', '.', 'zzzzzzzzzzzzzzzz.x', '-1.', 'NaN.NaN', 'a'.repeat(3000), '%00']) {
      const cookie = `${name}=${value}; ${shop.sessionCookie()?.name}=${shop.sessionCookie()?.value}`;
      const page = await shop.browser.open(`${shop.url}/welcome`, { headers: { cookie } });
      expect(page.status, value).toBe(202);
    }
  });

  it('responds to scripts with 503 and Retry-After while it waits, then with 403', async () => {
    await open();
    const pending = await welcomeScript();
    expect(pending).toMatchObject({ status: 503, json: { error: 'membership_pending' } });
    expect(pending.headers.get('retry-after')).toBe('2');
    shop.clock.advance(15 * SECOND);
    expect(await welcomeScript()).toMatchObject({ status: 403, json: { error: 'membership_required' } });
  });

  it('shows a custom page and passes the state to it', async () => {
    await open(
      { holdSeconds: 0, waitSeconds: 5 },
      {
        pages: {
          awaiting: (_request, response, { state, user, retryUrl, message }) => {
            response.send(`${state} ${user.email} ${retryUrl} ${message}`);
          },
        },
      },
    );
    const waiting = await welcome();
    expect(waiting).toMatchObject({
      status: 202,
      text: expect.stringContaining('waiting ben@example.com /welcome?order=7 Your payment'),
    });
    expect(waiting.headers.get('refresh')).toBe('2');
    shop.clock.advance(5 * SECOND);
    expect((await welcome()).text).toMatch(/^unconfirmed/);
  });

  it.each(['reset', 'server-error', 'html', 'truncated'] as const)(
    'treats a service that fails with %s as not yet, then responds with 503',
    async (fault) => {
      await open();
      shop.service.on('/oauth/memberships', fault);
      expect((await welcome()).status).toBe(202);
      shop.clock.advance(15 * SECOND);
      expect((await welcome()).status).toBe(503);
      expect(await welcomeScript()).toMatchObject({ status: 503, json: { error: 'service_unavailable' } });
      shop.service.clear();
      ben.memberships.push(fakeMembership());
      expect((await welcome()).text).toBe('Welcome, member');
    },
  );

  it('does not wait for a service that never responds', async () => {
    await open();
    shop.service.on('/oauth/memberships', 'hang');
    expect((await welcome()).status).toBe(202);
  });

  it('stops polling when the connection closes', async () => {
    await open({ holdSeconds: 60 });
    const { port } = new URL(shop.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET /welcome HTTP/1.1\r\nHost: x\r\nCookie: ${shop.browser.headerFor('/')}\r\n\r\n`);
    await askedTimes(2);
    socket.destroy();
    await expect.poll(() => shop.log.length + asked(), { interval: 5 }).toBeGreaterThan(0);
    const before = asked();
    shop.auth.forgetMemberships(ben.sub);
    await shop.browser.open(shop.url);
    expect(asked()).toBeLessThanOrEqual(before + 1);
  });

  it('sends no request if the connection closed during the renewal of the session', async () => {
    await open({ holdSeconds: 60 });
    shop.clock.advance(HOUR);
    const before = asked();
    const release = shop.service.hold('/oauth/token');
    const tokens = shop.service.count('POST /oauth/token');
    const socket = connect(Number(new URL(shop.url).port), '127.0.0.1');
    socket.write(`GET /welcome HTTP/1.1\r\nHost: x\r\nCookie: ${shop.browser.headerFor('/')}\r\n\r\n`);
    await expect.poll(() => shop.service.count('POST /oauth/token'), { interval: 5 }).toBe(tokens + 1);
    const over = closed;
    socket.destroy();
    await expect.poll(() => closed, { interval: 5 }).toBe(over + 1);
    release();
    // Waits for the same renewal and sends its own request.
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(403);
    shop.auth.forgetMemberships(ben.sub);
    await shop.browser.open(shop.url);
    expect(asked()).toBe(before + 1);
  });

  it('redirects a signed-out visitor to sign-in and back, and ends with a session that has ended', async () => {
    await open();
    const { browser } = await stranger();
    const page = await browser.open(`${shop.url}/welcome?order=7`, { follow: false });
    expect(page.headers.get('location')).toContain('/auth/login?returnTo=%2Fwelcome%3Forder%3D7');
    shop.service.revokeEverything();
    expect((await welcomeScript()).status).toBe(401);
  });

  it('checks its options when it is created', async () => {
    await open();
    expect(() => shop.auth.awaitMembership(community, { holdSeconds: 61 })).toThrow(/from 0 to 60/);
    // @ts-expect-error: awaitMembership has no upgradeUrl.
    expect(() => shop.auth.awaitMembership(community, { upgradeUrl: '/join' })).toThrow(/not an option/);
    // @ts-expect-error: a rule names a membership.
    expect(() => shop.auth.awaitMembership({})).toThrow(/names no membership/);
  });
});

async function stranger() {
  const { Browser } = await import('./browser.js');
  return { browser: new Browser() };
}
