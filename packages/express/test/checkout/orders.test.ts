import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect, it } from 'vitest';
import { Browser } from '../browser.js';
import { DAY_TICKET, LIFETIME, type Market, type MarketSetup, MONTHLY, openMarket } from './market.js';

const { users } = sandboxScenario;
const DAY = 24 * 3600_000;

let market: Market;

async function open(setup: MarketSetup = {}, email: string = users.ben.email): Promise<void> {
  market = await openMarket(setup);
  await market.signIn(email);
}

async function buy(plan = MONTHLY, method?: string): Promise<void> {
  const { json } = await market.orderJson({ plan: plan.id });
  await market.pay(`${json.checkoutUrl}`, method);
}

const opened = () => market.calls.filter((call) => call === 'POST /api/checkout/buy-plan').length;

describe('an order of a member', () => {
  it('of another plan on sale opens a checkout, so that members can change plans', async () => {
    await open();
    await buy();
    await market.learn(MONTHLY.id);
    expect((await market.orderJson({ plan: LIFETIME.id })).status).toBe(200);
  });

  it('by a granted membership is not sold the only plan of the community', async () => {
    await open({ plans: [MONTHLY] }, users.ada.email);
    await market.learn(null);
    expect(await market.orderJson({ plan: MONTHLY.id })).toMatchObject({
      status: 409,
      json: { error: 'already_member' },
    });
    expect(market.calls).toEqual([]);
  });

  it('by a granted membership is sold one of several plans', async () => {
    await open({}, users.ada.email);
    await market.learn(null);
    expect((await market.orderJson({ plan: MONTHLY.id })).status).toBe(200);
  });

  it('by an archived plan is not sold the only plan that replaced it', async () => {
    await open({ plans: [MONTHLY] }, users.ada.email);
    await market.learn('5eed0000-0000-4000-8000-0000000000ff');
    expect((await market.orderJson({ plan: MONTHLY.id })).json.error).toBe('already_member');
  });

  it('of a plan bought before the current one opens a checkout', async () => {
    await open({ plans: [DAY_TICKET, LIFETIME] });
    await buy(DAY_TICKET);
    await market.learn(DAY_TICKET.id);
    await buy(LIFETIME, 'transfer-arrives');
    await market.learn(LIFETIME.id);
    expect((await market.orderJson({ plan: DAY_TICKET.id })).status).toBe(200);
  });

  it('in a foreign community is not taken for a member of this one', async () => {
    // Ada's membership is not in the directory, as that of another seller.
    await open({ plans: [MONTHLY] }, users.ada.email);
    expect((await market.orderJson({ plan: MONTHLY.id })).status).toBe(200);
  });
});

describe('an order of a former buyer', () => {
  it('is sold again after the membership has expired', async () => {
    await open({ plans: [DAY_TICKET] });
    await buy(DAY_TICKET);
    await market.learn(DAY_TICKET.id);
    expect((await market.orderJson({ plan: DAY_TICKET.id })).status).toBe(409);
    market.clock.advance(DAY);
    expect((await market.orderJson({ plan: DAY_TICKET.id })).status).toBe(200);
  });

  it('is not sold again while the paid membership is unknown, also in a community without a chat', async () => {
    await open();
    await market.sandbox.operator.change('communities', MONTHLY.communityId, { messengerBot: null });
    await buy();
    expect((await market.orderJson({ plan: MONTHLY.id })).json.error).toBe('already_paid');
  });

  it('is sold again after the expiry, if a service reports the missing chat first', async () => {
    await open({ plans: [DAY_TICKET], client: { fetch: withoutChat } });
    await buy(DAY_TICKET);
    market.clock.advance(DAY);
    expect((await market.orderJson({ plan: DAY_TICKET.id })).status).toBe(200);
  });
});

/** A service that checks the bot before the membership. */
const withoutChat = (async (input: Request) => {
  const response = await fetch(input);
  const isInvite = input.url.includes('/join-messenger-community-external/');
  return isInvite && response.status !== 404
    ? Response.json({ success: false, data: null, message: 'The bot is not set up.' })
    : response;
}) as typeof fetch;

describe('an order in a session without memberships.read', () => {
  it('leads to the service, which asks for the permission', async () => {
    await open({
      options: {
        // A service on which the visitor granted another scope only.
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          if (!String(input).endsWith('/oauth/token')) return response;
          const tokens = (await response.json()) as object;
          return Response.json({ ...tokens, scope: 'products.read' }, { status: 201 });
        },
      },
    });
    const signInUrl = '/auth/login?returnTo=%2Fjoin&scope=memberships.read';
    const headers = { referer: `${market.url}/join` };
    const page = await market.order({ plan: MONTHLY.id }, { headers });
    expect(page.status).toBe(303);
    expect(page.headers.get('location')).toBe(`${market.url}${signInUrl}`);
    expect(await market.orderJson({ plan: MONTHLY.id }, { headers })).toMatchObject({
      status: 403,
      json: { error: 'insufficient_scope', missingScopes: ['memberships.read'], signInUrl },
    });
    expect(market.calls).toEqual([]);
  });
});

describe('two orders at the same time', () => {
  it('of one visitor share one checkout', async () => {
    await open();
    const orders = await Promise.all([1, 2, 3].map(() => market.orderJson({ plan: MONTHLY.id })));
    expect(new Set(orders.map(({ json }) => json.checkoutUrl)).size).toBe(1);
    expect(opened()).toBe(1);
  });

  it('of two visitors share nothing', async () => {
    await open();
    const cleo = new Browser();
    await market.signIn(users.cleo.email, cleo);
    const orders = await Promise.all([
      market.orderJson({ plan: MONTHLY.id }),
      market.orderJson({ plan: MONTHLY.id }, { browser: cleo }),
    ]);
    expect(new Set(orders.map(({ json }) => json.checkoutUrl)).size).toBe(2);
  });

  it('of one visitor for two plans open two checkouts', async () => {
    await open();
    const orders = await Promise.all([MONTHLY, LIFETIME].map(({ id }) => market.orderJson({ plan: id })));
    expect(orders[0]?.json.checkoutUrl).toContain('/checkout/card/');
    expect(orders[1]?.json.checkoutUrl).toContain('/checkout/crypto/');
  });

  it('in two tabs lead to the same reservation, which is paid once', async () => {
    await open();
    const first = await market.orderJson({ plan: MONTHLY.id, returnTo: '/' });
    const second = await market.orderJson({ plan: MONTHLY.id, returnTo: '/members' });
    await market.pay(`${first.json.checkoutUrl}`);
    const page = await fetch(`${second.json.checkoutUrl}`, { redirect: 'manual' });
    expect(await page.text()).not.toContain('/pay"');
  });
});

describe('an account that changed its email address after sign-in', () => {
  it('buys for the current address', async () => {
    let email: string | undefined;
    await open({
      options: {
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          if (email === undefined || !String(input).endsWith('/oauth/userinfo')) return response;
          return Response.json({ ...((await response.json()) as object), email });
        },
      },
    });
    email = 'new@example.com';
    const { json } = await market.orderJson({ plan: MONTHLY.id });
    expect(await (await fetch(`${json.checkoutUrl}`)).text()).toContain('n•••@example.com');
  });

  it('buys nothing if the address cannot be read', async () => {
    let isDown = false;
    await open({
      options: {
        fetch: async (input, init) =>
          isDown && String(input).endsWith('/oauth/userinfo')
            ? new Response('', { status: 500 })
            : fetch(input, init),
      },
    });
    isDown = true;
    expect(await market.orderJson({ plan: MONTHLY.id })).toMatchObject({
      status: 503,
      json: { error: 'service_unavailable' },
    });
    expect(market.calls).toEqual([]);
  });
});

describe('an account without an email address', () => {
  const setup: MarketSetup = {
    options: {
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (!String(input).endsWith('/oauth/userinfo')) return response;
        return Response.json({ ...((await response.json()) as object), email: null });
      },
    },
  };

  it('is asked for one, and told that the membership is bound to it', async () => {
    await open(setup);
    expect(await market.orderJson({ plan: MONTHLY.id })).toMatchObject({
      status: 422,
      json: { error: 'email_required' },
    });
    const page = await market.order({ plan: MONTHLY.id, returnTo: '/members' });
    expect(page.status).toBe(422);
    expect(page.text).toContain('The membership is bound to the address that you enter.');
    expect(page.text).toContain('<input type="email" name="email" autocomplete="email" required>');
    expect(page.text).toContain(`<input type="hidden" name="plan" value="${MONTHLY.id}">`);
    // The form redirects to the payment page, whose host is unknown.
    expect(page.headers.get('content-security-policy')).not.toContain('form-action');
    expect(opened()).toBe(0);
  });

  it.each(['nobody', 'a@b', ' ', 'ben@example.com, mallory@example.com', 'x'.repeat(300)])(
    'is asked again for %o',
    async (email) => {
      await open(setup);
      const page = await market.order({ plan: MONTHLY.id, email });
      expect(page.status).toBe(422);
      expect(page.text).toContain('This is not an email address.');
      expect(opened()).toBe(0);
    },
  );

  it('buys for the typed address', async () => {
    await open(setup);
    const page = await market.order({ plan: MONTHLY.id, email: ' Grace@Example.com ' });
    expect(page.status).toBe(303);
    const hosted = await (await fetch(page.headers.get('location') ?? '')).text();
    expect(hosted).toContain('g•••@example.com');
  });

  it('is not sold the same plan twice', async () => {
    await open(setup);
    const { json } = await market.orderJson({ plan: MONTHLY.id, email: 'grace@example.com' });
    await market.pay(`${json.checkoutUrl}`);
    const again = await market.orderJson({ plan: MONTHLY.id, email: 'grace@example.com' });
    expect(again.json.error).toBe('already_paid');
    expect(again.json.continueUrl).toContain('&typed=1');
  });

  it('learns nothing about the purchases of the owner of a typed address', async () => {
    await open(setup);
    const grace = new Browser();
    await market.sandbox.operator.createUser({ email: 'grace@example.com' });
    await market.signIn('grace@example.com', grace);
    const { json } = await market.orderJson(
      { plan: MONTHLY.id, email: 'grace@example.com' },
      { browser: grace },
    );
    await market.pay(`${json.checkoutUrl}`);
    expect((await market.orderJson({ plan: MONTHLY.id, email: 'grace@example.com' })).status).toBe(200);
  });
});
