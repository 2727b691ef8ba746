import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import type { Database } from '../src/platform/database/open-database.js';
import { fillIn } from './area-forms.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { it as base, METHODS, membershipOf, openCheckout, pay } from './checkout-world.js';
import { type Charge, inlinePayments } from './inline-payments.js';
import { formOf, parsePage, textOf } from './pages/page-document.js';
import { COMMUNITY, createAccount, sellerOf, tableIn } from './seller-area.js';
import { type ServiceUnderTest, START, startService } from './service-under-test.js';

const { community, plans, users } = sandboxScenario;
const DAY = 24 * 3600_000;
const SERVER = { sandbox: false, databasePurpose: 'sandbox', mailer: { send: async () => {} } };

/** Payment provider whose charges wait for their results. */
class SlowPayments {
  readonly charges: { orderId: string; resolve(result: Charge): void }[] = [];
  readonly provider = inlinePayments({
    methods: () => [{ id: METHODS.card, name: 'Card', note: '' }],
    charge: ({ orderId }) => {
      const { promise, resolve } = Promise.withResolvers<Charge>();
      this.charges.push({ orderId, resolve });
      return promise;
    },
  });

  /** Waits for a number of charges, and returns the newest one. */
  async nth(count: number) {
    await expect.poll(() => this.charges.length, { timeout: 20_000 }).toBe(count);
    return this.charges[count - 1] as (typeof this.charges)[number];
  }
}

/** `it` with a process that takes slow payments on the service's database. */
const it = base.extend<{ payments: SlowPayments; slow: ServiceUnderTest }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  payments: async ({}, use) => {
    await use(new SlowPayments());
  },
  slow: async ({ database, service: { baseUrl }, payments }, use) => {
    const options = { ...SERVER, database, baseUrl, payments: payments.provider, backgroundWork: false };
    const slow = await startService(options);
    await use(slow);
    await slow.server.close();
  },
});

const PAID: Charge = { kind: 'paid' };

const paymentsOf = (db: Database) =>
  db.selectFrom('payments').select(['status', 'reason', 'amount_minor', 'order_id']).execute();

const chargesOf = (db: Database) => db.selectFrom('charges').select('order_id').execute();

it('is paid even if a provider in JavaScript returns null for what the order has not: a subscription', async ({
  service,
  slow,
  db,
  payments,
}) => {
  const { id: pricingPlanId } = await service.server.operator.createPricingPlan({
    ...{ communityId: community.id, name: 'Yearly', priceMinor: 9_000, periodDays: 365 },
  });
  Object.assign(payments.provider, {
    start: async () => ({ kind: 'paid', reference: 'of-js', subscription: null }),
  });
  const path = await openCheckout(service, { pricingPlanId });
  expect(locationOf(await pay(slow.browser(), path))).toBe(`${path}?paid`);
  expect(await paymentsOf(db)).toMatchObject([{ status: 'succeeded', reason: null }]);
});

describe('checkout that was opened again with another plan during its charge', () => {
  it('stores both payments; the later one gives no access, and the seller and the buyer see it', async ({
    service,
    slow,
    db,
    payments,
  }) => {
    const { id: yearly } = await service.server.operator.createPricingPlan({
      ...{ communityId: community.id, name: 'Yearly', priceMinor: 9_000, periodDays: 365 },
    });
    const first = await openCheckout(service);
    const firstTab = pay(slow.browser(), first);
    const firstCharge = await payments.nth(1);
    const second = await openCheckout(service, { pricingPlanId: yearly });
    const secondTab = pay(slow.browser(), second);
    (await payments.nth(2)).resolve(PAID);
    expect(locationOf(await secondTab)).toBe(`${second}?paid`);
    firstCharge.resolve(PAID);
    const answer = await firstTab;
    expect(answer.status).toBe(409);
    const $ = parsePage(await answer.text());
    expect(textOf($, 'main')).toContain('Your payment of €9.00 for “Monthly” succeeded, but gave no access');
    expect($('main a').attr('href')).toBe('https://shop.example/cart');

    const stored = await paymentsOf(db);
    expect(new Set(stored.map(({ order_id }) => order_id))).toEqual(
      new Set(payments.charges.map(({ orderId }) => orderId)),
    );
    expect(stored).toContainEqual(
      expect.objectContaining({ status: 'succeeded', reason: 'no_access', amount_minor: 900 }),
    );
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({ valid_until: START + 365 * DAY });
    expect(await chargesOf(db)).toEqual([]);
    expect(slow.log.filter((line) => line.includes('gave no access'))).toHaveLength(1);
    const dana = await sellerOf(service);
    expect(tableIn(await dana.page(`${COMMUNITY}/sales`), 'Payments').join('\n')).toContain(
      'Monthly | Paid gave no access',
    );
  });

  it('stores a charge without access once, however often its order is charged', async ({
    service,
    slow,
    db,
    payments,
  }) => {
    const path = await openCheckout(service);
    const clicks = [pay(slow.browser(), path), pay(slow.browser(), path)];
    await payments.nth(2);
    await openCheckout(service, { pricingPlanId: plans.lifetime.id });
    const other = pay(slow.browser(), path);
    // A plan for life is paid on the page of its own kind, which this address redirects to.
    expect((await other).status).toBe(303);
    await db.updateTable('checkout_reservations').set({ paid_at: START }).execute();
    for (const charge of payments.charges) charge.resolve(PAID);
    for (const click of clicks) expect((await click).status).toBe(409);
    expect(await paymentsOf(db)).toHaveLength(1);
    expect(slow.log.filter((line) => line.includes('gave no access'))).toHaveLength(1);
  });
});

describe('order whose checkout changed after its form was checked', () => {
  it('is not charged once the checkout is paid', async ({ service, slow, db, payments }) => {
    const path = await openCheckout(service);
    const clicks = [pay(slow.browser(), path), pay(slow.browser(), path)];
    (await payments.nth(2)).resolve(PAID);
    payments.charges[0]?.resolve(PAID);
    for (const click of clicks) expect(locationOf(await click)).toBe(`${path}?paid`);
    expect(await paymentsOf(db)).toHaveLength(1);
    expect(await chargesOf(db)).toEqual([]);
  });
});

describe('product that is being paid for', () => {
  const NEW_PRODUCT = { name: 'Grinder guide', slug: 'grinder-guide', price: '19.00', currency: 'EUR' };

  async function sell(service: ServiceUnderTest) {
    const { id } = await service.server.operator.createProduct({
      ...{ ownerId: users.dana.id, name: NEW_PRODUCT.name, slug: NEW_PRODUCT.slug },
      ...{ priceMinor: 1_900, currency: 'EUR' },
    });
    const ben = await signedIn(service, 'ben@example.com');
    const page = `/products/${id}`;
    const { hidden } = formOf(parsePage(await (await ben.get(page)).text()), `${page}/buy`);
    return { id, path: locationOf(await ben.post(`${page}/buy`, Object.fromEntries(hidden))) };
  }

  async function remove(service: ServiceUnderTest, id: string): Promise<string> {
    const dana = await signedIn(service, 'dana@example.com');
    const path = `/seller/products/${id}`;
    const response = await fillIn(dana, { path, action: `${path}/delete` }, {});
    return response.status === 303 ? locationOf(response) : await response.text();
  }

  it('cannot be deleted until the charge has a result', async ({ service, slow, db, payments }) => {
    const { id, path } = await sell(service);
    const buying = pay(slow.browser(), path);
    const charge = await payments.nth(1);
    expect(await remove(service, id)).toContain('You cannot delete this product');
    charge.resolve(PAID);
    expect(locationOf(await buying)).toBe(`${path}?paid`);
    expect(await paymentsOf(db)).toMatchObject([{ status: 'succeeded', amount_minor: 1_900 }]);
  });

  it('that is deleted all the same leaves an error in the log', async ({ service, slow, db, payments }) => {
    const { id, path } = await sell(service);
    const buying = pay(slow.browser(), path);
    const charge = await payments.nth(1);
    await db.deleteFrom('products').where('id', '=', id).execute();
    charge.resolve(PAID);
    expect((await buying).status).toBe(409);
    expect(slow.log.filter((line) => line.includes('could not be stored'))).toHaveLength(1);
  });

  it('is not charged if it was deleted before', async ({ service, slow, payments }) => {
    const { id, path } = await sell(service);
    expect(await remove(service, id)).toBe('/seller?done=product-deleted');
    expect((await slow.browser().get(path)).status).toBe(404);
    expect(payments.charges).toEqual([]);
  });
});

describe('buyer who proves the typed address during the charge', () => {
  const EMAIL = 'grace@example.com';

  it('gets what was paid at once', async ({ service, slow, db, payments }) => {
    const path = await openCheckout(service, { email: EMAIL });
    const paying = pay(slow.browser(), path);
    const charge = await payments.nth(1);
    await createAccount(service, EMAIL);
    charge.resolve(PAID);
    expect(locationOf(await paying)).toBe(`${path}?paid`);
    expect(await membershipOf(db, EMAIL)).toMatchObject({ valid_until: START + 30 * DAY });
    expect(await chargesOf(db)).toEqual([]);
  });

  it('is told of a declined card', async ({ service, slow, db, payments }) => {
    const paying = pay(slow.browser(), await openCheckout(service, { email: EMAIL }));
    const charge = await payments.nth(1);
    await createAccount(service, EMAIL);
    charge.resolve({ kind: 'declined', reason: 'card_declined' });
    expect(locationOf(await paying)).toContain('?declined=card_declined');
    expect(await paymentsOf(db)).toMatchObject([{ status: 'failed' }]);
  });
});

describe('declined charge', () => {
  it('is no longer marked as started', async ({ service, slow, db, payments }) => {
    const path = await openCheckout(service);
    const paying = pay(slow.browser(), path);
    const charge = await payments.nth(1);
    expect(await chargesOf(db)).toEqual([{ order_id: charge.orderId }]);
    charge.resolve({ kind: 'declined', reason: 'card_declined' });
    expect(locationOf(await paying)).toContain('?declined=card_declined');
    expect(await chargesOf(db)).toEqual([]);
  });

  it('stays marked while another attempt at the order has no result', async ({
    service,
    slow,
    db,
    payments,
  }) => {
    const path = await openCheckout(service);
    const tabs = [pay(slow.browser(), path), pay(slow.browser(), path)];
    await payments.nth(2);
    const [first, second] = payments.charges;
    first?.resolve({ kind: 'declined', reason: 'card_declined' });
    await Promise.race(tabs);
    expect(await chargesOf(db)).toEqual([{ order_id: second?.orderId }]);
    second?.resolve({ kind: 'declined', reason: 'card_declined' });
    await Promise.all(tabs);
    expect(await chargesOf(db)).toEqual([]);
  });
});

describe('result that is neither paid nor declined', () => {
  it('gives no access, and leaves the charge marked as started', async ({ service, slow, db, payments }) => {
    const paying = pay(slow.browser(), await openCheckout(service));
    const charge = await payments.nth(1);
    charge.resolve({ kind: 'requires_action' } as never);
    expect((await paying).status).toBe(503);
    expect(await membershipOf(db, 'ben@example.com')).toBeUndefined();
    expect(await paymentsOf(db)).toEqual([]);
    expect(await chargesOf(db)).toEqual([{ order_id: charge.orderId }]);
    expect(slow.log.join()).toContain('of the payment provider returned');
  });
});
