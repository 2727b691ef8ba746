import { sandboxScenario } from '@latchkey/sandbox';
import { expect } from 'vitest';
import type { OpenCheckout } from '../src/features/checkout/checkout.js';
import { findCheckout } from '../src/features/checkout/checkouts.js';
import { type PayCheckoutResult, payCheckout } from '../src/features/checkout/pay-checkout.js';
import type { Database } from '../src/platform/database/open-database.js';
import { defaultLogger } from '../src/platform/logging/logger.js';
import { signedIn } from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { eventTypesOf, it } from './checkout-world.js';
import { inlinePayments } from './inline-payments.js';
import { formOf, parsePage } from './pages/page-document.js';
import { START } from './service-under-test.js';

const { users, products } = sandboxScenario;
const PRODUCT = `/products/${products.brewGuide.id}`;

it('charges the payments in two open checkouts of a product as one order, and the next purchase as another one', async ({
  service,
  db,
}) => {
  const ben = await signedIn(service, 'ben@example.com');
  const { orders, pay } = payingTogether(db);

  const [first, second] = [await openCheckout(db, ben), await openCheckout(db, ben)];
  expect((await Promise.all([pay(first), pay(second)])).sort()).toEqual(['already-owned', 'settled']);
  expect(orders).toEqual([orders[0], orders[0]]);
  expect(await pay(second)).toBe('already-owned');
  expect(orders).toHaveLength(2);

  const target = { userId: users.ben.id, productId: products.brewGuide.id };
  const { operator } = service.server;
  const { id } = await operator.grantMembership({ ...target, productType: 'digital_product' });
  await operator.end('memberships', id);
  expect(await pay(await openCheckout(db, ben))).toBe('settled');
  expect(new Set(orders).size).toBe(2);
});

it('stores a charge although the seller granted lifetime access meanwhile, so that it can be refunded', async ({
  service,
  db,
}) => {
  const { operator } = service.server;
  const { pay } = payingOn(db, async () => {
    const target = { userId: users.ben.id, productId: products.brewGuide.id };
    await operator.grantMembership({ ...target, productType: 'digital_product' });
  });
  const checkout = await openCheckout(db, await signedIn(service, 'ben@example.com'));
  expect(await pay(checkout)).toBe('settled');
  expect(await charged(db)).toEqual([checkout.offer.amountMinor]);
  expect((await eventTypesOf(db)).filter((type) => type === 'digital.product.purchase')).toHaveLength(1);
  expect(await membershipsOf(db)).toEqual([{ valid_until: null }]);
});

it('stores the charges of two checkouts at different prices', async ({ service, db }) => {
  const ben = await signedIn(service, 'ben@example.com');
  const { orders, pay } = payingTogether(db);
  const first = await openCheckout(db, ben);
  await db
    .updateTable('products')
    .set({ price_minor: first.offer.amountMinor + 100 })
    .where('id', '=', products.brewGuide.id)
    .execute();
  const second = await openCheckout(db, ben);
  expect(await Promise.all([pay(second), pay(first)])).toEqual(['settled', 'settled']);
  expect(new Set(orders).size).toBe(2);
  expect(await charged(db)).toEqual([first.offer.amountMinor, second.offer.amountMinor]);
});

it('gives no access for an order that was stored before the seller ended its access', async ({
  service,
  db,
}) => {
  const ben = await signedIn(service, 'ben@example.com');
  const { pay } = payingOn(db);
  const [first, second] = [await openCheckout(db, ben), await openCheckout(db, ben)];
  expect(await pay(first)).toBe('settled');
  const { id } = await db
    .selectFrom('memberships')
    .select('id')
    .where('product_id', '=', products.brewGuide.id)
    .where('user_id', '=', users.ben.id)
    .executeTakeFirstOrThrow();
  await service.server.operator.end('memberships', id);
  expect(await pay(second)).toBe('already-owned');
  expect(await charged(db)).toHaveLength(1);
  expect(await membershipsOf(db)).toEqual([{ valid_until: expect.any(Number) }]);
});

interface Paying {
  readonly orders: string[];
  readonly pay: (checkout: OpenCheckout) => Promise<PayCheckoutResult['kind']>;
}

/** Pays checkouts, and lists the charged orders. `meanwhile` runs during each charge. */
function payingOn(db: Database, meanwhile = async () => {}): Paying {
  const orders: string[] = [];
  const url = 'https://service.example/checkout/card/secret';
  const payments = inlinePayments({
    charge: async ({ orderId }) => {
      orders.push(orderId);
      await meanwhile();
      return { kind: 'paid' };
    },
  });
  const services = { db, clock: { now: () => START }, payments, logger: defaultLogger };
  const pay = async (checkout: OpenCheckout) =>
    (await payCheckout(services, { checkout, url, method: 'card' })).kind;
  return { orders, pay };
}

/** Like {@link payingOn}, but the first charge ends when the second one has arrived. */
function payingTogether(db: Database) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const paying = payingOn(db, async () => {
    if (paying.orders.length === 2) resolve();
    await promise;
  });
  return paying;
}

/** Amounts of the stored payments for the product, in ascending order. */
async function charged(db: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('payments')
    .select('amount_minor')
    .where('product_id', '=', products.brewGuide.id)
    .where('status', '=', 'succeeded')
    .orderBy('amount_minor')
    .execute();
  return rows.map(({ amount_minor }) => amount_minor);
}

const membershipsOf = (db: Database) =>
  db
    .selectFrom('memberships')
    .select('valid_until')
    .where('user_id', '=', users.ben.id)
    .where('product_id', '=', products.brewGuide.id)
    .execute();

/** Opens a checkout on the product's page, and reads it as a request does. */
async function openCheckout(db: Database, browser: Browser): Promise<OpenCheckout> {
  const { hidden } = formOf(parsePage(await (await browser.get(PRODUCT)).text()), `${PRODUCT}/buy`);
  const path = locationOf(await browser.post(`${PRODUCT}/buy`, Object.fromEntries(hidden)));
  const checkout = await findCheckout(db, path.split('/').at(-1) ?? '');
  if (checkout?.offer === undefined) throw new Error(`${path} is not an open checkout.`);
  return { ...checkout, offer: checkout.offer };
}
