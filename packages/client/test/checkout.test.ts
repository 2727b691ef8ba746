import { describe, expect } from 'vitest';
import type { CheckoutRequest } from '../src/index.js';
import { payCheckout } from './buyer-browser.js';
import { failureOf } from './failure-of.js';
import { loseFirstAnswer } from './lost-answer.js';
import { DAY, it, sandboxScenario } from './service.js';

const { community, plans } = sandboxScenario;
const NO_PLAN = '00000000-0000-4000-8000-000000000000';

/** Returns a purchase of the lifetime plan. The types of the changes can be wrong. */
function purchase(changes: object = {}): CheckoutRequest {
  return {
    pricingPlanId: plans.lifetime.id,
    communityId: community.id,
    externalId: 'buyer-7',
    email: 'grace@example.com',
    successUrl: 'https://shop.example/thanks?order=7',
    cancelUrl: 'https://shop.example/cart',
    ...changes,
  };
}

describe('buyPlan', () => {
  it('returns the checkout URL unchanged, with any host', { tags: ['buy-plan.redirect-as-is'] }, async ({
    service,
  }) => {
    const { checkoutUrl } = await service.client().buyPlan(purchase({ utmSource: 'newsletter' }));
    expect(checkoutUrl).toMatch(new RegExp(`^${service.server.baseUrl}/checkout/crypto/[\\w-]{43}$`));

    const foreign = 'https://pay.elsewhere.example:8443/s/ü?x=%2F#y';
    const elsewhere = service.client({
      fetch: async () => Response.json({ success: true, data: { checkoutUrl: foreign } }, { status: 201 }),
    });
    expect(await elsewhere.buyPlan(purchase())).toEqual({ checkoutUrl: foreign });
  });

  it('fails without a checkoutUrl and names the plan as the likely cause', {
    tags: ['buy-plan.absence-is-failure', 'envelope.failure-inside-success'],
  }, async ({ service }) => {
    const error = await failureOf(service.client().buyPlan(purchase({ pricingPlanId: NO_PLAN })));
    expect(error).toMatchObject({ code: 'failed_in_success', status: 201, attempts: 1 });
    expect(error.message).toMatch(/checkoutUrl is missing.*pricingPlanId is not a plan of this community/);
  });

  it.for([
    [{ success: true }],
    [{ success: true, data: null }],
    [{ data: { checkoutUrl: null } }],
    [{ data: { checkoutUrl: '' } }],
    [{ data: 'https://pay.example' }],
    [{}],
  ] as const)(
    'fails on a 201 without checkoutUrl: %o',
    { tags: ['buy-plan.absence-is-failure'] },
    async ([body], { service }) => {
      const client = service.client({ fetch: async () => Response.json(body, { status: 201 }) });
      expect(await failureOf(client.buyPlan(purchase()))).toMatchObject({ code: 'failed_in_success' });
    },
  );

  it('fails on a 201 without success, with the message of the service', {
    tags: ['envelope.failure-inside-success'],
  }, async ({ service }) => {
    const error = await failureOf(service.client().buyPlan(purchase({ email: undefined })));
    expect(error).toMatchObject({ code: 'failed_in_success', status: 201, outcomeUnknown: false });
    expect(error.serviceMessage).toContain('email');
    expect(error.message).toMatch(/but failed: .*email.* Probably email is missing\.$/);
  });

  it('creates no membership for a buyer who only opens successUrl', {
    tags: ['buy-plan.success-url-no-proof'],
  }, async ({ service }) => {
    const client = service.client();
    const { checkoutUrl } = await client.buyPlan(purchase());
    // The buyer opened successUrl without paying.
    expect(await failureOf(client.inviteLink({ externalId: 'buyer-7' }))).toMatchObject({ status: 404 });
    await payCheckout(service, checkoutUrl, 'transfer-arrives');
    expect(await client.inviteLink({ externalId: 'buyer-7' })).toHaveProperty('link');
  });

  it('can be called again before the payment, for the same reservation', async ({ service }) => {
    const client = service.client();
    await client.buyPlan(purchase());
    const { checkoutUrl } = await client.buyPlan(purchase());
    await payCheckout(service, checkoutUrl, 'transfer-arrives');
    expect(await client.inviteLink({ externalId: 'buyer-7' })).toHaveProperty('link');
  });
});

describe('buyPlan, if its first response is lost', () => {
  it('returns a URL that can be paid once, for the same reservation', {
    tags: ['retry.server-errors-backoff'],
  }, async ({ service }) => {
    const client = service.client({ fetch: loseFirstAnswer(), sleep: async () => {} });
    const { checkoutUrl } = await client.buyPlan(purchase());
    await payCheckout(service, checkoutUrl, 'transfer-arrives');
    const membership = await client.provisionExternal({
      communityId: community.id,
      externalOrderId: 'look',
      email: 'grace@example.com',
    });
    // One purchase of the lifetime plan.
    expect(membership).toMatchObject({ status: 'extended', validUntil: null });
    expect(await client.inviteLink({ externalId: 'buyer-7' })).toHaveProperty('link');
  });
});

describe('inviteLink', () => {
  it('returns a new link with its expiry at each call', {
    tags: ['invite-link.not-cached-past-expiry'],
  }, async ({ service }) => {
    const client = service.client();
    const externalId = 'buyer/7 ü?#%2e';
    const { checkoutUrl } = await client.buyPlan(purchase({ externalId }));
    await payCheckout(service, checkoutUrl, 'transfer-arrives');
    const first = await client.inviteLink({ externalId });
    expect(first.expiresAt).toBe('2026-06-13T14:05:00.000Z');
    service.clock.advance(DAY);
    const second = await client.inviteLink({ externalId });
    expect(second.expiresAt).toBe('2026-06-14T14:05:00.000Z');
    expect(second.link).not.toBe(first.link);
  });

  it('fails with 404 before the payment, without a retry', { tags: ['retry.not-client-errors'] }, async ({
    service,
  }) => {
    const client = service.client();
    await client.buyPlan(purchase());
    const error = await failureOf(client.inviteLink({ externalId: 'buyer-7' }));
    expect(error).toMatchObject({ code: 'failed', status: 404, errorCode: 'not_found', attempts: 1 });
    expect(error.message).toContain('has not been processed yet');
  });

  it('distinguishes a non-member from a rejected key, both 401', {
    tags: ['api-key.unauthorized-with-error-code'],
  }, async ({ service }) => {
    const client = service.client();
    const { checkoutUrl } = await client.buyPlan(purchase());
    await payCheckout(service, checkoutUrl, 'transfer-arrives');
    const { userId } = await client.provisionExternal({
      communityId: community.id,
      externalOrderId: 'refund-7',
      email: 'grace@example.com',
      onOverlap: 'replace',
      validFrom: new Date(service.clock.now() - DAY),
      validUntil: new Date(service.clock.now() + DAY),
    });
    expect(userId).toBeTruthy();
    service.clock.advance(2 * DAY);
    expect(await failureOf(client.inviteLink({ externalId: 'buyer-7' }))).toMatchObject({
      code: 'failed',
      status: 401,
      errorCode: 'unauthorized',
    });
    const invalid = service.client({ apiKey: `svc_${'x'.repeat(43)}` });
    const error = await failureOf(invalid.inviteLink({ externalId: 'buyer-7' }));
    expect(error).toMatchObject({ code: 'rejected', status: 401, attempts: 1 });
    expect(error.errorCode).toBeUndefined();
    expect(error.message).toContain('Check the option apiKey');
  });

  it('fails on a 200 without success and names the bot as the likely cause', {
    tags: ['envelope.failure-inside-success'],
  }, async ({ service }) => {
    await service.server.operator.change('communities', community.id, { messengerBot: null });
    const client = service.client();
    const { checkoutUrl } = await client.buyPlan(purchase());
    await payCheckout(service, checkoutUrl, 'transfer-arrives');
    const error = await failureOf(client.inviteLink({ externalId: 'buyer-7' }));
    expect(error).toMatchObject({ code: 'failed_in_success', status: 200, attempts: 1 });
    expect(error.message).toContain('Probably the community has no messenger bot.');
  });

  it.for(['', '.', '..', 'half \ud800'])(
    'rejects an externalId that cannot be a path segment: %o',
    async (externalId, { service }) => {
      expect(await failureOf(service.client().inviteLink({ externalId }))).toMatchObject({
        code: 'invalid_request',
        attempts: 0,
      });
    },
  );
});
