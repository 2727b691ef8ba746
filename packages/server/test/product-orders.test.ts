import { sandboxScenario } from '@latchkey/sandbox';
import { expect } from 'vitest';
import type { OpenCheckout } from '../src/domain/checkout/checkout.js';
import { findCheckout } from '../src/domain/checkout/find-checkout.js';
import { payCheckout } from '../src/domain/checkout/pay-checkout.js';
import type { PaymentProvider } from '../src/index.js';
import type { Database } from '../src/platform/database/open-database.js';
import { signedIn } from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { it } from './checkout-world.js';
import { formOf, parsePage } from './pages/page-document.js';
import { START } from './service-under-test.js';

const { users, products } = sandboxScenario;
const PRODUCT = `/products/${products.brewGuide.id}`;

it('charges the payments in two open checkouts of a product as one order, and the next purchase as another one', async ({
  service,
  db,
}) => {
  const ben = await signedIn(service, 'ben@example.com');
  const orders: string[] = [];
  const payments = {
    charge: async ({ orderId }) => {
      orders.push(orderId);
      return { kind: 'paid' };
    },
  } as PaymentProvider;
  const pay = async (checkout: OpenCheckout) =>
    (await payCheckout(db, { checkout, method: 'card', payments }, () => START)).kind;

  const [first, second] = [await openCheckout(db, ben), await openCheckout(db, ben)];
  expect([await pay(first), await pay(second)]).toEqual(['settled', 'already-owned']);
  expect(orders).toEqual([orders[0], orders[0]]);

  const target = { userId: users.ben.id, productId: products.brewGuide.id };
  const { operator } = service.server;
  const { id } = await operator.grantMembership({ ...target, productType: 'digital_product' });
  await operator.endMembership(id);
  expect(await pay(await openCheckout(db, ben))).toBe('settled');
  expect(new Set(orders).size).toBe(2);
});

/** Opens a checkout on the product's page, and reads it as a request does. */
async function openCheckout(db: Database, browser: Browser): Promise<OpenCheckout> {
  const { hidden } = formOf(parsePage(await (await browser.get(PRODUCT)).text()), `${PRODUCT}/buy`);
  const path = locationOf(await browser.post(`${PRODUCT}/buy`, Object.fromEntries(hidden)));
  const checkout = await findCheckout(db, path.split('/').at(-1) ?? '');
  if (checkout?.offer === undefined) throw new Error(`${path} is not an open checkout.`);
  return { ...checkout, offer: checkout.offer };
}
