import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect, it } from 'vitest';
import { Browser } from '../browser.js';
import { DAY_TICKET, LIFETIME, type Market, type MarketSetup, MONTHLY, openMarket } from './market.js';

const { community, users } = sandboxScenario;
const ON_SALE = [MONTHLY, LIFETIME, DAY_TICKET];

let market: Market;

/** Requests are not held unless a test sets `holdSeconds`. */
async function open({ checkout, ...setup }: MarketSetup = {}): Promise<void> {
  market = await openMarket({
    plans: ON_SALE,
    checkout: { holdSeconds: 0, ...checkout },
    routes: (app, auth) => {
      for (const plan of ON_SALE) {
        app.get(
          `/plan/${plan.id}`,
          auth.requireMembership({ pricingPlanId: plan.id }, { upgradeUrl: '/join' }),
          (_request, response) => {
            response.send('Only for this plan');
          },
        );
      }
    },
    ...setup,
  });
  await market.signIn(users.ben.email);
}

/** Buys a plan. Returns the address that the payment page returns to. */
async function buy(plan = MONTHLY, method = 'card-4242'): Promise<string> {
  const { json } = await market.orderJson({ plan: plan.id, returnTo: `/plan/${plan.id}` });
  await market.pay(`${json.checkoutUrl}`, method);
  const paid = await (await fetch(`${json.checkoutUrl}?paid`)).text();
  const successUrl = /https?:[^"]*\/auth\/checkout\/return[^"]*/.exec(paid)?.[0] ?? '';
  return successUrl.replaceAll('&amp;', '&');
}

/** Ben is a member for life, but not by a plan. */
function grantForLife(): Promise<unknown> {
  const { operator } = market.sandbox;
  return operator.grantMembership({
    userId: users.ben.id,
    productType: 'community',
    communityId: community.id,
  });
}

const openPage = (url: string) => market.browser.request(url, { headers: { accept: 'text/html' } });

describe('GET /auth/checkout/return', () => {
  it('redirects to the wanted page, whose gate opens, once the event has arrived', async () => {
    await open();
    const successUrl = await buy();
    await market.deliver();
    const page = await openPage(successUrl);
    expect(page.status).toBe(303);
    expect(page.headers.get('location')).toBe(`${market.url}/plan/${MONTHLY.id}`);
    expect((await market.browser.open(successUrl)).text).toBe('Only for this plan');
  });

  it('waits until the event has arrived, and offers no plan meanwhile', {
    tags: ['buy-plan.success-url-no-proof'],
  }, async () => {
    await open();
    const successUrl = await buy();
    const page = await openPage(successUrl);
    expect(page.status).toBe(202);
    expect(page.headers.get('refresh')).toBe('2');
    expect(page.text).toContain('You do not need to do anything, and you need not pay again.');
    expect(page.text).toContain('/auth/checkout/return?plan=');
    expect(page.text).not.toContain('/join');
    await market.deliver();
    expect((await openPage(successUrl)).status).toBe(303);
  });

  it('holds a request until the event arrives', async () => {
    await open({ checkout: { holdSeconds: 30 } });
    const successUrl = await buy();
    const page = openPage(successUrl);
    await market.deliver();
    expect((await page).status).toBe(303);
  });

  it('opens nothing to a visitor who did not pay', async () => {
    await open();
    const url = `${market.url}/auth/checkout/return?plan=${MONTHLY.id}&returnTo=/plan/${MONTHLY.id}`;
    expect((await openPage(url)).status).toBe(202);
    market.clock.advance(15_000);
    const page = await openPage(url);
    expect(page.status).toBe(202);
    expect(page.headers.get('refresh')).toBeNull();
    expect((await openPage(`${market.url}/plan/${MONTHLY.id}`)).status).toBe(403);
  });

  it('waits for the new plan of a member who changes plans', async () => {
    await open();
    await buy(DAY_TICKET);
    await market.deliver();
    market.clock.advance(1000);
    const successUrl = await buy(LIFETIME, 'transfer-arrives');
    expect(successUrl).toContain('member=1');
    expect((await openPage(successUrl)).status).toBe(202);
    await market.deliver();
    expect((await market.browser.open(successUrl)).text).toBe('Only for this plan');
  });

  it.each([
    ['a subscriber', (): Promise<unknown> => buy(MONTHLY)],
    ['a member by a plan for a day', (): Promise<unknown> => buy(DAY_TICKET)],
    ['a member for life without a plan', grantForLife],
  ])('opens the gate of lifetime access for %s who buys it', async (_name, join) => {
    await open();
    await join();
    await market.deliver();
    market.clock.advance(1000);
    const gate = `${market.url}/plan/${LIFETIME.id}`;
    expect((await openPage(gate)).status).toBe(403);
    const successUrl = await buy(LIFETIME, 'transfer-arrives');
    await market.deliver();
    expect((await market.browser.open(successUrl)).text).toBe('Only for this plan');
  });

  it('sells nothing again to a member who has just changed plans', async () => {
    await open();
    await buy(DAY_TICKET);
    await market.deliver();
    await openPage(await buy(LIFETIME, 'transfer-arrives'));
    const again = await market.orderJson({ plan: LIFETIME.id });
    expect(again.json.error).toBe('already_paid');
    // An old checkout says nothing about a payment on its way.
    market.clock.advance(10 * 60_000);
    expect((await market.orderJson({ plan: LIFETIME.id })).status).toBe(200);
  });

  it('lets a member continue whose plan the service keeps', async () => {
    await open();
    await buy(LIFETIME, 'transfer-arrives');
    await market.deliver();
    // Lifetime access stays what it is.
    const successUrl = await buy(MONTHLY);
    await market.deliver();
    expect((await openPage(successUrl)).status).toBe(202);
    market.clock.advance(15_000);
    expect((await openPage(successUrl)).status).toBe(303);
  });

  it('lets a new member continue although no source stated the plan', async () => {
    await open();
    const successUrl = await buy();
    await market.learn(null);
    expect((await openPage(successUrl)).status).toBe(303);
  });

  it('returns after sign-in to a visitor whose session has ended', async () => {
    await open();
    const successUrl = await buy();
    market.browser.cookies.clear();
    const page = await openPage(successUrl);
    expect(page.status).toBe(302);
    const login = new URL(page.headers.get('location') ?? '');
    expect(login.pathname).toBe('/auth/login');
    expect(`${market.url}${login.searchParams.get('returnTo')}`).toBe(successUrl);
  });

  it('sends the result to scripts as JSON', async () => {
    await open();
    const successUrl = await buy();
    expect(await market.browser.request(successUrl)).toMatchObject({
      status: 503,
      json: { error: 'membership_pending' },
    });
    await market.deliver();
    expect(await market.browser.request(successUrl)).toMatchObject({
      status: 200,
      json: { continueUrl: `/plan/${MONTHLY.id}` },
    });
  });

  it.each(['https://evil.example/', '//evil.example', '/auth/logout', '/auth/checkout/return?plan=x'])(
    'never leads to %s',
    async (returnTo) => {
      await open();
      for (const plan of [MONTHLY.id, 'unknown']) {
        const query = new URLSearchParams({ plan, returnTo });
        await market.deliver();
        const page = await openPage(`${market.url}/auth/checkout/return?${query}`);
        if (plan === 'unknown') expect(page.headers.get('location')).toBe(`${market.url}/`);
        else expect(page.status).toBe(202);
      }
      await buy();
      await market.deliver();
      const query = new URLSearchParams({ plan: MONTHLY.id, returnTo });
      const page = await openPage(`${market.url}/auth/checkout/return?${query}`);
      expect(page.headers.get('location')).toBe(`${market.url}/`);
    },
  );

  it('names the account to sign in with, if the visitor typed an address', async () => {
    await open({
      options: {
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          if (!String(input).endsWith('/oauth/userinfo')) return response;
          const user = (await response.json()) as { email: string };
          return Response.json(user.email === users.ben.email ? { ...user, email: null } : user);
        },
      },
    });
    await market.sandbox.operator.createUser({ email: 'grace@example.com' });
    const returnTo = `/plan/${MONTHLY.id}`;
    const { json } = await market.orderJson({ plan: MONTHLY.id, returnTo, email: 'grace@example.com' });
    await market.pay(`${json.checkoutUrl}`);
    await market.deliver();
    const successUrl = `${market.url}/auth/checkout/return?${new URLSearchParams({ plan: MONTHLY.id, returnTo, typed: '1' })}`;
    const page = await openPage(successUrl);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Sign in with the address of your order');
    expect(page.text).toContain('<form method="post" action="/auth/logout">');
    const grace = new Browser();
    await market.signIn('grace@example.com', grace);
    expect((await grace.open(successUrl)).text).toBe('Only for this plan');
  });
});
