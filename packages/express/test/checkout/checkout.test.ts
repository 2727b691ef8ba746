import { sandboxScenario } from '@latchkey/sandbox';
import { beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../browser.js';
import { formIn, hiddenFields, LIFETIME, type Market, MONTHLY, openMarket } from './market.js';

const { users, community } = sandboxScenario;

let market: Market;
beforeEach(async () => {
  market = await openMarket();
});

const checkoutCalls = () => market.calls.filter((call) => call.startsWith('POST /api/checkout'));

describe('POST /auth/checkout', () => {
  it('opens a checkout for the account of the visitor and redirects a form to it', {
    tags: ['buy-plan.redirect-as-is'],
  }, async () => {
    await market.signIn(users.ben.email);
    const page = await market.order({ plan: MONTHLY.id, returnTo: '/members', email: 'mallory@example.com' });
    expect(page.status).toBe(303);
    const location = page.headers.get('location') ?? '';
    expect(location).toContain(`${market.sandbox.baseUrl}/checkout/card/`);
    const hosted = await (await fetch(location)).text();
    expect(hosted).toContain('b•••@example.com');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
  });

  it('sends the address to scripts as JSON', async () => {
    await market.signIn(users.ben.email);
    const page = await market.orderJson({ plan: MONTHLY.id.toUpperCase(), returnTo: '/members' });
    expect(page.status).toBe(200);
    expect(Object.keys(page.json)).toEqual(['checkoutUrl']);
    expect(page.json.checkoutUrl).toContain(`${market.sandbox.baseUrl}/checkout/card/`);
  });

  it('sells a plan once: a member by this plan is led to the wanted page', async () => {
    await market.signIn(users.ben.email);
    const { json } = await market.orderJson({ plan: MONTHLY.id });
    await market.pay(`${json.checkoutUrl}`);
    await market.learn(MONTHLY.id);
    const script = await market.orderJson({ plan: MONTHLY.id, returnTo: '/members' });
    expect(script).toMatchObject({
      status: 409,
      json: { error: 'already_member', continueUrl: '/members' },
    });
    const page = await market.order({ plan: MONTHLY.id, returnTo: '/members' });
    expect(page.status).toBe(409);
    expect(page.text).toContain('You are already a member');
    expect(page.text).toContain('<a href="/members">Continue</a>');
    expect(checkoutCalls()).toHaveLength(1);
  });

  it('sells nothing again before the directory contains the paid membership', async () => {
    await market.signIn(users.ben.email);
    const { json } = await market.orderJson({ plan: MONTHLY.id });
    await market.pay(`${json.checkoutUrl}`);
    const script = await market.orderJson({ plan: MONTHLY.id, returnTo: '/members' });
    expect(script.status).toBe(409);
    expect(script.json.error).toBe('already_paid');
    const waiting = `/auth/checkout/return?plan=${MONTHLY.id}&returnTo=%2Fmembers`;
    expect(script.json.continueUrl).toBe(waiting);
    const page = await market.order({ plan: MONTHLY.id, returnTo: '/members' });
    expect(page.status).toBe(303);
    expect(page.headers.get('location')).toBe(`${market.url}${waiting}`);
    expect(checkoutCalls()).toHaveLength(1);
  });

  it('redirects a signed-out form to sign-in and back to the page with the form', async () => {
    const page = await market.order(
      { plan: MONTHLY.id, returnTo: '/members' },
      { headers: { referer: `${market.url}/join?from=mail` } },
    );
    expect(page.status).toBe(303);
    expect(page.headers.get('location')).toBe(
      `${market.url}/auth/login?returnTo=${encodeURIComponent('/join?from=mail')}`,
    );
    const script = await market.orderJson({ plan: MONTHLY.id, returnTo: '/members' });
    expect(script).toMatchObject({
      status: 401,
      json: { error: 'sign_in_required', signInUrl: '/auth/login?returnTo=%2Fmembers' },
    });
    expect(market.calls).toEqual([]);
  });
});

describe('GET /auth/plans', () => {
  it('sends the configured plans to everybody, and nothing else', async () => {
    const page = await new Browser().request(`${market.url}/auth/plans`);
    expect(page.status).toBe(200);
    expect(page.json).toEqual({ plans: [MONTHLY, LIFETIME] });
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.getSetCookie()).toEqual([]);
  });
});

describe('GET /auth/checkout/cancelled', () => {
  it('shows that nothing was charged, and opens the checkout again', async () => {
    await market.signIn(users.ben.email);
    const opened = await market.order({ plan: MONTHLY.id, returnTo: '/members' });
    const hosted = await (await fetch(opened.headers.get('location') ?? '')).text();
    const cancelUrl = /href="([^"]*\/auth\/checkout\/cancelled[^"]*)"/.exec(hosted)?.[1] ?? '';
    const page = await market.browser.open(cancelUrl.replaceAll('&amp;', '&'));
    expect(page.status).toBe(200);
    expect(page.text).toContain('Payment cancelled');
    expect(page.text).toContain('Nothing was charged.');
    // The first action of a page is its primary one.
    expect(page.text).toMatch(
      /<div class="actions"><form .*<button>Try again<\/button><\/form><a class="other" href="\/members">Go back<\/a><\/div>/,
    );
    const fields = hiddenFields(formIn(page.text, '/auth/checkout'));
    expect(fields).toEqual({ plan: MONTHLY.id, returnTo: '/members' });
    expect((await market.order(fields)).status).toBe(303);
    expect(community.id).toBe(MONTHLY.communityId);
  });
});
