import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect, it } from 'vitest';
import { LIFETIME, type Market, type MarketSetup, MONTHLY, openMarket } from './market.js';

const { users, community, plans } = sandboxScenario;
const OTHER_KEY = `svc_${'k'.repeat(43)}`;
const NO_PLAN = { ...MONTHLY, id: '00000000-0000-4000-8000-000000000000' };

let market: Market;

async function open(setup: MarketSetup = {}): Promise<void> {
  market = await openMarket(setup);
  await market.signIn(users.ben.email);
}

/** Responds to buy-plan in place of the service. Other requests go to the service. */
const buyPlanResponds = (respond: (request: Request) => Promise<Response> | Response) => ({
  fetch: (async (input: Request) =>
    input.url.endsWith('/buy-plan') ? respond(input) : fetch(input)) as typeof fetch,
});
const created = (body: unknown) => Response.json(body, { status: 201 });

/** Expects the same failure as JSON and as a page, and one log entry. */
async function expectFailure(
  { status, error }: { status: number; error: string },
  plan = MONTHLY,
): Promise<void> {
  const script = await market.orderJson({ plan: plan.id, returnTo: '/members' });
  expect(script).toMatchObject({ status, json: { error } });
  expect(script.json.message).toContain('Nothing was charged.');
  const page = await market.order({ plan: plan.id, returnTo: '/members' });
  expect(page.status).toBe(status);
  expect(page.text).toContain('Nothing was charged.');
  expect(page.text).toContain('<button>Try again</button>');
  expect(page.text).toContain('href="/members">Go back</a>');
  for (const each of [script, page])
    expect(each.headers.get('retry-after')).toBe(status === 503 ? '5' : null);
  expect(market.log).toHaveLength(1);
  // Neither the id that other sellers must not know nor the key.
  expect(JSON.stringify(market.log)).not.toMatch(/lk\.|svc_/);
}

const REFUSED = { status: 502, error: 'checkout_refused' };
const UNAVAILABLE = { status: 503, error: 'service_unavailable' };

describe('a checkout that the service refuses', () => {
  it('for a plan that it does not have', { tags: ['buy-plan.absence-is-failure'] }, async () => {
    await open({ plans: [NO_PLAN] });
    await expectFailure(REFUSED, NO_PLAN);
    expect(JSON.stringify(market.log)).toContain('pricingPlanId is not a plan of this community');
  });

  it('for a plan of another community', async () => {
    const elsewhere = await openElsewhere();
    await expectFailure(REFUSED, elsewhere);
  });

  it('without an email address in the request', { tags: ['envelope.failure-inside-success'] }, async () => {
    await open({
      client: buyPlanResponds(async (request) => {
        const { email: _email, ...body } = (await request.json()) as Record<string, unknown>;
        return fetch(
          new Request(request.url, { method: 'POST', headers: request.headers, body: JSON.stringify(body) }),
        );
      }),
    });
    await expectFailure(REFUSED);
  });

  it('for an unknown key', { tags: ['buy-plan.rejections'] }, async () => {
    await open({ client: { apiKey: OTHER_KEY } });
    await expectFailure(REFUSED);
  });

  it('for a key without CHECKOUT_WRITE', async () => {
    await open({ client: { apiKey: OTHER_KEY } });
    await createKey(['MEMBERSHIP_WRITE']);
    await expectFailure(REFUSED);
    expect(JSON.stringify(market.log)).toContain('CHECKOUT_WRITE');
  });

  it('for a key whose owner does not administer the community', async () => {
    await open({ client: { apiKey: OTHER_KEY } });
    await createKey(['MEMBERSHIP_WRITE', 'CHECKOUT_WRITE'], users.ada.id);
    await expectFailure(REFUSED);
  });

  it.each([
    ['no data', { success: true }],
    ['an empty checkoutUrl', { success: true, data: { checkoutUrl: '' } }],
    ['a script as checkoutUrl', { success: true, data: { checkoutUrl: 'javascript:alert(1)' } }],
    ['a path as checkoutUrl', { success: true, data: { checkoutUrl: '//pay.example/x' } }],
    ['success false', { success: false, message: 'no' }],
  ])('with %s', async (_name, body) => {
    await open({ client: buyPlanResponds(() => created(body)) });
    await expectFailure(REFUSED);
  });
});

describe('a checkout during an outage', () => {
  it('of the API', async () => {
    await open({ client: { serviceUrl: 'http://127.0.0.1:9' } });
    await expectFailure(UNAVAILABLE);
  });

  it('with an internal error', { tags: ['retry.server-errors-backoff'] }, async () => {
    await open({ client: buyPlanResponds(() => new Response('oops', { status: 500 })) });
    await expectFailure(UNAVAILABLE);
  });

  it('behind a proxy that sends its own page', async () => {
    await open({ client: buyPlanResponds(() => new Response('<h1>Hello</h1>', { status: 201 })) });
    await expectFailure(UNAVAILABLE);
  });

  it('that never responds ends with the option timeoutMs', async () => {
    await open({
      options: { timeoutMs: 300 },
      client: buyPlanResponds(
        (request) =>
          new Promise((_resolve, reject) => {
            request.signal.addEventListener('abort', () => reject(request.signal.reason));
          }),
      ),
    });
    await expectFailure(UNAVAILABLE);
  });

  it('of the membership list sells nothing, although a list from before is cached', async () => {
    let isDown = false;
    await open({
      options: { fetch: (input, init) => fetch(isDown ? 'http://127.0.0.1:9' : input, init) },
    });
    await market.browser.request(`${market.url}/auth/session`);
    isDown = true;
    const script = await market.orderJson({ plan: MONTHLY.id });
    expect(script).toMatchObject({ status: 503, json: { error: 'service_unavailable' } });
    expect(market.calls).toEqual([]);
  });

  it('passes errors of the app itself on to Express', async () => {
    await open({
      checkout: {
        client: {
          buyPlan: () => Promise.reject(new Error('bug')),
          inviteLink: () => Promise.reject(new Error('bug')),
        },
      },
    });
    expect((await market.order({ plan: MONTHLY.id })).status).toBe(500);
  });
});

describe('a key without MEMBERSHIP_WRITE', () => {
  it('sells without the check for completed payments, and logs that once', async () => {
    await open({ client: { apiKey: OTHER_KEY } });
    await createKey(['CHECKOUT_WRITE']);
    for (const plan of [MONTHLY, LIFETIME]) {
      expect((await market.orderJson({ plan: plan.id })).status).toBe(200);
    }
    expect(market.log).toHaveLength(1);
    expect(market.log[0]).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('MEMBERSHIP_WRITE'),
    });
  });
});

async function createKey(
  permissions: readonly ('MEMBERSHIP_WRITE' | 'CHECKOUT_WRITE')[],
  ownerId: string = users.dana.id,
): Promise<void> {
  await market.sandbox.operator.createApiKey({ ownerId, name: 'Test', permissions, key: OTHER_KEY });
}

/** Opens a market that sells the plan of a community that Ben owns. */
async function openElsewhere() {
  const elsewhere = { ...MONTHLY, id: '5eed0000-0000-4000-8000-0000000000dd' };
  await open({ plans: [elsewhere] });
  const communityId = '5eed0000-0000-4000-8000-0000000000cc';
  await market.sandbox.operator.createCommunity({
    id: communityId,
    name: 'Elsewhere',
    ownerId: users.ben.id,
  });
  await market.sandbox.operator.createPricingPlan({
    id: elsewhere.id,
    communityId,
    name: 'Free',
    priceMinor: 0,
  });
  expect(community.id).not.toBe(communityId);
  expect(Object.values(plans).map(({ id }) => id)).not.toContain(elsewhere.id);
  return elsewhere;
}
