import { LatchkeyClient } from '@latchkey/client';
import { sandboxScenario } from '@latchkey/sandbox';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckoutPlan } from '../../src/checkout/checkout-options.js';
import { cancelledUrl, readOrder, returnUrl } from '../../src/checkout/checkout-request.js';
import { Browser } from '../browser.js';
import { type Market, MONTHLY, openMarket } from './market.js';

const { users } = sandboxScenario;

let market: Market;
beforeEach(() => {
  market.calls.length = 0;
});

async function open(): Promise<void> {
  market = await openMarket({
    plans: [MONTHLY],
    routes: (app, auth, client) => app.get('/chat', auth.inviteLink({ client, plans: [MONTHLY] })),
  });
  await market.signIn(users.ben.email);
}

describe('an order from another site', () => {
  beforeAll(open);

  it.each([
    ['a form of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['another origin, in an old browser', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
    ['a sandboxed frame', { 'sec-fetch-site': undefined, origin: 'null' }],
    ['an unknown sender', { 'sec-fetch-site': undefined }],
  ])('is rejected: %s', async (_name, headers) => {
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const clear = 'sec-fetch-site' in sent ? {} : { 'sec-fetch-site': '' };
    for (const order of [market.order, market.orderJson]) {
      const page = await order({ plan: MONTHLY.id }, { headers: { ...clear, ...sent } });
      expect(page.status).toBe(403);
    }
    expect(market.calls).toEqual([]);
  });

  it('is rejected as a navigation', async () => {
    const page = await market.browser.open(`${market.url}/auth/checkout?plan=${MONTHLY.id}`);
    expect(page.status).toBe(405);
    expect(page.headers.get('allow')).toBe('POST');
    expect(market.calls).toEqual([]);
  });
});

describe('an altered order', () => {
  beforeAll(open);

  it.each([
    ['of a plan that the site does not sell', sandboxScenario.plans.lifetime.id],
    ['of a plan with another type', '["x"]'],
    ['of a property of every object', '__proto__'],
  ])('%s is rejected without a call', async (_name, plan) => {
    expect(await market.orderJson({ plan })).toMatchObject({ status: 404, json: { error: 'plan_unknown' } });
    const page = await market.order({ plan });
    expect(page.status).toBe(404);
    expect(page.text).toContain('This plan is not for sale');
    expect(market.calls).toEqual([]);
  });

  it.each([
    ['no plan', {}],
    ['a list of plans', { plan: [MONTHLY.id] }],
    ['an object', { plan: { id: MONTHLY.id } }],
    ['a list', [MONTHLY.id]],
    ['null', null],
  ])('with %s is rejected', async (_name, body) => {
    expect(await market.orderJson(body)).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
  });

  it.each([
    ['text/plain', `{"plan":"${MONTHLY.id}"}`],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/json', '{'],
    ['application/x-www-form-urlencoded', `plan=${MONTHLY.id}&x=${'x'.repeat(20_000)}`],
  ])('as %s is rejected', async (type, body) => {
    const page = await market.browser.request(`${market.url}/auth/checkout`, {
      method: 'POST',
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      body,
    });
    expect(page).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    expect(market.calls).toEqual([]);
  });
});

describe('a page to return to', () => {
  beforeAll(open);

  const FOREIGN = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '\t//evil.example',
    'javascript:alert(1)',
    '/members\r\nset-cookie: x=1',
    '/auth/logout',
    '/auth/login?returnTo=/x',
    '/auth/checkout/return?returnTo=//evil.example',
  ];

  it.each(FOREIGN)('outside of the app is replaced by the start page: %o', async (returnTo) => {
    const page = await market.order({ plan: MONTHLY.id, returnTo });
    expect(page.status).toBe(303);
    const hosted = await (await fetch(page.headers.get('location') ?? '')).text();
    const cancel = new URL(
      (/href="([^"]*\/auth\/checkout\/cancelled[^"]*)"/.exec(hosted)?.[1] ?? '').replaceAll('&amp;', '&'),
    );
    expect(cancel.origin).toBe(market.url);
    expect(cancel.searchParams.get('returnTo')).toBe('/');
  });

  it.each(FOREIGN)('in the query of the cancelled page is replaced too: %o', async (returnTo) => {
    const query = new URLSearchParams({ plan: MONTHLY.id, returnTo, from: returnTo });
    const page = await market.browser.open(`${market.url}/auth/checkout/cancelled?${query}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('set-cookie')).toBeNull();
    expect(page.text).toContain('href="/">Go back</a>');
    expect(page.text).toContain('name="returnTo" value="/"');
  });

  it('is escaped on the cancelled page', async () => {
    const returnTo = '/members?q="><script>alert(1)</script>';
    const query = new URLSearchParams({ plan: MONTHLY.id, returnTo });
    const page = await market.browser.open(`${market.url}/auth/checkout/cancelled?${query}`);
    expect(page.text).not.toContain('<script');
  });

  it('that is too long for the service is replaced by the start page', async () => {
    const page = await market.order({ plan: MONTHLY.id, returnTo: `/${'%C3%A4'.repeat(150)}` });
    expect(page.status).toBe(303);
    const long = await market.order({ plan: MONTHLY.id, returnTo: `/?${'="&'.repeat(300)}` });
    expect(long.status).toBe(303);
  });

  it.each([
    ['a query', `/members?q=${'%E3%81%82'.repeat(150)}`, '/members'],
    ['a path', `/${'%C3%A4'.repeat(250)}`, '/'],
  ])('that is too long for the service because of %s loses only that', (_what, returnTo, kept) => {
    const app = { appOrigin: market.url, appPath: '', mountPath: '/auth' };
    const plan = MONTHLY as CheckoutPlan;
    const order = { plan, returnTo, offeredAt: returnTo, wasMember: false, isTyped: false };
    for (const url of [returnUrl(app, order), cancelledUrl(app, order)]) {
      const { search } = new URL(url);
      expect(url.length).toBeLessThan(2049);
      expect(readOrder(`/${search}`, { app, plans: [plan] }).returnTo).toBe(kept);
    }
    const { search } = new URL(cancelledUrl(app, order));
    expect(readOrder(`/${search}`, { app, plans: [plan] }).offeredAt).toBe(kept);
  });

  it('of a signed-out order never leads sign-in to another site', async () => {
    const browser = new Browser();
    for (const referer of ['https://evil.example/x', 'null', '//evil.example', `${market.url}/auth/logout`]) {
      const page = await market.order({ plan: MONTHLY.id }, { browser, headers: { referer } });
      expect(page.headers.get('location'), referer).toBe(`${market.url}/auth/login?returnTo=%2F`);
    }
  });
});

describe('an order with more fields than the form', () => {
  beforeAll(open);

  it('cannot choose price, community, buyer or return addresses', async () => {
    const page = await market.orderJson({
      plan: MONTHLY.id,
      price: '€0',
      communityId: 'other',
      externalId: 'other',
      email: 'mallory@example.com',
      successUrl: 'https://evil.example',
      cancelUrl: 'https://evil.example',
    });
    const hosted = await (await fetch(`${page.json.checkoutUrl}`)).text();
    expect(hosted).toContain('€9.00');
    expect(hosted).toContain('b•••@example.com');
    expect(hosted).not.toContain('evil.example');
    expect(await market.pay(`${page.json.checkoutUrl}`)).not.toContain('evil.example');
  });
});

describe('another seller', () => {
  beforeAll(open);

  // Spec: "The request is not scoped to the caller's communities."
  it('who opens and pays a checkout for a visitor changes neither the sale nor the chat link', {
    tags: ['invite-link.not-community-scoped'],
  }, async () => {
    const { operator, baseUrl } = market.sandbox;
    const communityId = '5eed0000-0000-4000-8000-0000000000cc';
    const planId = '5eed0000-0000-4000-8000-0000000000dd';
    const key = `svc_${'m'.repeat(43)}`;
    await operator.createCommunity({ id: communityId, name: 'Trap', ownerId: users.ada.id });
    await operator.createPricingPlan({
      id: planId,
      communityId,
      name: 'Cheap',
      priceMinor: 1,
      periodDays: 1,
    });
    await operator.createApiKey({
      ownerId: users.ada.id,
      name: 'Trap',
      permissions: ['CHECKOUT_WRITE'],
      key,
    });
    await operator.change('communities', communityId, { messengerBot: 'trap_bot' });
    const mallory = new LatchkeyClient({ serviceUrl: baseUrl, apiKey: key });
    // The sub of a visitor is known to every app that the visitor signed in to, and plan ids are public.
    for (const externalId of [`lk.${MONTHLY.id}.${users.ben.id}`, `lk.${MONTHLY.id}.${users.ben.id}.`]) {
      const { checkoutUrl } = await mallory.buyPlan({
        pricingPlanId: planId,
        communityId,
        externalId,
        email: users.ben.email,
        successUrl: 'https://evil.example/',
        cancelUrl: 'https://evil.example/',
      });
      await market.pay(checkoutUrl, 'card-4242');
    }
    expect((await market.orderJson({ plan: MONTHLY.id })).status).toBe(200);
    const chat = await market.browser.request(`${market.url}/chat`);
    expect(chat.status).not.toBe(200);
    expect(chat.json.link).toBeUndefined();
  });
});
