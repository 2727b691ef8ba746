import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMUNITY, everyMembershipOfTheShop, OF_THE_SHOP } from './community-directory.js';
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
  it('reports a signed-out visitor without a request to the service', async () => {
    const answer = await session();
    expect(answer).toMatchObject({ status: 200, json: { signedIn: false } });
    expect(answer.json).not.toHaveProperty('reason');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('vary')).toBe('Cookie');
    expect(shop.service.log()).toEqual([]);
  });

  it('reports the user, the memberships and the expiry of the token', async () => {
    await shop.signIn(ada);
    expect((await session()).json).toEqual({
      signedIn: true,
      user: { sub: shop.subOf(ada), email: 'ada@example.com' },
      memberships: shop.listed(ada.memberships).map((membership) => ({ ...membership, ...OF_THE_SHOP })),
      expiresAt: shop.clock.now() + HOUR,
    });
  });

  it('names the memberships of the site by their plan, product or community', async () => {
    const plan = '5EED0000-0000-4000-8000-0000000000D1';
    const bought = fakeMembership();
    const foreign = fakeMembership();
    const directory = everyMembershipOfTheShop();
    const named = await startShop({
      options: {
        directory: {
          ...directory,
          find: (ids) => directory.find(ids.filter((id) => id.toLowerCase() !== foreign.id)),
        },
        membershipNames: { [COMMUNITY]: 'The Roaster’s Table', [plan]: 'Yearly seat' },
      },
    });
    const granted = fakeMembership();
    const eve = fakeUser('eve@example.com', [granted, bought, foreign]);
    await directory.record({
      membershipId: bought.id,
      communityId: COMMUNITY,
      pricingPlanId: plan,
    });
    await named.signIn(eve);
    const { json } = await named.browser.request(`${named.url}/auth/session`);
    const memberships = json.memberships as { id: string; name?: string }[];
    const nameOf = (membership: typeof bought) => {
      const [listed] = named.listed([membership]);
      return memberships.find(({ id }) => id === listed?.id)?.name;
    };
    expect([granted, bought, foreign].map(nameOf)).toEqual(['The Roaster’s Table', 'Yearly seat', undefined]);
    expect(memberships).toHaveLength(3);
    await named.close();
  });

  it('with ?fresh reports a purchase that is newer than the cache, and asks the service at most once a second', async () => {
    await shop.signIn(ada);
    await session();
    const bought = fakeMembership({ productType: 'digital_product' });
    ada.memberships = [...ada.memberships, bought];
    const fresh = async () => {
      const { json } = await shop.browser.request(`${shop.url}/auth/session?fresh`);
      return (json.memberships as unknown[]).length;
    };
    shop.clock.advance(5_000);
    expect((await session()).json.memberships).toHaveLength(1);
    expect(await fresh()).toBe(2);
    const asked = shop.service.count('GET /oauth/memberships');
    shop.clock.advance(999);
    expect(await fresh()).toBe(2);
    expect(shop.service.count('GET /oauth/memberships')).toBe(asked);
    shop.clock.advance(1);
    await fresh();
    expect(shop.service.count('GET /oauth/memberships')).toBe(asked + 1);
  });

  it('contains no token', async () => {
    await shop.signIn(ada);
    const { text } = await session();
    expect(Object.keys(JSON.parse(text)).sort()).toEqual(['expiresAt', 'memberships', 'signedIn', 'user']);
  });

  it('renews the token within a minute of its expiry, and reports the new expiry', async () => {
    await shop.signIn(ada);
    shop.clock.advance(HOUR - MINUTE - 1);
    expect((await session()).headers.getSetCookie()).toEqual([]);
    shop.clock.advance(1);
    const answer = await session();
    expect(answer.json.expiresAt).toBe(shop.clock.now() + HOUR);
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('reports an expiry by the service once, and keeps the cookie, which may be a newer one', async () => {
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

  it.each([
    [{ method: 'HEAD' }, HOUR],
    [{ headers: { 'sec-purpose': 'prefetch' } }, HOUR],
    [{ method: 'HEAD' }, 400 * DAY],
    [{ headers: { 'sec-purpose': 'prefetch' } }, 400 * DAY],
  ])('keeps the report of an expiry for the request that follows %o', async (speculative, wait) => {
    await shop.signIn(ada);
    shop.service.revokeEverything();
    shop.clock.advance(wait);
    const { headers } = await shop.browser.request(`${shop.url}/auth/session`, speculative);
    expect(headers.getSetCookie()).toEqual([]);
    expect((await session()).json).toEqual({ signedIn: false, reason: 'expired' });
    expect((await session()).json).toEqual({ signedIn: false });
  });

  it('keeps a session that another process has renewed, if its own late refresh is rejected', async () => {
    const other = await startShop({ beside: shop, options: { appUrl: shop.url } });
    await shop.signIn(ada);
    shop.clock.advance(HOUR);
    const old = shop.browser.headerFor('/');
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(200);
    const renewed = shop.sessionCookie()?.value;
    // Sent before the response to the other process, and answered after it.
    const late = await shop.browser.request(`${other.url}/auth/session`, { headers: { cookie: old } });
    expect(late.json).toEqual({ signedIn: false, reason: 'expired' });
    expect(shop.sessionCookie()?.value).toBe(renewed);
    expect((await session()).json.signedIn).toBe(true);
    await other.close();
  });

  it('reports the expiry of an idle session once', async () => {
    await shop.signIn(ada);
    shop.clock.advance(7 * DAY);
    const answer = await session();
    expect(answer.json).toEqual({ signedIn: false, reason: 'expired' });
    expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=0')]);
    expect((await session()).json).toEqual({ signedIn: false });
    expect(shop.service.count('POST /oauth/token')).toBe(1);
  });

  it('reports the expiry even if a gate has noticed it first', async () => {
    await shop.signIn(ada);
    shop.service.revokeEverything();
    shop.clock.advance(HOUR);
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(401);
    expect((await session()).json).toEqual({ signedIn: false, reason: 'expired' });
  });

  it('ends the session when the refresh token has expired after 30 days', {
    tags: ['credentials.refresh-token-lifetime'],
  }, async () => {
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

  it('drops a cached membership at the moment it expires', async () => {
    ada.memberships = [fakeMembership({ validUntil: new Date(shop.clock.now() + 30_000).toISOString() })];
    await shop.signIn(ada);
    shop.clock.advance(29_999);
    expect((await session()).json.memberships).toHaveLength(1);
    shop.clock.advance(1);
    shop.service.on('/oauth/memberships', 'reset');
    expect((await session()).json.memberships).toEqual([]);
  });

  it('responds with 503 during an outage and keeps the session', async () => {
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

  it('lists no memberships if the scope was not requested', async () => {
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

  it('renews a token that was revoked early', { tags: ['oauth-error.branch-on-error'] }, async () => {
    await shop.signIn(ada);
    shop.service.revokeAccessTokens();
    shop.clock.advance(2 * MINUTE);
    const answer = await session();
    expect(answer.json).toMatchObject({ signedIn: true, expiresAt: shop.clock.now() + HOUR });
    expect(answer.headers.getSetCookie()).toHaveLength(1);
  });

  it('responds to HEAD as to GET, without a body', async () => {
    const answer = await shop.browser.request(`${shop.url}/auth/session`, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, text: '' });
  });
});
