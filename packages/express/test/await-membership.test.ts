import { connect } from 'node:net';
import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/test-services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AwaitMembershipOptions, LatchkeyOptions } from '../src/index.js';
import { HOUR, MINUTE, SECOND } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ben: FakeUser;
/** Answers that are over, sent or not. */
let closed: number;
beforeEach(() => {
  closed = 0;
  ben = fakeUser('ben@example.com');
});
afterEach(() => shop.close());

const community = { productType: 'community' };

/** A shop whose checkout returns to `/welcome`; with a hold of no time, unless a test wants one. */
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

/** Resolves when the service has been asked that often. */
async function askedTimes(times: number): Promise<void> {
  await expect.poll(asked, { interval: 5, timeout: 5000 }).toBeGreaterThanOrEqual(times);
}

describe('awaitMembership', () => {
  it('lets who is a member already pass at once, without asking again', async () => {
    ben.memberships.push(fakeMembership());
    await open();
    const page = await welcome();
    expect(page).toMatchObject({ status: 200, text: 'Welcome, member' });
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(asked()).toBe(1);
  });

  it('asks past what is remembered: who paid a moment ago gets in [buy-plan.success-url-no-proof]', async () => {
    await open();
    ben.memberships.push(fakeMembership());
    expect(await welcome()).toMatchObject({ status: 200, text: 'Welcome, member' });
    expect((await shop.browser.open(`${shop.url}/members`)).text).toBe('The table is set');
  });

  it('holds the request back and asks again, so that a payment which is confirmed meanwhile shows no page between', async () => {
    await open({ holdSeconds: 10 });
    const page = welcome();
    await askedTimes(2);
    ben.memberships.push(fakeMembership());
    expect(await page).toMatchObject({ status: 200, text: 'Welcome, member' });
  });

  it('goes on at once when a webhook has cleared what is remembered of the user, of this one only', async () => {
    await open({ holdSeconds: 10 });
    const page = welcome();
    await askedTimes(4);
    ben.memberships.push(fakeMembership());
    shop.auth.forgetMemberships('somebody else');
    shop.auth.forgetMemberships(ben.sub);
    expect(await page).toMatchObject({ status: 200, text: 'Welcome, member' });
  });

  it('then says on a page that the payment is being confirmed, which loads itself again and offers no plan', async () => {
    await open({ holdSeconds: 0 }, { upgradeUrl: '/join' });
    const page = await welcome();
    expect(page.status).toBe(202);
    expect(page.headers.get('refresh')).toBe('2');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.text).toContain('Your payment is being confirmed.');
    expect(page.text).toContain('<a href="/welcome?order=7">Check now</a>');
    expect(page.text).not.toContain('/join');
  });

  it('goes on with the next load after the confirmation, and forgets that the visitor waited', async () => {
    await open();
    await welcome();
    expect([...shop.browser.cookies.keys()].some((name) => name.includes('latchkey_wait_'))).toBe(true);
    ben.memberships.push(fakeMembership());
    shop.clock.advance(2 * SECOND);
    expect((await welcome()).text).toBe('Welcome, member');
    expect([...shop.browser.cookies.keys()].some((name) => name.includes('latchkey_wait_'))).toBe(false);
  });

  it('after 15 seconds stops loading itself, says that some payments take longer, and lets the visitor check again', async () => {
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

  it('waits anew for another purchase, ten minutes later or after the clock was set back', async () => {
    await open();
    for (const leap of [15 * SECOND, 10 * MINUTE, -30 * MINUTE]) {
      shop.clock.advance(leap === 15 * SECOND ? 0 : leap);
      expect((await welcome()).headers.get('refresh'), `${leap}`).toBe('2');
      shop.clock.advance(15 * SECOND);
      expect((await welcome()).headers.get('refresh'), `${leap}`).toBeNull();
    }
  });

  it('does not take over the wait of somebody else at the same browser', async () => {
    await open();
    await welcome();
    shop.clock.advance(15 * SECOND);
    await shop.signIn(fakeUser('cleo@example.com'));
    expect((await welcome()).headers.get('refresh')).toBe('2');
  });

  it('is not confused by a wait cookie that was altered', async () => {
    await open();
    await welcome();
    const [name = ''] = [...shop.browser.cookies.keys()].filter((each) => each.includes('latchkey_wait_'));
    for (const value of ['', '.', 'zzzzzzzzzzzzzzzz.x', '-1.', 'NaN.NaN', 'a'.repeat(3000), '%00']) {
      const cookie = `${name}=${value}; ${shop.sessionCookie()?.name}=${shop.sessionCookie()?.value}`;
      const page = await shop.browser.open(`${shop.url}/welcome`, { headers: { cookie } });
      expect(page.status, value).toBe(202);
    }
  });

  it('answers scripts with 503 and Retry-After while it waits, which none takes for a yes, then with 403', async () => {
    await open();
    const pending = await welcomeScript();
    expect(pending).toMatchObject({ status: 503, json: { error: 'membership_pending' } });
    expect(pending.headers.get('retry-after')).toBe('2');
    shop.clock.advance(15 * SECOND);
    expect(await welcomeScript()).toMatchObject({ status: 403, json: { error: 'membership_required' } });
  });

  it('shows an own page, told whether to wait', async () => {
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
    'takes a service that is %s for not yet, then closes with 503: nobody passes unasked',
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

  it('does not wait for a service that never answers', async () => {
    await open();
    shop.service.on('/oauth/memberships', 'hang');
    expect((await welcome()).status).toBe(202);
  });

  it('stops asking when the visitor has gone', async () => {
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

  it('does not begin to ask when the visitor has gone while the session was being renewed', async () => {
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
    // Waits for the same renewal, and asks by itself.
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(403);
    shop.auth.forgetMemberships(ben.sub);
    await shop.browser.open(shop.url);
    expect(asked()).toBe(before + 1);
  });

  it('leads who is signed out to sign in and back, and ends with a session that has ended', async () => {
    await open();
    const { browser } = await stranger();
    const page = await browser.open(`${shop.url}/welcome?order=7`, { follow: false });
    expect(page.headers.get('location')).toContain('/auth/login?returnTo=%2Fwelcome%3Forder%3D7');
    shop.service.revokeEverything();
    expect((await welcomeScript()).status).toBe(401);
  });

  it('checks its options when it is set up', async () => {
    await open();
    expect(() => shop.auth.awaitMembership(community, { holdSeconds: 61 })).toThrow(/from 0 to 60/);
    // @ts-expect-error: it offers nobody a plan.
    expect(() => shop.auth.awaitMembership(community, { upgradeUrl: '/join' })).toThrow(/not an option/);
    expect(() => shop.auth.awaitMembership({})).toThrow(/names neither productType nor membershipId/);
  });
});

async function stranger() {
  const { Browser } = await import('./browser.js');
  return { browser: new Browser() };
}
