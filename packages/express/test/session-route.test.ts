import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/test-services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
});
afterEach(() => shop.close());

const session = () => shop.browser.request(`${shop.url}/auth/session`);

describe('GET /auth/session', () => {
  it('says that nobody is signed in, and asks the service nothing', async () => {
    const answer = await session();
    expect(answer).toMatchObject({ status: 200, json: { signedIn: false } });
    expect(answer.json).not.toHaveProperty('reason');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('vary')).toBe('Cookie');
    expect(shop.service.log()).toEqual([]);
  });

  it('says who is signed in, with which memberships and until when the token lasts', async () => {
    await shop.signIn(ada);
    expect((await session()).json).toEqual({
      signedIn: true,
      user: { sub: ada.sub, email: 'ada@example.com' },
      memberships: ada.memberships,
      expiresAt: shop.clock.now() + HOUR,
    });
  });

  it('holds no token', async () => {
    await shop.signIn(ada);
    const { text } = await session();
    expect(Object.keys(JSON.parse(text)).sort()).toEqual(['expiresAt', 'memberships', 'signedIn', 'user']);
  });

  it('refreshes when the token is within a minute of its end, and tells the new end', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR - MINUTE - 1);
    expect((await session()).headers.getSetCookie()).toEqual([]);
    shop.clock.advance(1);
    const answer = await session();
    expect(answer.json.expiresAt).toBe(shop.clock.now() + HOUR);
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('says once that a session has expired when the service ended it, and leaves the cookie alone: it may be the newer one of another process or sign-in', async () => {
    await shop.signIn(ada);
    shop.service.revokeEverything();
    shop.clock.advance(HOUR);
    const answer = await session();
    expect(answer.json).toEqual({ signedIn: false, reason: 'expired' });
    expect(answer.headers.getSetCookie()).toEqual([]);
    const asked = shop.service.count('POST /oauth/token');
    expect((await session()).json).toEqual({ signedIn: false });
    expect(shop.service.count('POST /oauth/token')).toBe(asked);
  });

  it('does not end the session that another process has renewed, when its own late refresh is refused', async () => {
    const other = await startShop({ beside: shop, options: { appUrl: shop.url } });
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const old = shop.browser.headerFor('/');
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(200);
    const renewed = shop.sessionCookie()?.value;
    // Sent before the answer of the other process was there, and answered after it.
    const late = await shop.browser.request(`${other.url}/auth/session`, { headers: { cookie: old } });
    expect(late.json).toEqual({ signedIn: false, reason: 'expired' });
    expect(shop.sessionCookie()?.value).toBe(renewed);
    expect((await session()).json.signedIn).toBe(true);
    await other.close();
  });

  it('says once that a session has expired when it was idle for too long', async () => {
    await shop.signIn(ada);
    shop.clock.advance(7 * DAY);
    const answer = await session();
    expect(answer.json).toEqual({ signedIn: false, reason: 'expired' });
    expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=0')]);
    expect((await session()).json).toEqual({ signedIn: false });
    expect(shop.service.count('POST /oauth/token')).toBe(1);
  });

  it('still says so when a gate has noticed first', async () => {
    await shop.signIn(ada);
    shop.service.revokeEverything();
    shop.clock.advance(HOUR);
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(401);
    expect((await session()).json).toEqual({ signedIn: false, reason: 'expired' });
  });

  it('ends the session when the refresh token ran out after 30 days [credentials.refresh-token-lifetime]', async () => {
    const patient = await startShop({
      beside: shop,
      options: { session: { absoluteSeconds: 90 * 86_400, rollingSeconds: 60 * 86_400 } },
    });
    await patient.signIn(ada);
    shop.clock.advance(30 * DAY);
    const answer = await patient.browser.request(`${patient.url}/auth/session`);
    expect(answer.json).toEqual({ signedIn: false, reason: 'expired' });
    await patient.close();
  });

  it('drops a membership at the moment it ends, though it is remembered', async () => {
    ada.memberships = [fakeMembership({ validUntil: new Date(shop.clock.now() + 30_000).toISOString() })];
    await shop.signIn(ada);
    shop.clock.advance(29_999);
    expect((await session()).json.memberships).toHaveLength(1);
    shop.clock.advance(1);
    shop.service.on('/oauth/memberships', 'reset');
    expect((await session()).json.memberships).toEqual([]);
  });

  it('answers 503 when memberships cannot be told, and keeps the session', async () => {
    await shop.signIn(ada);
    shop.clock.advance(10 * MINUTE);
    shop.service.on('/oauth/memberships', 'server-error');
    const answer = await session();
    expect(answer).toMatchObject({ status: 503, json: { error: 'service_unavailable' } });
    expect(answer.headers.getSetCookie()).toEqual([]);
    shop.service.clear();
    shop.clock.advance(5_000);
    expect((await session()).json.signedIn).toBe(true);
  });

  it('lists no memberships when the scope was not asked for', async () => {
    const scopeless = await startShop({
      beside: shop,
      options: { scopes: ['products.read'] },
      routes: (app, auth) => app.use(auth.router),
    });
    await scopeless.signIn(ada);
    const answer = await scopeless.browser.request(`${scopeless.url}/auth/session`);
    expect(answer.json).toMatchObject({ signedIn: true, memberships: [] });
    expect(shop.service.count('GET /oauth/memberships')).toBe(0);
    await scopeless.close();
  });

  it('renews a token that the service ended early, without the visitor noticing [oauth-error.branch-on-error]', async () => {
    await shop.signIn(ada);
    shop.service.revokeAccessTokens();
    shop.clock.advance(2 * MINUTE);
    const answer = await session();
    expect(answer.json).toMatchObject({ signedIn: true, expiresAt: shop.clock.now() + HOUR });
    expect(answer.headers.getSetCookie()).toHaveLength(1);
  });

  it('answers HEAD as GET, without a body', async () => {
    const answer = await shop.browser.request(`${shop.url}/auth/session`, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, text: '' });
  });
});
