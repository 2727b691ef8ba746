import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NAVIGATION } from './browser.js';
import { DAY } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
});
afterEach(() => shop.close());

/** Returns what the login asks the service about the account. */
async function promptOf(path = '/auth/login', headers: Record<string, string> = NAVIGATION) {
  const answer = await shop.browser.request(`${shop.url}${path}`, { headers });
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get('location') ?? '').searchParams.get('prompt');
}

const logout = (headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) =>
  shop.browser.request(`${shop.url}/auth/logout`, { method: 'POST', headers });

const session = async () => (await shop.browser.request(`${shop.url}/auth/session`)).json;

describe('the service is asked to let the visitor choose an account', () => {
  it('after a sign-out, until the next sign-in', async () => {
    expect(await promptOf()).toBeNull();
    await shop.signIn(ada);
    expect(await promptOf()).toBeNull();
    await logout();
    expect(await promptOf()).toBe('select_account');
    expect(await session()).toEqual({ signedIn: false, reason: 'signed_out' });
    await shop.signIn(fakeUser('ben@example.com'));
    expect(await promptOf()).toBeNull();
    await shop.browser.request(`${shop.url}/auth/logout`, { method: 'POST', headers: { origin: shop.url } });
    expect(await session()).toEqual({ signedIn: false, reason: 'signed_out' });
    await shop.exchange(shop.popupCode(ada));
    expect(await promptOf()).toBeNull();
  });

  it('by the login with switch, also while somebody is signed in', async () => {
    await shop.signIn(ada);
    expect(await promptOf('/auth/login?switch')).toBe('select_account');
    expect(await promptOf('/auth/login?switch=1&returnTo=%2Fmembers')).toBe('select_account');
  });

  it('not after an expired session, and not after a sign-out that another site asked for', async () => {
    await shop.signIn(ada);
    expect((await logout({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(await promptOf()).toBeNull();
    shop.clock.advance(400 * DAY);
    expect(await session()).toEqual({ signedIn: false, reason: 'expired' });
    expect(await promptOf()).toBeNull();
  });
});

describe('the page for visitors without the membership', () => {
  it('leads to another account and back, and promises nothing about the service', async () => {
    await shop.signIn(fakeUser('ben@example.com'));
    const page = await shop.browser.open(`${shop.url}/members?a=1`);
    expect(page.status).toBe(403);
    const href = '/auth/login?returnTo=%2Fmembers%3Fa%3D1&amp;switch=1';
    expect(page.text).toContain(`href="${href}">Switch account</a>`);
    expect(page.text).toContain('If you aren’t asked which one, sign out at the membership service first.');
    expect(await promptOf(href.replaceAll('&amp;', '&'))).toBe('select_account');
    // The fake service ignores the request, like every parameter that the specification doesn't list.
    const again = await shop.browser.open(`${shop.url}${href.replaceAll('&amp;', '&')}`);
    expect([again.status, new URL(again.url).pathname]).toEqual([403, '/members']);
    shop.service.visitor = ada;
    const opened = await shop.browser.open(`${shop.url}${href.replaceAll('&amp;', '&')}`);
    expect([opened.status, new URL(opened.url).search]).toEqual([200, '?a=1']);
  });
});
