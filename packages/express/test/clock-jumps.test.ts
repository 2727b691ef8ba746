import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, describe, expect, it } from 'vitest';
import { Browser, type Page } from './browser.js';
import { DAY, HOUR } from './manual-clock.js';
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
const returnOf = async ({ browser, url }: Shop, path = '/') =>
  (await callbackUrl(browser, `${url}/auth/login?returnTo=${encodeURIComponent(path)}`)).href;
const GATED = 'The table is set';

/** Checks the status and that the response does not contain the protected text. */
function expectClosed(page: Page, status: number): void {
  expect(page.status).toBe(status);
  expect(page.text).not.toContain(GATED);
}

describe('a clock that jumps', () => {
  it('back to the correct time after a day ahead leaves no session with an expired token', async () => {
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
  ])('%s: members stay members, non-members stay out, and no request hangs', async (_name, leap) => {
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

  it('ten minutes back keeps the session of a browser that has not received its new cookie', async () => {
    const shop = await start();
    await shop.signIn(ada());
    const cookie = shop.sessionCookie()?.header.split(';')[0] ?? '';
    const open = async () => (await fetch(`${shop.url}/members`, { headers: { cookie } })).status;
    shop.clock.advance(HOUR);
    expect(await open()).toBe(200);
    shop.clock.advance(-10 * 60_000);
    expect(await open()).toBe(200);
    shop.clock.advance(61_000);
    expect(await open()).not.toBe(200);
  });

  it('a year ahead ends sessions, and back again does not restore them', async () => {
    const shop = await start();
    await shop.signIn(ada());
    shop.clock.advance(365 * DAY);
    expectClosed(await members(shop), 401);
  });

  it('past the end of a membership revokes access, and back grants no more than the service reports', async () => {
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

  it('back during a sign-in: the attempt is still valid once', async () => {
    const shop = await start();
    shop.service.visitor = ada();
    const back = await returnOf(shop);
    shop.clock.advance(-DAY);
    expect((await shop.browser.request(back)).status).toBe(302);
    shop.clock.advance(60_000);
    expect((await shop.browser.request(back)).status).toBe(400);
  });
});
