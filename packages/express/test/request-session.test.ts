import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page } from './browser.js';
import { OF_THE_SHOP } from './community-directory.js';
import { HOUR, MINUTE } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
});
afterEach(() => shop.close());

const refreshes = () => shop.service.count('POST /oauth/token') - 1;

describe('req.latchkey in a handler', () => {
  let app: Shop;
  beforeEach(async () => {
    app = await startShop({
      beside: shop,
      routes: (express, auth) => {
        express.use(auth.router);
        express.get('/token', async (request, response) => {
          const token = await request.latchkey?.accessToken();
          response.send(shop.service.isLiveAccessToken(token ?? '') ? 'a live token' : `not a live token`);
        });
        express.get('/list', async (request, response) => {
          response.json(await request.latchkey?.memberships());
        });
        express.get('/late', async (request, response) => {
          response.write('begun ');
          await request.latchkey?.accessToken();
          response.end('done');
        });
        express.get('/broken', async (request) => {
          await request.latchkey?.accessToken();
          throw new Error('Not today.');
        });
        express.get('/public', (_request, response) => {
          response
            .set('Cache-Control', 'public, max-age=600')
            .append('Set-Cookie', 'theme=dark')
            .send('public');
        });
      },
    });
  });
  afterEach(() => app.close());
  const get = (path: string): Promise<Page> => app.browser.request(`${app.url}${path}`);

  it('returns a valid access token, renewed if necessary, and forbids caching', async () => {
    await app.signIn(ada);
    expect((await get('/token')).text).toBe('a live token');
    shop.clock.advance(HOUR);
    const renewed = await get('/token');
    expect(renewed.headers.getSetCookie()).toHaveLength(1);
    expect(renewed.headers.get('cache-control')).toBe('private, no-store');
    expect(renewed.headers.get('vary')).toBe('Cookie');
    expect(refreshes()).toBe(1);
  });

  it('returns the memberships, and none for a signed-out visitor', async () => {
    expect((await get('/list')).text).toBe('[]');
    await app.signIn(ada);
    expect(JSON.parse((await get('/list')).text)).toEqual(
      shop.listed(ada.memberships).map((membership) => ({ ...membership, ...OF_THE_SHOP })),
    );
  });

  it('fails with a status for Express: 401 for a signed-out visitor, 503 during an outage', async () => {
    expect((await get('/token')).status).toBe(401);
    await app.signIn(ada);
    shop.clock.advance(HOUR);
    shop.service.on('/oauth/token', 'reset');
    expect((await get('/token')).status).toBe(503);
    expect((await get('/list')).status).toBe(503);
  });

  it('logs a warning for a refresh after the headers, and the next request receives the successor', async () => {
    await app.signIn(ada);
    shop.clock.advance(HOUR);
    expect((await get('/late')).text).toBe('begun done');
    expect(JSON.stringify(app.log)).toContain('before sending');
    expect((await get('/token')).headers.getSetCookie()).toHaveLength(1);
    expect(refreshes()).toBe(1);
  });

  it('keeps the refresh if the handler fails afterwards', async () => {
    await app.signIn(ada);
    shop.clock.advance(HOUR);
    const page = await get('/broken');
    expect(page.status).toBe(500);
    expect(page.headers.getSetCookie()).toHaveLength(1);
    shop.clock.advance(5 * MINUTE);
    expect((await get('/token')).status).toBe(200);
    expect(refreshes()).toBe(1);
  });

  it('does not change cookies and caching of other responses', async () => {
    await app.signIn(ada);
    shop.clock.advance(HOUR);
    const page = await get('/public');
    expect(page.headers.getSetCookie()).toEqual(['theme=dark']);
    expect(page.headers.get('cache-control')).toBe('public, max-age=600');
  });
});
