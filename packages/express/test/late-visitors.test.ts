import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SealedCookieStore } from '../src/session/create-session-store.js';
import type { Session } from '../src/session/session.js';
import { SessionRefresher } from '../src/session/session-refresher.js';
import { Browser } from './browser.js';
import { DAY, HOUR, MINUTE, manualClock } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(async () => {
  shop = await startShop({ options: { session: { absoluteSeconds: 10 * 24 * 3600 } } });
  ada = fakeUser('ada@example.com', [fakeMembership()]);
});
afterEach(() => shop.close());

const refreshes = () =>
  shop.service.forms().filter((form) => form.get('grant_type') === 'refresh_token').length;
const openWith = (cookie: string, path = '/members') =>
  fetch(`${shop.url}${path}`, { headers: { cookie }, redirect: 'manual' });
/** The session cookie as an attacker copied it. */
const copyOfCookie = () => shop.browser.headerFor('/');

/** Begins a renewal whose visitor closes the page before the response, and waits until the renewal is complete. */
async function leaveDuringRenewal(at = shop): Promise<void> {
  const before = refreshes();
  const release = shop.service.hold('/oauth/token');
  const leaving = new AbortController();
  const headers = { cookie: at.browser.headerFor('/') };
  const left = fetch(`${at.url}/account`, { headers, signal: leaving.signal }).catch(() => 'left');
  while (refreshes() === before) await new Promise(setImmediate);
  leaving.abort();
  expect(await left).toBe('left');
  release();
  shop.service.hold('/oauth/token')();
  // The process receives the released response before those of these later requests.
  await at.signIn(fakeUser('ben@example.com', [fakeMembership()]), { browser: new Browser() });
}

describe('a visitor who returns long after a renewal that no response delivered', () => {
  it('receives the new cookie if the service took longer than the visitor waited', async () => {
    const impatient = await startShop({ beside: shop, options: { timeoutMs: 600 } });
    await impatient.signIn(ada);
    shop.clock.advance(HOUR);
    const release = shop.service.hold('/oauth/token');
    const account = () => impatient.browser.request(`${impatient.url}/account`);
    expect((await account()).status).toBe(503);
    // The held response is on its way when the next requests of the process can be answered.
    release();
    const other = new Browser();
    await impatient.signIn(fakeUser('ben@example.com', [fakeMembership()]), { browser: other });
    shop.clock.advance(10 * MINUTE);
    const page = await account();
    expect(page.status).toBe(200);
    expect(page.headers.getSetCookie()).toHaveLength(1);
    expect(refreshes()).toBe(1);
    await impatient.close();
  });

  it('receives the new cookie if the connection closed before', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    await leaveDuringRenewal();
    shop.clock.advance(10 * MINUTE);
    const page = await shop.browser.request(`${shop.url}/members`);
    expect(page).toMatchObject({ status: 200, text: 'The table is set' });
    expect(page.headers.getSetCookie()).toHaveLength(1);
    expect(refreshes()).toBe(1);
  });

  it('receives renewed tokens if those of the first renewal have expired too', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    await leaveDuringRenewal();
    shop.clock.advance(3 * DAY);
    const copy = copyOfCookie();
    expect((await shop.browser.request(`${shop.url}/account`)).status).toBe(200);
    expect(refreshes()).toBe(2);
    expect((await openWith(copy)).status).toBe(200);
    expect(refreshes(), 'requests in flight share the second renewal').toBe(2);
    shop.clock.advance(10 * MINUTE);
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(200);
    expect(refreshes()).toBe(2);
  });

  it('can use the old cookie for a minute after the delivery, and not longer', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const copy = copyOfCookie();
    await leaveDuringRenewal();
    shop.clock.advance(10 * MINUTE);
    await shop.browser.request(`${shop.url}/account`);
    shop.clock.advance(MINUTE - 1);
    expect((await openWith(copy)).status).toBe(200);
    shop.clock.advance(1);
    expect((await openWith(copy)).status).toBe(401);
    expect(refreshes()).toBe(1);
  });

  it('is signed out if the session was longer than its maximum age, or its tokens were revoked', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    await leaveDuringRenewal();
    const copy = copyOfCookie();
    shop.clock.advance(10 * DAY);
    expect((await openWith(copy)).status).toBe(401);
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    await leaveDuringRenewal();
    shop.service.revokeEverything();
    shop.clock.advance(10 * MINUTE);
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(401);
  });
});

describe('a copied cookie whose renewal no response delivered', () => {
  it.for([
    ['confidential', 10 * MINUTE],
    ['confidential', 3 * DAY],
    ['public', 10 * MINUTE],
    ['public', 3 * DAY],
  ] as const)('has no access after a sign-out (%s client, %i ms later)', async ([client, age]) => {
    const open = await startShop({ beside: shop, client });
    await open.signIn(ada);
    shop.clock.advance(HOUR);
    const headers = { cookie: open.browser.headerFor('/') };
    await leaveDuringRenewal(open);
    shop.clock.advance(age);
    const revocations = shop.service.count('POST /oauth/revoke');
    const signOut = await fetch(`${open.url}/auth/logout`, {
      method: 'POST',
      headers: { ...headers, 'sec-fetch-site': 'same-origin' },
    });
    expect(signOut.status).toBe(204);
    expect(shop.service.count('POST /oauth/revoke') - revocations).toBe(client === 'public' ? 0 : 1);
    for (const wait of [0, MINUTE, DAY]) {
      shop.clock.advance(wait);
      expect((await fetch(`${open.url}/account`, { headers })).status).toBe(401);
    }
    expect(refreshes()).toBe(1);
    await open.close();
  });

  it('has no access a minute after another user signed in with the same browser', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const copy = copyOfCookie();
    await leaveDuringRenewal();
    shop.clock.advance(10 * MINUTE);
    await shop.signIn(fakeUser('ben@example.com', [fakeMembership()]));
    shop.clock.advance(MINUTE);
    expect((await openWith(copy)).status).toBe(401);
    expect((await shop.browser.open(`${shop.url}/`)).text).toBe('Hello ben@example.com');
    expect(refreshes()).toBe(1);
  });

  it.for(['signed out', 'replaced'])(
    'has no access after the process has forgotten that its session was %s',
    async (how) => {
      const begin = vi.spyOn(SealedCookieStore.prototype, 'begin');
      onTestFinished(() => begin.mockRestore());
      // A public client cannot revoke the tokens.
      const open = await startShop({ beside: shop, client: 'public' });
      await open.signIn(ada);
      const store = begin.mock.contexts.at(-1) as SealedCookieStore;
      shop.clock.advance(HOUR);
      const headers = { cookie: open.browser.headerFor('/') };
      await leaveDuringRenewal(open);
      if (how === 'replaced') await open.signIn(fakeUser('ben@example.com', [fakeMembership()]));
      else
        await fetch(`${open.url}/auth/logout`, {
          method: 'POST',
          headers: { ...headers, 'sec-fetch-site': 'same-origin' },
        });
      // More sessions than the store remembers.
      for (let index = 0; index < 20_001; index += 1) {
        await store.end(`${index}`);
        await store.retire({ id: `${index}` } as Session);
      }
      shop.clock.advance(MINUTE);
      expect((await fetch(`${open.url}/account`, { headers })).status).toBe(401);
      await open.close();
    },
  );
});

describe('the memory of renewals that no response delivered', () => {
  const clock = manualClock();
  const sent: string[] = [];
  const session = (name: string): Session => ({
    id: name,
    user: { sub: name, email: null },
    tokens: { accessToken: `a ${name}`, refreshToken: name, expiresAt: clock.now() + HOUR, scopes: [] },
    createdAt: clock.now(),
    seenAt: clock.now(),
  });
  const create = (answer = async () => {}) =>
    new SessionRefresher({
      clock,
      maxWaitMs: 10_000,
      cookieHoldsTokens: true,
      async rotateTokens(refreshToken) {
        sent.push(refreshToken);
        await answer();
        return { kind: 'rotated', tokens: session(`${refreshToken}+`).tokens };
      },
      async storeRefresh(old, send) {
        const result = await send(old);
        return result.kind === 'renewed' ? { ...result, cookieValue: Promise.resolve('cookie') } : result;
      },
    });
  beforeEach(() => void sent.splice(0));

  it('keeps the result for a late visitor while other visitors renew their sessions', async () => {
    const refresher = create();
    const late = session('late');
    await refresher.refresh(late);
    for (let index = 0; index < 10_001; index += 1) {
      const other = session(`${index}`);
      await refresher.refresh(other);
      refresher.beginDelivery(other)(true);
    }
    expect((await refresher.refresh(late)).kind).toBe('renewed');
    expect(sent.filter((token) => token === 'late')).toHaveLength(1);
  });

  it('is limited to ten thousand results, of which the oldest is dropped', async () => {
    const refresher = create();
    for (let index = 0; index < 12_000; index += 1) await refresher.refresh(session(`${index}`));
    await refresher.refresh(session('11999'));
    expect(sent).toHaveLength(12_000);
    await refresher.refresh(session('0'));
    expect(sent).toHaveLength(12_001);
  });

  it('ends a minute after the session was signed out or replaced, and its token is not sent again', async () => {
    const refresher = create();
    const old = session('old');
    await refresher.refresh(old);
    clock.advance(DAY);
    refresher.stopWaiting(old);
    clock.advance(MINUTE - 1);
    expect((await refresher.refresh(old)).kind).toBe('renewed');
    clock.advance(1);
    expect((await refresher.refresh(old)).kind).toBe('ended');
    expect(sent.filter((token) => token === 'old')).toHaveLength(1);
  });

  it('does not begin for a renewal that was in flight when its session was signed out or replaced', async () => {
    const answer = Promise.withResolvers<void>();
    const refresher = create(() => answer.promise);
    const old = session('old');
    const renewal = refresher.refresh(old);
    refresher.stopWaiting(old);
    answer.resolve();
    await renewal;
    clock.advance(MINUTE);
    expect((await refresher.refresh(old)).kind).toBe('ended');
  });
});
