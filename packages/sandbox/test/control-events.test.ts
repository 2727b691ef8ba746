import { describe, expect } from 'vitest';
import { type EventEntry, type EventPage, type PurchaseResult, sandboxScenario } from '../src/index.js';
import { callControl } from './control-caller.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const { community, memberships, plans, products, users, webhooks } = sandboxScenario;

const list = async (service: SandboxUnderTest, query = '') =>
  (await callControl<EventPage>(service, `GET /events${query}`)).body;

const test = (service: SandboxUnderTest, event: object) =>
  callControl<EventEntry & { error: { code: string; fields: object } }>(service, 'POST /events', event);

const buy = (service: SandboxUnderTest, purchase: object) =>
  callControl<PurchaseResult & { error: { message: string; fields: object } }>(
    service,
    'POST /purchases',
    purchase,
  );

describe('list of events', () => {
  it('has pages, newest first, without gaps or repetitions', async ({ service }) => {
    const all = (await list(service)).events.map(({ id }) => id);
    expect(all.length).toBeGreaterThan(3);
    const paged: string[] = [];
    let next: string | null = null;
    do {
      const page: EventPage = await list(service, `?limit=2${next === null ? '' : `&after=${next}`}`);
      expect(page.events.length).toBeLessThanOrEqual(2);
      paged.push(...page.events.map(({ id }) => id));
      next = page.next;
    } while (next !== null);
    expect(paged).toEqual(all);
    expect(await list(service, `?after=${users.ada.id}`)).toEqual({ events: [], next: null });
  });

  it('is filtered by type, state, webhook and text', async ({ service }) => {
    await service.server.runBackgroundWork();
    service.server.receiver.mode = 'fail';
    await test(service, { type: 'membership.updated', membershipId: memberships.adaProduct.id });
    const count = async (query: string) => (await list(service, query)).events.length;
    expect(await count('?type=membership.updated')).toBe(1);
    expect(await count('?type=payment.failed')).toBe(0);
    expect(await count('?status=pending')).toBe(1);
    // The other seller has no webhook.
    expect((await list(service, '?status=none')).events).toMatchObject([
      { body: { data: { user: { sub: users.eve.id } } } },
    ]);
    expect(await count(`?webhookId=${webhooks.brewGuide.id}`)).toBe(2);
    expect(await count('?text=CLEO@example')).toBe(1);
    expect(await count('?text=%25')).toBe(0);
    expect(await count('?text=/receiver')).toBe(await count('').then((all) => all - 1));
    const [event] = (await list(service, '?status=pending')).events;
    expect(await count(`?text=${event?.deliveries[0]?.id}`)).toBe(1);
    expect((await callControl(service, 'GET /events?status=gone')).status).toBe(400);
  });
});

describe('test events', () => {
  it('of every type show a real object as it is now', async ({ service }) => {
    const { id: communityMembership } = memberships.adaCommunity;
    const plan = plans.monthly.id;
    const success = { type: 'payment.success', membershipId: communityMembership, pricingPlanId: plan };
    expect((await test(service, { ...success, amount: 1, utmSource: 'spring' })).body).toMatchObject({
      type: 'payment.success',
      body: {
        data: {
          membershipId: communityMembership,
          user: { sub: users.ada.id, email: users.ada.email },
          communityId: community.id,
          pricingPlanId: plan,
          amount: 1,
          externalId: null,
          utmSource: 'spring',
        },
      },
      deliveries: [{ status: 'delivered' }],
    });
    const failed = { type: 'payment.failed', userId: users.ben.id, pricingPlanId: plan };
    expect((await test(service, failed)).body).toMatchObject({
      body: { data: { reason: 'card_declined', amount: 900, user: { sub: users.ben.id } } },
    });
    const purchase = { type: 'digital.product.purchase', membershipId: memberships.adaProduct.id };
    expect((await test(service, purchase)).body).toMatchObject({
      body: { data: { product: { id: products.brewGuide.id }, amount: 1_900 } },
      deliveries: [{ webhookId: webhooks.brewGuide.id }],
    });
    expect((await service.server.operator.list('memberships')).records).toHaveLength(4);
  });

  it('reject unknown objects, objects of another seller, and overrides that the type ignores', async ({
    service,
  }) => {
    const id = memberships.adaCommunity.id;
    for (const [event, status] of [
      [{ type: 'membership.updated', membershipId: id, amount: 5 }, 400],
      [{ type: 'membership.created', membershipId: id, reason: 'card_declined' }, 400],
      [{ type: 'payment.success', membershipId: id }, 400],
      [
        {
          type: 'payment.success',
          membershipId: memberships.eveElsewhere.id,
          pricingPlanId: plans.monthly.id,
        },
        400,
      ],
      [{ type: 'payment.success', membershipId: id, pricingPlanId: users.ada.id }, 404],
      [{ type: 'digital.product.purchase', membershipId: id }, 400],
      [{ type: 'payment.failed', userId: id, pricingPlanId: plans.monthly.id }, 404],
    ] as const) {
      expect((await test(service, event)).status, JSON.stringify(event)).toBe(status);
    }
    expect((await list(service)).events.some(({ type }) => type !== 'membership.created')).toBe(false);
  });
});

describe('purchases', () => {
  it('change memberships, payments and events as the checkout page does', async ({ service }) => {
    const paid = await buy(service, {
      userId: users.ben.id,
      pricingPlanId: plans.monthly.id,
      externalId: 'order-1',
      utmSource: 'spring',
    });
    expect(paid.body).toMatchObject({
      result: 'paid',
      method: 'card-4242',
      membershipId: expect.any(String),
    });
    const { events } = await list(service, '?text=order-1');
    expect(events).toMatchObject([
      {
        type: 'payment.success',
        body: { data: { membershipId: paid.body.membershipId, externalId: 'order-1', amount: 900 } },
        deliveries: [{ status: 'delivered' }],
      },
    ]);
    const product = await buy(service, { userId: users.ben.id, productId: products.brewGuide.id });
    expect(product.body.result).toBe('paid');
    expect((await list(service, '?type=digital.product.purchase')).events).toHaveLength(1);
    expect((await buy(service, { userId: users.ben.id, productId: products.brewGuide.id })).status).toBe(409);
  });

  it('are declined for a reason, and then grant nothing', async ({ service }) => {
    const purchase = { userId: users.ben.id, pricingPlanId: plans.monthly.id, result: 'declined' };
    expect((await buy(service, { ...purchase, method: 'card-0002' })).body).toEqual({
      result: 'declined',
      method: 'card-0002',
      membershipId: null,
      reason: 'card_declined',
    });
    expect((await list(service, '?type=payment.failed')).events).toMatchObject([
      { body: { data: { reason: 'card_declined' } } },
    ]);
    const { records: own } = await service.server.operator.list('memberships');
    expect(own.some(({ userId }) => userId === users.ben.id)).toBe(false);
  });

  it('reject fields that they would ignore', async ({ service }) => {
    const userId = users.ben.id;
    for (const [purchase, status] of [
      [{ userId }, 400],
      [{ userId, pricingPlanId: plans.monthly.id, productId: products.brewGuide.id }, 400],
      [{ userId, productId: products.brewGuide.id, externalId: 'x' }, 400],
      [{ userId, pricingPlanId: plans.monthly.id, method: 'card-9995' }, 400],
      [{ userId, pricingPlanId: plans.monthly.id, method: 'transfer-arrives' }, 400],
      [{ userId: plans.monthly.id, pricingPlanId: plans.monthly.id }, 404],
      [{ userId, pricingPlanId: users.ben.id }, 404],
    ] as const) {
      expect((await buy(service, purchase)).status, JSON.stringify(purchase)).toBe(status);
    }
  });
});

describe('built-in receiver', () => {
  it('shows what arrived, and answers as it is set', async ({ service }) => {
    await service.server.runBackgroundWork();
    const read = () => callControl<{ mode: string; arrived: object[] }>(service, 'GET /receiver');
    expect((await read()).body).toMatchObject({
      url: `${service.baseUrl}/sandbox/webhooks/receiver`,
      mode: 'accept',
    });
    expect((await read()).body.arrived[0]).toMatchObject({ verified: true, answered: 204 });
    expect((await callControl(service, 'POST /receiver', { mode: 'fail' })).body).toMatchObject({
      mode: 'fail',
    });
    expect((await callControl(service, 'POST /receiver', { mode: 'maybe' })).status).toBe(400);
    expect(service.server.receiver.mode).toBe('fail');
  });
});
