import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import type { Database } from '../src/platform/database/open-database.js';
import { callWithKey } from './api-key-requests.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import {
  buyersBrowser,
  eventsOf,
  eventTypesOf,
  it,
  METHODS,
  membershipOf,
  payFor,
} from './checkout-world.js';
import { type ServiceUnderTest, START } from './service-under-test.js';

const { users, community, plans } = sandboxScenario;
const DAY = 24 * 3600_000;
const HOUR = 3600_000;
const BEN = 'ben@example.com';

async function runAt(service: ServiceUnderTest, instant: number): Promise<void> {
  service.clock.set(instant);
  await service.server.runBackgroundWork();
}

describe('plan that renews', () => {
  it('is paid again in the last hour of its period, and emits an event', {
    tags: ['webhook.payment-success', 'webhook.membership-updated'],
  }, async ({ service, db }) => {
    await payFor(service, { utmSource: 'newsletter' }, METHODS.card, await buyersBrowser(service, BEN));
    await runAt(service, START + 30 * DAY - HOUR - 1);
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(1);

    await runAt(service, START + 30 * DAY - HOUR);
    const membership = await membershipOf(db, BEN);
    expect(membership).toMatchObject({ valid_from: START, valid_until: START + 60 * DAY });
    const [renewal] = await db
      .selectFrom('payments')
      .selectAll()
      .where('reservation_id', 'is', null)
      .execute();
    expect(renewal).toMatchObject({ status: 'succeeded', amount_minor: 900, user_id: users.ben.id });
    const events = await eventsOf(db);
    expect(events.slice(2).map(({ type }) => type)).toEqual(['membership.updated', 'payment.success']);
    expect(events[2]?.data).toMatchObject({
      ...{ membership: { isActive: true }, pricingPlanId: plans.monthly.id },
    });
    expect(events[3]?.data).toEqual({
      ...{ paymentId: renewal?.id, membershipId: membership?.id, communityId: community.id },
      ...{ pricingPlanId: plans.monthly.id, externalId: 'order-7', utmSource: 'newsletter' },
      ...{ amount: 900, currency: 'EUR' },
      user: { sub: users.ben.id, email: BEN },
    });
    await service.server.runBackgroundWork();
    expect(await eventsOf(db)).toHaveLength(4);
  });

  it('renews at the price of the purchase, whatever happened to the plan', async ({ service, db }) => {
    await payFor(service);
    await db
      .updateTable('pricing_plans')
      .set({ price_minor: 99_900, period_days: 1, archived_at: START })
      .execute();
    await runAt(service, START + 30 * DAY - HOUR);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 60 * DAY });
    const amounts = await db.selectFrom('payments').select('amount_minor').execute();
    expect(amounts.map(({ amount_minor }) => amount_minor)).toEqual([900, 900]);
    const paid = (await eventsOf(db)).filter(({ type }) => type === 'payment.success');
    expect(paid.map(({ data }) => data)).toMatchObject([
      { amount: 900, currency: 'EUR' },
      { amount: 900, currency: 'EUR' },
    ]);
  });

  it('that renews late starts its period when it renews, so that no day of it is in the past', async ({
    service,
    db,
  }) => {
    await payFor(service);
    await runAt(service, START + 40 * DAY);
    expect(await membershipOf(db, BEN)).toMatchObject({
      valid_from: START + 40 * DAY,
      valid_until: START + 70 * DAY,
    });
    await runAt(service, START + 200 * DAY);
    expect(await membershipOf(db, BEN)).toMatchObject({
      valid_from: START + 200 * DAY,
      valid_until: START + 230 * DAY,
    });
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(3);
  });

  it('whose renewal is declined emits an event, keeps the paid period and expires', {
    tags: ['webhook.payment-failed', 'webhook.membership-updated'],
  }, async ({ service, db }) => {
    await payFor(service, {}, METHODS.failsLater);
    await runAt(service, START + 30 * DAY - HOUR);
    const failed = (await eventsOf(db)).find(({ type }) => type === 'payment.failed');
    expect(failed?.data).toMatchObject({
      ...{ reason: 'card_declined', externalId: 'order-7', pricingPlanId: plans.monthly.id },
      ...{ amount: 900, currency: 'EUR' },
    });
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });

    await runAt(service, START + 30 * DAY);
    expect((await eventsOf(db)).at(-1)).toMatchObject({
      type: 'membership.updated',
      data: { membership: { isActive: false } },
    });
    await runAt(service, START + 90 * DAY);
    const payments = await db.selectFrom('payments').select('status').orderBy('status').execute();
    expect(payments.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  it('that fails with an internal error blocks no other, and is retried', async ({ service, db }) => {
    await payFor(service);
    service.clock.advance(1);
    await payFor(service, { email: 'ada.second@example.com', externalId: 'order-8' });
    const method = (name: string) =>
      db.updateTable('subscriptions').set({ payment_method: name }).where('created_at', '=', START).execute();
    await method('no-such-method');
    await runAt(service, START + 30 * DAY - 1);
    expect(service.log.join('\n')).toContain('renew subscriptions');
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(3);
    await method(METHODS.card);
    await service.server.runBackgroundWork();
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(4);
  });

  it('bought twice by its buyer renews once, at the end of both periods', async ({ service, db }) => {
    await payFor(service);
    await payFor(service, { externalId: 'order-8' }, METHODS.card, await signedIn(service, BEN));
    await runAt(service, START + 30 * DAY);
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(2);
    await runAt(service, START + 60 * DAY - 1);
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(3);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 90 * DAY });
  });

  it('stops renewing once its buyer buys access for life', async ({ service, db }) => {
    await payFor(service);
    const life = { externalId: 'order-8', pricingPlanId: plans.lifetime.id };
    await payFor(service, life, METHODS.transfer, await signedIn(service, BEN));
    expect(await membershipOf(db, BEN)).toMatchObject({
      valid_until: null,
      pricing_plan_id: plans.lifetime.id,
    });
    await runAt(service, START + 60 * DAY);
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(2);
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ valid_until: null, pricing_plan_id: plans.lifetime.id, subscription_cancelled_at: START },
    });
  });

  it.for([
    ['the same plan', plans.monthly.id, METHODS.card],
    ['a plan for life', plans.lifetime.id, METHODS.transfer],
  ] as const)(
    'goes on as before when somebody else buys %s for its buyer',
    async ([, pricingPlanId, method], { service, db }) => {
      await payFor(service);
      const before = await membershipOf(db, BEN);
      await payFor(service, { externalId: 'order-8', pricingPlanId }, method);
      const { subscription_id, renews_at } = before ?? {};
      expect(await membershipOf(db, BEN)).toMatchObject({
        subscription_id,
        renews_at,
        subscription_cancelled_at: null,
      });
      await runAt(service, START + 30 * DAY);
      expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(3);
      expect(await membershipOf(db, BEN)).toMatchObject({ subscription_id, renews_at: START + 60 * DAY });
    },
  );

  it('continues beside a purchase that does not renew', async ({ service, db }) => {
    const { id } = await service.server.operator.createPricingPlan({
      ...{ communityId: community.id, name: 'Two weeks', priceMinor: 500, periodDays: 14 },
    });
    await payFor(service);
    await payFor(service, { externalId: 'order-8', pricingPlanId: id });
    await runAt(service, START + 44 * DAY - 1);
    expect(await membershipOf(db, BEN)).toMatchObject({
      valid_until: START + 74 * DAY,
      pricing_plan_id: plans.monthly.id,
    });
  });

  it('renews when the sandbox’s clock is advanced by its button', async ({ service, db }) => {
    await payFor(service);
    const browser = await signedIn(service, BEN);
    await browser.post('/sandbox/clock', { advance: '31d' });
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 60 * DAY });
  });
});

describe('cancelled subscription', () => {
  const cancel = async (service: ServiceUnderTest, db: Database) => {
    const browser = await signedIn(service, BEN);
    const { id } = (await membershipOf(db, BEN)) ?? {};
    return await browser.post(`/account/memberships/${id}/cancel`, { account: users.ben.id });
  };

  it('keeps the paid period, does not renew, and expires', async ({ service, db }) => {
    await payFor(service);
    expect(locationOf(await cancel(service, db))).toBe('/account?done=cancelled');
    await runAt(service, START + 30 * DAY - 1);
    expect(await membershipOf(db, BEN)).toMatchObject({
      valid_until: START + 30 * DAY,
      subscription_cancelled_at: START,
    });
    await runAt(service, START + 30 * DAY);
    await runAt(service, START + 31 * DAY - 1);
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(1);
    const expiryEvents = (await eventsOf(db)).filter(
      ({ data }) => 'membership' in data && !data.membership.isActive,
    );
    expect(expiryEvents).toHaveLength(1);
  });

  it('leaves the membership to external provisioning, and never renews it again', {
    tags: ['provision.subscription-managed'],
  }, async ({ service, db }) => {
    await payFor(service);
    const provision = async () => {
      const json = { communityId: community.id, externalOrderId: 'order-p', email: BEN };
      return (await callWithKey(service, { path: '/membership/provision-external', json })).status;
    };
    expect(await provision()).toBe(409);
    await cancel(service, db);
    expect(await provision()).toBe(200);
    await runAt(service, START + 60 * DAY);
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(1);
  });
});

describe('membership that has expired', () => {
  it('emits one event, whatever created it', { tags: ['webhook.membership-updated'] }, async ({
    service,
    db,
  }) => {
    const { id } = await service.server.operator.createPricingPlan({
      ...{ communityId: community.id, name: 'A week', priceMinor: 500, periodDays: 7 },
    });
    await payFor(service, { pricingPlanId: id });
    await runAt(service, START + 7 * DAY - 1);
    expect(await eventTypesOf(db)).toEqual(['membership.created', 'payment.success']);
    await runAt(service, START + 7 * DAY);
    await runAt(service, START + 8 * DAY);
    const events = await eventsOf(db);
    expect(events).toHaveLength(3);
    expect(events[2]).toMatchObject({
      type: 'membership.updated',
      data: { membership: { isActive: false }, user: { email: BEN }, communityId: community.id },
    });
    // A membership that was bought again can expire again.
    await payFor(service, { pricingPlanId: id, externalId: 'order-8' });
    await runAt(service, START + 20 * DAY);
    expect((await eventTypesOf(db)).filter((type) => type === 'membership.updated')).toHaveLength(3);
  });

  it('by an operator emits its event at once, and only once', async ({ service, db }) => {
    await payFor(service);
    const { id = '' } = (await membershipOf(db, BEN)) ?? {};
    await service.server.operator.end('memberships', id);
    const ended = (await eventsOf(db)).find(({ type }) => type === 'membership.updated');
    expect(ended).toMatchObject({ data: { membership: { isActive: false } } });
    await runAt(service, START + 30 * DAY - 1);
    expect(await eventsOf(db)).toHaveLength(3);
  });
});
