import { ENDPOINTS, envelopeFailureSchemas, rejectionSchemas } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { keyWith } from './api-key-requests.js';
import { CART, callBuyPlan, it, membershipOf, openCheckout, payFor, purchase } from './checkout-world.js';
import { fuzzEndpoint } from './malformed-requests.js';
import { startService } from './service-under-test.js';

const { users, community, plans } = sandboxScenario;
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('buy-plan', () => {
  it("returns 201 with the URL of a payment page for the plan's kind of payment", {
    tags: [
      'buy-plan.success-created',
      'buy-plan.result-checkout-url',
      'buy-plan.pricing-plan-id',
      'buy-plan.community-id',
    ],
  }, async ({ service }) => {
    const card = await callBuyPlan(service);
    expect(card.status).toBe(201);
    const { data } = ENDPOINTS.buyPlan.success.body.strict.parse(card.body) as {
      data: { checkoutUrl: string };
    };
    expect(data.checkoutUrl).toMatch(new RegExp(`^${service.baseUrl}/checkout/card/[A-Za-z0-9_-]{43}$`));
    expect(card.headers['cache-control']).toBe('no-store');

    expect(await openCheckout(service, { pricingPlanId: plans.lifetime.id, externalId: 'order-8' })).toMatch(
      /^\/checkout\/crypto\//,
    );
  });

  it('requires plan, community, external id and both URLs, and nothing else', {
    tags: [
      'buy-plan.pricing-plan-id',
      'buy-plan.community-id',
      'buy-plan.external-id',
      'buy-plan.success-url',
      'buy-plan.cancel-url',
      'buy-plan.malformed-uuid',
      'buy-plan.utm-source-max-length',
    ],
  }, async ({ service }) => {
    const refused: Record<string, unknown>[] = [
      ...['pricingPlanId', 'communityId', 'externalId', 'successUrl', 'cancelUrl'].flatMap((field) => [
        { [field]: undefined },
        { [field]: null },
        { [field]: field === 'externalId' ? '' : 'not one' },
      ]),
      { successUrl: 'javascript:alert(1)' },
      { cancelUrl: 'ftp://shop.example/cart' },
      { email: 'nobody' },
      { email: null },
      { utmSource: 'x'.repeat(101) },
    ];
    for (const changes of refused) {
      const { status, body } = await callBuyPlan(service, changes);
      expect({ changes, status }).toEqual({ changes, status: 400 });
      expect(rejectionSchemas.strict.parse(body).message).toContain(Object.keys(changes)[0]);
    }
    expect((await callBuyPlan(service, { utmSource: 'x'.repeat(100) })).status).toBe(201);
  });

  it('requires a valid key with the permission, whose owner administers the community', {
    tags: ['buy-plan.rejections', 'api-key.buy-plan-permission'],
  }, async ({ service }) => {
    const others = ['MEMBERSHIP_READ', 'MEMBERSHIP_WRITE', 'DROP_NOTIFICATION_WRITE'] as const;
    expect((await callBuyPlan(service, {}, await keyWith(service, others))).status).toBe(403);
    const stranger = await keyWith(service, ['CHECKOUT_WRITE'], users.ada.id);
    expect((await callBuyPlan(service, {}, stranger)).status).toBe(403);
    expect((await callBuyPlan(service, {}, await keyWith(service, ['CHECKOUT_WRITE']))).status).toBe(201);
    expect((await callBuyPlan(service, {}, `svc_${'x'.repeat(43)}`)).status).toBe(401);
    expect((await callBuyPlan(service, { communityId: UNKNOWN_ID })).status).toBe(404);
  });

  it('creates or finds the user by the email address, trimmed and in lower case', {
    tags: ['buy-plan.email-normalised', 'buy-plan.email-is-identity', 'buy-plan.resolves-user'],
  }, async ({ service, db }) => {
    const buyerOf = async (externalId: string) =>
      await db
        .selectFrom('checkout_reservations')
        .select('user_id')
        .where('external_id', '=', externalId)
        .executeTakeFirstOrThrow();
    await openCheckout(service, { email: '  BEN@Example.com ' });
    expect(await buyerOf('order-7')).toEqual({ user_id: users.ben.id });

    await payFor(service, { email: ' Nova@Example.COM', externalId: 'order-8' });
    await openCheckout(service, { email: 'nova@example.com', externalId: 'order-9' });
    expect(await buyerOf('order-9')).toEqual(await buyerOf('order-8'));
    expect(await membershipOf(db, 'nova@example.com')).toBeDefined();
  });

  it('reports a missing email inside a 201, before any error about the plan', {
    tags: ['buy-plan.missing-email'],
  }, async ({ service }) => {
    for (const changes of [{}, { pricingPlanId: UNKNOWN_ID }]) {
      const answer = await callBuyPlan(service, { ...changes, email: undefined });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({ success: false, message: expect.stringContaining('email') });
      ENDPOINTS.buyPlan.success.body.strict.parse(answer.body);
    }
  });

  it('returns 201 with empty data for a plan that is unknown, archived or of another community', {
    tags: ['buy-plan.unknown-plan'],
  }, async ({ service, db }) => {
    const { operator } = service.server;
    const other = await operator.createCommunity({ name: 'Tea', ownerId: users.dana.id });
    const foreign = await operator.createPricingPlan({ communityId: other.id, name: 'Tea', priceMinor: 1 });
    const archived = await operator.createPricingPlan({
      communityId: community.id,
      name: 'Old',
      priceMinor: 1,
    });
    await db.updateTable('pricing_plans').set({ archived_at: 1 }).where('id', '=', archived.id).execute();
    for (const pricingPlanId of [UNKNOWN_ID, foreign.id, archived.id]) {
      const { status, body } = await callBuyPlan(service, { pricingPlanId, email: 'frank@example.com' });
      expect({ status, body }).toEqual({ status: 201, body: { success: true, data: {} } });
    }
    expect(await db.selectFrom('checkout_reservations').selectAll().execute()).toEqual([]);
    expect(
      await db.selectFrom('community_emails').selectAll().where('email', '=', 'frank@example.com').execute(),
    ).toEqual([]);
  });

  it('responds to any body in the shape of the status', {
    tags: ['buy-plan.malformed-uuid'],
    timeout: 120_000,
  }, async ({ service }) => {
    const statuses = await fuzzEndpoint(service, { endpoint: 'buyPlan', valid: purchase(), runs: 300 });
    expect(statuses.get(400)).toBeGreaterThan(110);
  });

  it('returns 503 without a payment provider, and the server logs that at its start', async ({
    onTestFinished,
  }) => {
    const mailer = { send: async () => undefined };
    const service = await startService({ sandbox: false, database: 'sqlite::memory:', mailer });
    onTestFinished(() => service.server.close());
    expect(service.log.join('\n')).toContain('payments');
    const { operator } = service.server;
    const { id: ownerId } = await operator.createUser({ email: 'owner@example.com' });
    const { id: communityId } = await operator.createCommunity({ name: 'Tea', ownerId });
    const key = await keyWith(service, ['CHECKOUT_WRITE'], ownerId);
    const { status, body } = await callBuyPlan(service, { communityId }, key);
    expect(status).toBe(503);
    envelopeFailureSchemas(['service_unavailable']).strict.parse(body);
  });
});

describe('reservation', () => {
  it('is unique per caller and external id while unpaid, and stores the latest request', {
    tags: ['buy-plan.reservation'],
  }, async ({ service, db }) => {
    await openCheckout(service);
    await openCheckout(service, {
      pricingPlanId: plans.lifetime.id,
      email: 'ada@example.com',
      utmSource: 'x',
    });
    expect(await db.selectFrom('checkout_reservations').selectAll().execute()).toEqual([
      expect.objectContaining({
        external_id: 'order-7',
        pricing_plan_id: plans.lifetime.id,
        user_id: users.ada.id,
        cancel_url: CART,
        utm_source: 'x',
        paid_at: null,
      }),
    ]);
  });

  it('is created once for concurrent requests', { tags: ['buy-plan.reservation'] }, async ({
    service,
    db,
  }) => {
    const asked = Array.from({ length: 20 }, () => openCheckout(service, { email: 'new@example.com' }));
    const paths = await Promise.all(asked);
    expect(new Set(paths).size).toBe(20);
    expect(await db.selectFrom('checkout_reservations').select('id').execute()).toHaveLength(1);
    expect(await db.selectFrom('checkout_links').select('secret_hash').execute()).toHaveLength(20);
  });

  it('is separate for another caller with the same external id', { tags: ['buy-plan.reservation'] }, async ({
    service,
    db,
  }) => {
    await service.server.operator.assignRole({
      communityId: community.id,
      userId: users.ada.id,
      role: 'ADMIN',
    });
    const ada = await keyWith(service, ['CHECKOUT_WRITE'], users.ada.id);
    await openCheckout(service);
    await openCheckout(service, {}, ada);
    expect(await db.selectFrom('checkout_reservations').select('id').execute()).toHaveLength(2);
  });

  it('stays unchanged once paid: the same external id opens a new purchase', {
    tags: ['buy-plan.reservation'],
  }, async ({ service, db }) => {
    await payFor(service);
    const first = await db.selectFrom('checkout_reservations').selectAll().executeTakeFirstOrThrow();
    await payFor(service, { pricingPlanId: plans.lifetime.id }, 'transfer-arrives');
    const all = await db.selectFrom('checkout_reservations').selectAll().execute();
    expect(all).toHaveLength(2);
    expect(all).toContainEqual(first);
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({ valid_until: null });
  });
});

describe('checkouts of a community', () => {
  it('are limited: buy-plan then gives none, says until when, and keeps other communities selling', async ({
    service,
    db,
  }) => {
    const { operator } = service.server;
    const owner = { ownerId: sandboxScenario.users.dana.id };
    const other = await operator.createCommunity({ name: 'Tea Club', ...owner });
    const plan = await operator.createPricingPlan({ communityId: other.id, name: 'Tea', priceMinor: 100 });
    for (let count = 0; count < 2; count += 1) await callBuyPlan(service, { externalId: `order-${count}` });
    await db.updateTable('sign_in_budgets').set({ used: 10_000 }).execute();
    const { status, body } = await callBuyPlan(service);
    expect(status).toBe(201);
    expect(body).toEqual({
      success: false,
      message:
        'The community has opened 10000 checkouts within an hour, which is the maximum. Try again after 2026-06-12T15:05:00.000Z.',
    });
    const sold = await callBuyPlan(service, { communityId: other.id, pricingPlanId: plan.id });
    expect(sold.body).toMatchObject({ success: true });
    service.clock.advance(3600_000);
    expect((await callBuyPlan(service)).body).toMatchObject({ success: true });
  });
});
