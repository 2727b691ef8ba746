import {
  CLIENT_SECRET,
  type FakeUser,
  fakeMembership,
  fakeUser,
  respond,
} from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
});
afterEach(() => shop.close());

const members = () =>
  shop.browser.request(`${shop.url}/members`, { headers: { accept: 'application/json' } });
const tokenRequests = () => shop.service.count('POST /oauth/token');

/** Makes the token endpoint omit fields of its regular response. */
function omit(...fields: readonly string[]): void {
  shop.service.on('POST /oauth/token', async ({ form }) => {
    shop.service.on('POST /oauth/token', undefined);
    const { url } = shop.service;
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams([...form]),
    });
    const body = (await response.json()) as Record<string, unknown>;
    for (const field of fields) delete body[field];
    return respond(response.status, body)();
  });
}

describe('a session without a refresh token', () => {
  it('ends with its access token', async () => {
    omit('refresh_token');
    await shop.signIn(ada);
    const asked = tokenRequests();
    shop.clock.advance(HOUR - 1);
    expect((await members()).status).toBe(200);
    shop.clock.advance(1);
    const rejected = await members();
    expect(rejected.status).toBe(401);
    expect(rejected.text).toContain('The session has ended. Sign in again.');
    const session = await shop.browser.request(`${shop.url}/auth/session`);
    expect(session.json).toEqual({ signedIn: false, reason: 'expired' });
    expect(shop.sessionCookie()).toBeUndefined();
    expect(tokenRequests()).toBe(asked);
  });

  it('extends its use up to then, without a request', async () => {
    omit('refresh_token');
    await shop.signIn(ada);
    for (let minutes = 5; minutes < 60; minutes += 5) {
      shop.clock.advance(5 * MINUTE);
      expect((await members()).status).toBe(200);
    }
    shop.clock.advance(5 * MINUTE);
    expect((await members()).status).toBe(401);
  });

  it('is not shared with another visitor whose session has none either', async () => {
    omit('refresh_token');
    await shop.signIn(ada);
    const other = await startShop({ beside: shop });
    omit('refresh_token');
    await other.signIn(fakeUser('grace@example.com'));
    shop.service.revokeAccessTokens();
    // Both memberships are fetched again, and both sessions would be renewed.
    shop.clock.advance(5 * MINUTE);
    const [first, second] = await Promise.all([
      members(),
      other.browser.request(`${other.url}/members`, { headers: { accept: 'application/json' } }),
    ]);
    expect([first.status, second.status]).toEqual([401, 401]);
    await other.close();
  });

  it('has its access token revoked at sign-out', async () => {
    omit('refresh_token');
    await shop.signIn(ada);
    const headers = { origin: shop.url };
    await shop.browser.request(`${shop.url}/auth/logout`, { method: 'POST', headers });
    const form = shop.service.forms().at(-1);
    expect(Object.fromEntries(form ?? [])).toMatchObject({
      token_type_hint: 'access_token',
      client_secret: CLIENT_SECRET,
    });
  });
});

describe('a token response without other fields', () => {
  it('gives a session of an hour with the requested scopes', async () => {
    omit('refresh_token', 'expires_in', 'scope', 'token_type');
    await shop.signIn(ada);
    shop.clock.advance(HOUR - 1);
    expect((await members()).status).toBe(200);
    shop.clock.advance(1);
    expect((await members()).status).toBe(401);
  });

  it('keeps the refresh token and the scopes when a session is renewed', async () => {
    await shop.signIn(ada);
    const body = { access_token: 'renewed' };
    shop.service.on('POST /oauth/token', respond(200, body));
    for (let hour = 1; hour <= 3; hour += 1) {
      shop.clock.advance(HOUR);
      shop.service.on('GET /oauth/memberships', respond(200, { memberships: ada.memberships }));
      expect((await members()).status).toBe(200);
      expect(shop.service.forms().at(-1)?.get('grant_type')).toBe('refresh_token');
    }
    const sent = shop.service.forms().slice(-3);
    expect(new Set(sent.map((form) => form.get('refresh_token'))).size).toBe(1);
  });
});
