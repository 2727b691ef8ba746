import { formatTimestamp } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { findCheckout } from '../src/features/checkout/checkouts.js';
import { withdrawPayment } from '../src/features/checkout/reversals.js';
import { settlePayment } from '../src/features/checkout/settle-payment.js';
import { END_OF_TIME } from '../src/features/memberships/timeline.js';
import { exportUser } from '../src/features/user-export/export-user.js';
import type { Database } from '../src/platform/database/open-database.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import {
  checkoutFields,
  eventsOf,
  it,
  METHODS,
  membershipOf,
  openCheckout,
  pageAt,
  pay,
  payFor,
} from './checkout-world.js';
import { postProvision } from './provision-requests.js';
import { type ServiceUnderTest, START } from './service-under-test.js';

const { community, plans, users } = sandboxScenario;
const DAY = 24 * 3600_000;
const BEN = 'ben@example.com';

const plan = (service: ServiceUnderTest, name: string, priceMinor: number, more = {}) =>
  service.server.operator.createPricingPlan({
    ...{ communityId: community.id, name, priceMinor, currency: 'USD', periodDays: 30 },
    ...more,
  });

async function runAt(service: ServiceUnderTest, at: number): Promise<void> {
  service.clock.set(at);
  await service.server.runBackgroundWork();
}

/** Stored periods as `plan name, first day-end, source`, in days since the start. */
async function periodsOf(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('membership_periods')
    .innerJoin('memberships', 'memberships.id', 'membership_periods.membership_id')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('pricing_plans', 'pricing_plans.id', 'membership_periods.plan_id')
    .select(['pricing_plans.name', 'starts_at', 'ends_at', 'source'])
    .where('users.id', '=', users.ben.id)
    .orderBy('starts_at')
    .orderBy('ends_at')
    .execute();
  const days = (at: number | null) => (at === null ? '' : at >= END_OF_TIME ? 'waits' : (at - START) / DAY);
  return rows.map((row) => `${row.name ?? 'open'} ${days(row.starts_at)}-${days(row.ends_at)} ${row.source}`);
}

describe('paid periods', () => {
  it('an upgrade of the buyer starts at once, and the rest of the cheaper plan comes after it', async ({
    service,
    db,
  }) => {
    const basic = await plan(service, 'Basic', 100);
    const pro = await plan(service, 'Pro', 10_000);
    await payFor(service, { pricingPlanId: basic.id });
    service.clock.advance(10 * DAY);
    const ben = await signedIn(service, BEN);
    const path = await openCheckout(service, { externalId: 'order-8', pricingPlanId: pro.id });
    expect(await (await ben.get(path)).text()).toContain('goes on after it, on');
    expect(locationOf(await pay(ben, path))).toMatch(/\?paid$/);
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ valid_from: START, valid_until: START + 60 * DAY },
      ...{ pricing_plan_id: pro.id, plan_changes_at: START + 40 * DAY },
    });
    expect(await periodsOf(db)).toEqual(['Basic 0-10 payment', 'Pro 10-40 payment', 'Basic 40-60 payment']);

    await runAt(service, START + 40 * DAY);
    expect((await eventsOf(db)).at(-1)).toMatchObject({
      type: 'membership.updated',
      data: { pricingPlanId: basic.id, membership: { isActive: true } },
    });
    expect(await membershipOf(db, BEN)).toMatchObject({ pricing_plan_id: basic.id, plan_changes_at: null });
  });

  it('the buyer pays for what the page told: who signs in after opening it sees the page again', async ({
    service,
    db,
  }) => {
    const basic = await plan(service, 'Basic', 100);
    const pro = await plan(service, 'Pro', 10_000);
    await payFor(service, { pricingPlanId: basic.id });
    const path = await openCheckout(service, { externalId: 'order-8', pricingPlanId: pro.id });
    const fields = { ...(await checkoutFields(service.browser(), path)), method: METHODS.card };
    const ben = await signedIn(service, BEN);
    expect(locationOf(await ben.post(`${path}/pay`, fields))).toBe(`${path}?changed`);
    expect(await periodsOf(db)).toEqual(['Basic 0-30 payment']);
  });

  it('somebody else’s payment comes after everything, and the page is the same whatever the address has', async ({
    service,
    db,
  }) => {
    const pro = await plan(service, 'Pro', 10_000, { renews: true });
    const basic = await plan(service, 'Basic', 100, { renews: true });
    const opened = await openCheckout(service, { pricingPlanId: basic.id });
    const before = (await pageAt(service, opened)).$('main').text();
    await payFor(service, { externalId: 'order-8', pricingPlanId: pro.id });
    expect((await pageAt(service, opened)).$('main').text()).toBe(before);
    const held = await membershipOf(db, BEN);
    expect(locationOf(await pay(service.browser(), opened))).toMatch(/\?paid$/);
    const { subscription_id, renews_at, pricing_plan_id } = held ?? {};
    expect(await membershipOf(db, BEN)).toMatchObject({ subscription_id, renews_at, pricing_plan_id });
    expect(await db.selectFrom('subscriptions').select('id').execute()).toHaveLength(1);
    await runAt(service, START + 30 * DAY);
    expect(await periodsOf(db)).toEqual(['Pro 0-30 payment', 'Pro 30-60 renewal', 'Basic 60-90 payment']);
  });

  it('a subscription that began at the provider and renews nothing here is known, so that it ends there', async ({
    service,
    db,
  }) => {
    const settle = async (externalId: string) => {
      const path = await openCheckout(service, { externalId });
      const found = await findCheckout(db, path.split('/').at(-1) ?? '');
      if (found?.offer === undefined) throw new Error('no checkout');
      const payer = { isBuyer: false, startsNow: false };
      const order = { orderId: externalId, method: null, reference: null };
      const checkout = { ...found, ...order, offer: found.offer, payer };
      const charged = { provider: 'inline', reference: externalId, subscription: `of ${externalId}` };
      return { settled: await settlePayment(db, { checkout, charged }, START), checkout };
    };
    // Both payments were started before either was stored.
    await settle('first');
    const { checkout } = await settle('second');
    // A second order of the same checkout gives no access.
    const charged = { provider: 'inline', reference: 'third', subscription: 'of third' };
    const third = { checkout: { ...checkout, orderId: 'third' }, charged };
    expect(await settlePayment(db, third, START)).toMatchObject({ kind: 'no-access' });
    const rows = await db
      .selectFrom('provider_subscriptions')
      .leftJoin('memberships', 'memberships.subscription_id', 'provider_subscriptions.subscription_id')
      .select(['reference', 'memberships.id as renewed'])
      .orderBy('reference')
      .execute();
    const { id: renewed } = (await membershipOf(db, BEN)) ?? {};
    expect(rows).toEqual([
      { reference: 'of first', renewed },
      { reference: 'of second', renewed: null },
      { reference: 'of third', renewed: null },
    ]);
  });

  it('a plan for life of the buyer starts at once, keeps the rest of what it interrupts, and gives it back', async ({
    service,
    db,
  }) => {
    const life = await plan(service, 'Life', 20_000, { periodDays: undefined });
    const basic = await plan(service, 'Basic', 1000, { renews: true });
    await payFor(service, { pricingPlanId: basic.id });
    service.clock.advance(10 * DAY);
    const ben = await signedIn(service, BEN);
    const path = await openCheckout(service, { externalId: 'order-8', pricingPlanId: life.id });
    const page = (await (await ben.get(path)).text()).replace(/<[^>]+>/g, '');
    expect(page).toContain('Life has no end, and starts at once. What is then left of Basic is kept and not');
    expect(page).toContain('It goes on only if this payment is refunded.');
    expect(locationOf(await pay(ben, path))).toMatch(/\?paid$/);
    const waiting = ['Basic 0-10 payment', 'Life 10- payment', 'Basic waits-waits payment'];
    expect(await periodsOf(db)).toEqual(waiting);
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ pricing_plan_id: life.id, valid_until: null, plan_changes_at: null },
      ...{ renews_at: null, subscription_cancelled_at: START + 10 * DAY },
    });
    await runAt(service, START + 100 * DAY);
    expect(await periodsOf(db)).toEqual(waiting);
    const { id: paymentId } = await db
      .selectFrom('payments')
      .select('id')
      .where('pricing_plan_id', '=', life.id)
      .executeTakeFirstOrThrow();
    await inTransaction(db, (transaction) =>
      withdrawPayment(transaction, { paymentId, now: service.clock.now() }),
    );
    expect(await periodsOf(db)).toEqual([
      ...['Basic 0-10 payment', 'Life 10-100 payment', 'Basic 100-120 payment'],
    ]);
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ pricing_plan_id: basic.id, valid_until: START + 120 * DAY },
    });
  });

  it.for([
    ['costs less than what is left of a plan for days', 'USD', 9_999, 'Life 30- payment'],
    ['costs as much', 'USD', 10_000, 'Pro waits-waits payment'],
    ['has a price in another currency', 'EUR', 20_000, 'Life 30- payment'],
  ] as const)(
    'a plan for life that %s does not waste it',
    async ([, currency, price, last], { service, db }) => {
      const pro = await plan(service, 'Pro', 10_000);
      const life = await plan(service, 'Life', price, { periodDays: undefined, currency });
      await payFor(service, { pricingPlanId: pro.id });
      const ben = await signedIn(service, BEN);
      await payFor(service, { externalId: 'order-8', pricingPlanId: life.id }, METHODS.card, ben);
      expect((await periodsOf(db)).at(-1)).toBe(last);
    },
  );

  it('what would add nothing is not sold, and only the buyer learns why', async ({ service, db }) => {
    const life = await plan(service, 'Life', 20_000, { periodDays: undefined });
    const pro = await plan(service, 'Pro', 10_000);
    await payFor(service, { pricingPlanId: life.id });
    const path = await openCheckout(service, { externalId: 'order-8', pricingPlanId: pro.id });
    const refused = await pay(service.browser(), path);
    expect(refused.status).toBe(409);
    const text = await refused.text();
    expect(text).toContain('Nothing was charged. If this is your e-mail address, sign in');
    expect(text).not.toMatch(/already|Life/);
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(1);
    const again = await openCheckout(service, { externalId: 'order-9', pricingPlanId: life.id });
    const ben = await signedIn(service, BEN);
    expect((await ben.get(again)).status).toBe(409);
    expect(await (await ben.get(again)).text()).toContain('You already have this');
    expect(locationOf(await pay(ben, path))).toMatch(/\?paid$/);
    expect(await periodsOf(db)).toEqual(['Pro 0-30 payment', 'Life 30- payment']);
  });

  it('of a cheaper plan, which a stranger can buy for a member, come after what a partner orders', async ({
    service,
    db,
  }) => {
    const basic = await plan(service, 'Basic', 100);
    const pro = await plan(service, 'Pro', 1_000);
    const order = async (pricingPlanId: string, days: number | null) => {
      const validUntil = days === null ? undefined : formatTimestamp(START + days * DAY);
      const externalOrderId = `until day ${days}`;
      const fields = { communityId: community.id, email: BEN, pricingPlanId, validUntil, externalOrderId };
      expect((await postProvision(service, fields)).status).toBe(200);
    };
    await order(pro.id, 30);
    await payFor(service, { pricingPlanId: basic.id });
    await runAt(service, START + 20 * DAY);
    await order(pro.id, 60);
    expect(await periodsOf(db)).toEqual(['Pro 0-60 provisioning', 'Basic 60-90 payment']);
    const forLife = await plan(service, 'Cheap', 500, { periodDays: null });
    await payFor(service, { pricingPlanId: forLife.id });
    await order(pro.id, 100);
    expect(await periodsOf(db)).toEqual([
      'Pro 0-100 provisioning',
      'Basic 100-130 payment',
      'Cheap 130- payment',
    ]);
    await runAt(service, START + 140 * DAY);
    await order(pro.id, null);
    expect((await membershipOf(db, BEN))?.pricing_plan_id).toBe(pro.id);
  });

  it('leave a partner’s order its dates and its plan, once refunded', async ({ service, db }) => {
    const pro = await plan(service, 'Pro', 10_000);
    const basic = await plan(service, 'Basic', 100);
    await payFor(service, { pricingPlanId: pro.id });
    const validUntil = formatTimestamp(START + 20 * DAY);
    const fields = { communityId: community.id, email: BEN, pricingPlanId: basic.id, validUntil };
    expect((await postProvision(service, fields)).status).toBe(200);
    const { id: paymentId } = await db.selectFrom('payments').select('id').executeTakeFirstOrThrow();
    const now = START + 5 * DAY;
    await runAt(service, now);
    await inTransaction(db, (transaction) => withdrawPayment(transaction, { paymentId, now }));
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ pricing_plan_id: basic.id, valid_until: START + 20 * DAY },
    });
  });

  it('that wait for the buyer’s bank interrupt nothing that has since become dearer', async ({
    service,
    db,
  }) => {
    const { control } = service.server;
    const basic = await plan(service, 'Basic', 100);
    const pro = await plan(service, 'Pro', 10_000);
    const max = await plan(service, 'Max', 90_000);
    await payFor(service, { pricingPlanId: basic.id });
    const ben = await signedIn(service, BEN);
    const path = await openCheckout(service, { externalId: 'pro', pricingPlanId: pro.id });
    expect(locationOf(await pay(ben, path, 'card-3220'))).toContain('/sandbox/pay/');
    const [open] = (await control?.payments.list({ state: 'open' }))?.payments ?? [];
    await payFor(service, { externalId: 'max', pricingPlanId: max.id }, METHODS.card, ben);
    await control?.payments.answer(open?.id ?? '', 'approve');
    expect(await periodsOf(db)).toEqual(['Max 0-30 payment', 'Basic 30-60 payment', 'Pro 60-90 payment']);
  });

  it('a free plan is given once, also after its end', async ({ service, db }) => {
    const trial = await plan(service, 'Trial', 0, { periodDays: 7 });
    await payFor(service, { pricingPlanId: trial.id }, METHODS.card, await signedIn(service, BEN));
    for (const [index, at] of [START, START + 60 * DAY].entries()) {
      await runAt(service, at);
      const path = await openCheckout(service, { externalId: `again-${index}`, pricingPlanId: trial.id });
      expect((await (await signedIn(service, BEN)).get(path)).status).toBe(409);
    }
    expect(await periodsOf(db)).toEqual(['Trial 0-7 free']);
  });

  it('an invitation adds its own time under what is paid', async ({ service, db }) => {
    await payFor(service);
    const { id = '' } = (await membershipOf(db, BEN)) ?? {};
    const userId = users.ben.id;
    await service.server.operator.grantMembership({
      ...{ userId, productType: 'community', communityId: community.id },
      ...{ validFrom: START, validUntil: START + 90 * DAY },
    });
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ id, pricing_plan_id: plans.monthly.id, valid_until: START + 90 * DAY },
      plan_changes_at: START + 30 * DAY,
    });
    expect(await periodsOf(db)).toEqual(['Monthly 0-30 payment', 'open 0-90 grant']);
  });
});

describe('a withdrawn payment', () => {
  const withdraw = async (service: ServiceUnderTest, db: Database, paymentId: string) =>
    await inTransaction(db, (transaction) =>
      withdrawPayment(transaction, { paymentId, now: service.clock.now() }),
    );
  const paymentsOf = async (db: Database) =>
    (await db.selectFrom('payments').select('id').orderBy('created_at').execute()).map(({ id }) => id);

  it('ends access at once if nothing else is left, with an event, and cancels the subscription', async ({
    service,
    db,
  }) => {
    await payFor(service);
    service.clock.advance(10 * DAY);
    const [id = ''] = await paymentsOf(db);
    await withdraw(service, db, id);
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ valid_until: START + 10 * DAY, subscription_cancelled_at: START + 10 * DAY },
    });
    const events = await eventsOf(db);
    expect(events.at(-1)).toMatchObject({
      type: 'membership.updated',
      data: { membership: { isActive: false } },
    });
    await withdraw(service, db, id);
    expect(await eventsOf(db)).toHaveLength(events.length);
    await runAt(service, START + 60 * DAY);
    expect(await paymentsOf(db)).toEqual([id]);
  });

  it('takes its own days only: what was bought besides moves forward', async ({ service, db }) => {
    const basic = await plan(service, 'Basic', 100);
    const pro = await plan(service, 'Pro', 10_000);
    await payFor(service, { pricingPlanId: pro.id });
    service.clock.advance(DAY);
    await payFor(service, { externalId: 'order-8', pricingPlanId: basic.id });
    const [first = ''] = await paymentsOf(db);
    service.clock.advance(9 * DAY);
    await withdraw(service, db, first);
    expect(await periodsOf(db)).toEqual(['Pro 0-10 payment', 'Basic 10-40 payment']);
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ pricing_plan_id: basic.id, valid_until: START + 40 * DAY, plan_changes_at: null },
    });
  });

  it('brings back the plan for life that its own replaced, with an event', async ({ service, db }) => {
    const life = await plan(service, 'Life', 20_000, { periodDays: undefined });
    const more = await plan(service, 'More', 30_000, { periodDays: undefined });
    await payFor(service, { pricingPlanId: life.id });
    service.clock.advance(DAY);
    const ben = await signedIn(service, BEN);
    const path = await openCheckout(service, { externalId: 'order-8', pricingPlanId: more.id });
    const page = (await (await ben.get(path)).text()).replace(/<[^>]+>/g, '');
    expect(page).toContain('What is then left of Life is kept and not used up.');
    expect(locationOf(await pay(ben, path))).toMatch(/\?paid$/);
    expect(await periodsOf(db)).toEqual(['Life 0-1 payment', 'More 1- payment', 'Life waits- payment']);
    expect(await exportUser(db, { userId: users.ben.id }, service.clock.now())).toMatchObject({
      membershipPeriods: expect.arrayContaining([expect.objectContaining({ endsAt: null })]),
    });
    service.clock.advance(DAY);
    const [, second = ''] = await paymentsOf(db);
    await withdraw(service, db, second);
    expect(await periodsOf(db)).toEqual(['Life 0-1 payment', 'More 1-2 payment', 'Life 2- payment']);
    expect(await membershipOf(db, BEN)).toMatchObject({ pricing_plan_id: life.id, valid_until: null });
    expect((await eventsOf(db)).at(-1)).toMatchObject({
      type: 'membership.updated',
      data: { pricingPlanId: life.id, membership: { isActive: true, validUntil: null } },
    });
    const [first = ''] = await paymentsOf(db);
    await withdraw(service, db, first);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 2 * DAY });
  });

  it('cancels the subscription that it renewed, although its days have passed', async ({ service, db }) => {
    await payFor(service);
    await runAt(service, START + 30 * DAY);
    const [first = ''] = await paymentsOf(db);
    await withdraw(service, db, first);
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ subscription_cancelled_at: START + 30 * DAY, valid_until: START + 60 * DAY },
    });
  });
});
