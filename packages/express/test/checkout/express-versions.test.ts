import { sandboxScenario } from '@latchkey/sandbox';
import express, { type Express } from 'express';
import express4 from 'express4';
import { describe, expect, it } from 'vitest';
import { type Market, MONTHLY, openMarket } from './market.js';

const { users } = sandboxScenario;

/** The functions of Express 4 that the kit and these tests use have the same signatures in Express 5. */
const VERSIONS: [version: string, module: typeof express][] = [
  ['Express 5', express],
  ['Express 4', express4 as unknown as typeof express],
];

let market: Market;

describe.each(VERSIONS)('the checkout on %s', (_version, version) => {
  const withParsers = (app: Express) => {
    app.use(version.json());
    app.use(version.urlencoded({ extended: true }));
  };

  it.each([
    ['without parsers of the app', () => {}],
    ['after parsers of the app', withParsers],
  ])('reads orders %s', async (_name, before) => {
    market = await openMarket({ createApp: version, before });
    await market.signIn(users.ben.email);
    const page = await market.order({ plan: MONTHLY.id, returnTo: '/members' });
    expect(page.status).toBe(303);
    expect(page.headers.get('location')).toContain('/checkout/card/');
    expect((await market.orderJson({ plan: MONTHLY.id })).status).toBe(200);
    expect((await market.orderJson({})).status).toBe(400);
  });

  it('passes asynchronous errors on to the error handler of the app', async () => {
    const fail = () => Promise.reject(new Error('bug in the client'));
    const client = { buyPlan: fail, inviteLink: fail };
    market = await openMarket({
      createApp: version,
      checkout: { client },
      routes: (app, auth) => app.get('/chat', auth.inviteLink({ client, plans: [MONTHLY] })),
    });
    await market.signIn(users.ada.email);
    const order = await market.order({ plan: MONTHLY.id });
    expect(order.status).toBe(500);
    expect(order.text).toContain('bug in the client');
    const chat = await market.browser.request(`${market.url}/chat`);
    expect(chat.text).toContain('bug in the client');
  });

  it('names the fix if it is mounted above the router, or at a path', async () => {
    market = await openMarket({
      createApp: version,
      routes: (app, auth, client) => app.use('/shop/auth', auth.checkout({ client, plans: [MONTHLY] })),
      before: (app) => {
        app.use('/early', (request, response, next) => early(request, response, next));
      },
    });
    const early = market.auth.inviteLink({ client: { buyPlan, inviteLink }, plans: [MONTHLY] });
    const page = await market.browser.request(`${market.url}/early`);
    expect(page.text).toContain('auth.inviteLink ran before auth.router');
    const mounted = await market.browser.request(`${market.url}/shop/auth/auth/plans`);
    expect(mounted.text).toContain('Use app.use(auth.checkout(…)) without a path.');
  });
});

const buyPlan = async () => ({ checkoutUrl: 'https://pay.example' });
const inviteLink = async () => ({ link: 'https://chat.example', expiresAt: '' });
