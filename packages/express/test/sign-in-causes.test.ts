import { fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from './browser.js';
import { COOKIE_SECRET } from './cookie-secret.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
const ada = fakeUser('ada@example.com', [fakeMembership()]);
beforeEach(async () => {
  shop = await startShop({ options: { appUrl: 'https://shop.example' } });
});
afterEach(() => shop.close());

/** Returns the likely causes that are logged for a callback without the cookie of its attempt. */
async function causes(
  headers: Record<string, string>,
  path = '/auth/callback?code=x&state=y',
): Promise<string[]> {
  shop.log.length = 0;
  await new Browser().open(`${shop.url}${path}`, { headers });
  const logged = shop.log.find(({ message }) => message.includes('cookie of the attempt was not sent'));
  const { likelyCauses } = (logged?.details ?? { likelyCauses: [] }) as { likelyCauses: string[] };
  return likelyCauses;
}

describe('the likely causes of a missing cookie', () => {
  it.each([
    [
      'over http behind a proxy',
      { 'x-forwarded-proto': 'http' },
      /according to a proxy .* http.*redirect http to https/,
    ],
    ['over http in front of two proxies', { 'x-forwarded-proto': 'http, https' }, /according to a proxy/],
    ['by another host', { cookie: 'a=b' }, /Host header differs from appUrl \(shop\.example\)/],
  ])('begin with the one that the request indicates: %s', async (_name, headers, cause) => {
    expect((await causes(headers))[0]).toMatch(cause);
  });

  it('include frames and blocked cookies if the request indicates them', async () => {
    const framed = await causes({ 'sec-fetch-dest': 'iframe', cookie: 'a=b' });
    expect(framed.join()).toMatch(/frame of another site.*SameSite=Lax/);
    expect(framed.join()).not.toMatch(/the request has no cookies/);
    const plain = await causes({});
    expect(plain.join()).toMatch(/the request has no cookies: the browser blocks them, or a proxy drops/);
    expect(plain.join()).not.toMatch(/frame of another site|according to a proxy/);
  });
});

it('a callback without a cookie tells a signed-in visitor to continue, and logs the Back button as the cause', async () => {
  const plain = await startShop({ beside: shop });
  await plain.signIn(ada);
  const page = await plain.browser.open(`${plain.url}/auth/callback?code=x&state=y`);
  expect(page.status).toBe(400);
  expect(page.text).toContain('<h1>You are already signed in</h1>');
  expect(page.text).toContain('<a href="/">Continue</a>');
  expect(JSON.stringify(plain.log)).toMatch(/"likelyCauses":\["the visitor is signed in: the Back button/);
  expect((await plain.browser.request(`${plain.url}/members`)).status).toBe(200);
  await plain.close();
});

it('a custom page receives whether the visitor is signed in nevertheless', async () => {
  const own = await startShop({
    beside: shop,
    options: {
      cookieSecret: COOKIE_SECRET,
      pages: {
        signInFailed: (_request, response, { reason, signedIn }) => response.json({ reason, signedIn }),
      },
    },
  });
  const failed = async () => (await own.browser.open(`${own.url}/auth/callback?code=x&state=y`)).json;
  expect(await failed()).toEqual({ reason: 'cookie_missing', signedIn: false });
  await own.signIn(ada);
  expect(await failed()).toEqual({ reason: 'cookie_missing', signedIn: true });
  await own.close();
});
