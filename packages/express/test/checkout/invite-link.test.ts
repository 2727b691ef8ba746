import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect, it } from 'vitest';
import { Browser } from '../browser.js';
import { DAY_TICKET, LIFETIME, type Market, type MarketSetup, MONTHLY, openMarket } from './market.js';

const { users, community } = sandboxScenario;
const DAY = 24 * 3600_000;

const ON_SALE = [MONTHLY, LIFETIME, DAY_TICKET];

let market: Market;

async function open(setup: MarketSetup = {}): Promise<void> {
  market = await openMarket({
    plans: ON_SALE,
    routes: (app, auth, client) => {
      app.get('/chat', auth.inviteLink({ client, plans: ON_SALE }));
    },
    ...setup,
  });
}

async function buy(plan = MONTHLY, method?: string): Promise<void> {
  const { json } = await market.orderJson({ plan: plan.id });
  await market.pay(`${json.checkoutUrl}`, method);
}

const chat = (browser = market.browser) => browser.request(`${market.url}/chat`);
const chatPage = () => market.browser.request(`${market.url}/chat`, { headers: { accept: 'text/html' } });

describe('auth.inviteLink', () => {
  it('redirects a buyer to a new link of the chat at each visit, which nothing stores', {
    tags: ['invite-link.not-cached-past-expiry'],
  }, async () => {
    await open();
    await market.signIn(users.ben.email);
    await buy();
    await market.learn(MONTHLY.id);
    const first = await chatPage();
    expect(first.status).toBe(302);
    expect(first.headers.get('location')).toContain('/messenger/');
    expect(first.headers.get('cache-control')).toBe('private, no-store');
    const second = await chat();
    expect(second.status).toBe(200);
    expect(Object.keys(second.json).sort()).toEqual(['expiresAt', 'link']);
    expect(second.json.link).not.toBe(first.headers.get('location'));
    expect(second.json.expiresAt).toBe(new Date(market.clock.now() + DAY).toISOString());
  });

  it('finds a purchase that the directory does not contain yet', async () => {
    await open();
    await market.signIn(users.ben.email);
    await buy(LIFETIME, 'transfer-arrives');
    expect((await chat()).status).toBe(200);
  });

  it('stays behind the session', async () => {
    await open();
    const page = await new Browser().request(`${market.url}/chat`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(302);
    expect(page.headers.get('location')).toBe(`${market.url}/auth/login?returnTo=%2Fchat`);
    expect(await chat(new Browser())).toMatchObject({ status: 401, json: { error: 'sign_in_required' } });
    expect(market.calls).toEqual([]);
  });

  it('asks for checkouts of the visitor only', async () => {
    await open();
    await market.signIn(users.ben.email);
    await buy();
    const cleo = new Browser();
    await market.signIn(users.cleo.email, cleo);
    expect(await chat(cleo)).toMatchObject({ status: 403, json: { error: 'membership_required' } });
  });

  it('rejects a visitor without a membership, and asks the service for nothing', async () => {
    await open({ options: { upgradeUrl: '/join' } });
    await market.signIn(users.ben.email);
    expect(await chat()).toMatchObject({
      status: 403,
      json: { error: 'membership_required', upgradeUrl: '/join' },
    });
    expect((await chatPage()).text).toContain('href="/join"');
    expect(market.calls).toEqual([]);
  });

  it('explains to a member who did not buy here why there is no link', async () => {
    await open();
    await market.signIn(users.ada.email);
    await market.learn(null);
    expect(await chat()).toMatchObject({ status: 404, json: { error: 'not_bought_here' } });
    const page = await chatPage();
    expect(page.text).toContain('was not bought on this site with this account');
    // A sign-out alone would lead back to the same account at a service with a session of its own.
    expect(page.text).toContain('/auth/login?returnTo=%2Fchat&amp;switch=1">Switch account</a>');
  });

  it('rejects a buyer whose membership has expired', {
    tags: ['api-key.unauthorized-with-error-code'],
  }, async () => {
    await open();
    await market.signIn(users.ben.email);
    await buy(DAY_TICKET);
    await market.learn(DAY_TICKET.id);
    expect((await chat()).status).toBe(200);
    market.clock.advance(DAY);
    expect(await chat()).toMatchObject({ status: 403, json: { error: 'membership_required' } });
  });

  it('reports a checkout that is not paid yet', async () => {
    await open();
    await market.signIn(users.ada.email);
    // Ada's membership is not in the directory, so that the checkout opens.
    await market.orderJson({ plan: MONTHLY.id });
    const script = await chat();
    expect(script).toMatchObject({ status: 503, json: { error: 'membership_pending' } });
    expect(script.headers.get('retry-after')).toBe('5');
    expect((await chatPage()).text).toContain('<a href="/chat">Try again</a>');
  });

  it('reports that the community has no chat, to the member and in the log', {
    tags: ['envelope.failure-inside-success'],
  }, async () => {
    await open();
    await market.sandbox.operator.change('communities', community.id, { messengerBot: null });
    await market.signIn(users.ben.email);
    await buy();
    await market.learn(MONTHLY.id);
    expect(await chat()).toMatchObject({ status: 404, json: { error: 'chat_unavailable' } });
    expect((await chatPage()).text).toContain('The chat of this community is not set up.');
    expect(market.log.map(({ message }) => message)).toEqual([expect.stringContaining('no messenger bot')]);
  });

  it.each([
    ['an unknown key', { apiKey: `svc_${'x'.repeat(43)}` }, 502, 'service_refused'],
    ['a service that is down', { serviceUrl: 'http://127.0.0.1:9' }, 503, 'service_unavailable'],
  ] as const)('reports %s, and logs the reason', async (_name, client, status, error) => {
    await open({ client });
    await market.signIn(users.ada.email);
    await market.learn(null);
    expect(await chat()).toMatchObject({ status, json: { error } });
    expect((await chatPage()).status).toBe(status);
    expect(market.log).toHaveLength(1);
    expect(JSON.stringify(market.log)).not.toContain('lk.');
  });

  it('names the missing permission of the key in the log', async () => {
    await open({ client: { apiKey: KEY_FOR_CHECKOUTS } });
    await market.sandbox.operator.createApiKey({
      ownerId: users.dana.id,
      name: 'Checkout only',
      permissions: ['CHECKOUT_WRITE'],
      key: KEY_FOR_CHECKOUTS,
    });
    await market.signIn(users.ada.email);
    await market.learn(null);
    expect(await chat()).toMatchObject({ status: 502, json: { error: 'service_refused' } });
    expect(market.log[0]?.message).toContain('MEMBERSHIP_WRITE');
  });
});

const KEY_FOR_CHECKOUTS = `svc_${'k'.repeat(43)}`;
