import { fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import express, { type ErrorRequestHandler, type Express } from 'express';
import express4 from 'express4';
import { afterEach, describe, expect, it } from 'vitest';
import type { Latchkey, LatchkeyOptions } from '../src/index.js';
import { SHOP_MEMBERS } from './community-directory.js';
import { type Shop, startShop } from './shop.js';

/** The functions of Express 4 that the kit and these tests use have the same signatures in Express 5. */
const VERSIONS: [version: string, createApp: () => Express][] = [
  ['Express 5', express],
  ['Express 4', express4 as unknown as () => Express],
];

const ada = fakeUser('ada@example.com', [fakeMembership()]);
const ben = fakeUser('ben@example.com');

describe.each(VERSIONS)('on %s', (version, createApp) => {
  let shop: Shop;
  afterEach(() => shop.close());

  const start = async (
    routes: (app: Express, auth: Latchkey) => void,
    options: Partial<LatchkeyOptions> = {},
  ) => {
    shop = await startShop({
      createApp,
      options,
      routes: (app, auth) => {
        app.use(auth.router);
        routes(app, auth);
        app.use(((error, _request, response, _next) => {
          response.status(500).send(`handled: ${error.message}`);
        }) satisfies ErrorRequestHandler);
      },
    });
  };
  const members = SHOP_MEMBERS;

  it('runs on the version that the test names', async () => {
    await start(() => {});
    expect('lazyrouter' in createApp()).toBe(version === 'Express 4');
  });

  it('signs in, opens gates for members only, and signs out', async () => {
    await start((app, auth) => {
      app.get('/', (request, response) => {
        response.send(request.latchkey?.signedIn ? 'signed in' : 'signed out');
      });
      app.get('/members', auth.requireMembership(members), (_request, response) => {
        response.send('The table is set');
      });
      app.get('/view', auth.locals(), (_request, response) => {
        response.json({ isMember: response.locals.latchkey?.has(members) });
      });
    });
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(401);
    expect((await shop.signIn(ada, { path: '/members' })).text).toBe('The table is set');
    expect((await shop.browser.request(`${shop.url}/view`)).json).toEqual({ isMember: true });
    expect((await shop.browser.request(`${shop.url}/auth/session`)).json).toMatchObject({ signedIn: true });
    const signedOut = await shop.browser.request(`${shop.url}/auth/logout`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(signedOut.status).toBe(204);
    expect((await shop.browser.request(`${shop.url}/`)).text).toBe('signed out');
    expect((await shop.signIn(ben, { path: '/members' })).status).toBe(403);
  });

  it.each<[string, (app: Express, auth: Latchkey) => void]>([
    [
      'a rule that throws',
      (app, auth) =>
        app.get(
          '/page',
          auth.requireMembership(() => {
            throw new Error('broken');
          }),
        ),
    ],
    [
      'a teaser that rejects',
      (app, auth) =>
        app.get(
          '/page',
          auth.requireMembership(
            { all: [members, members] },
            { teaser: () => Promise.reject(new Error('broken')) },
          ),
        ),
    ],
    [
      'a handler in signedIn that rejects',
      (app, auth) =>
        app.get(
          '/page',
          auth.requireSignIn(),
          auth.signedIn(async () => {
            throw new Error('broken');
          }),
        ),
    ],
  ])('passes the error of %s to the error handler', async (_name, route) => {
    await start(route);
    await shop.signIn(ben);
    const page = await shop.browser.open(`${shop.url}/page`);
    expect(page).toMatchObject({ status: 500, text: 'handled: broken' });
  });

  it('passes the error of a custom page to the error handler', async () => {
    await start((app, auth) => app.get('/page', auth.requireMembership(members)), {
      pages: { forbidden: () => Promise.reject(new Error('broken')) },
    });
    await shop.signIn(ben);
    expect(await shop.browser.open(`${shop.url}/page`)).toMatchObject({
      status: 500,
      text: 'handled: broken',
    });
  });

  it('passes the error of a custom page of the sign-in to the error handler', async () => {
    await start(() => {}, { pages: { signInFailed: () => Promise.reject(new Error('broken')) } });
    const page = await shop.browser.open(`${shop.url}/auth/callback?code=x&state=y`);
    expect(page).toMatchObject({ status: 500, text: 'handled: broken' });
  });
});
