import { sandboxScenario } from '@latchkey/sandbox';
import { expect } from 'vitest';
import { findCheckout } from '../src/features/checkout/checkouts.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import {
  it as base,
  CART,
  checkoutFields,
  eventTypesOf,
  METHODS,
  membershipOf,
  openCheckout,
  pageAt,
  pay,
  payFor,
} from './checkout-world.js';
import { inlinePayments } from './inline-payments.js';
import { formOf, parsePage, textOf } from './pages/page-document.js';
import { type ServiceUnderTest, startService } from './service-under-test.js';

const { users, community, plans } = sandboxScenario;
const COMMUNITY = `/communities/${community.id}`;
const FOR_LIFE = { pricingPlanId: plans.lifetime.id };
const MINUTE = 60_000;
const SERVER = { sandbox: false, databasePurpose: 'sandbox', mailer: { send: async () => {} } };

/** Payment provider that charges each order once, and each call only after `together` calls have arrived. */
class Charges {
  together = 1;
  readonly orders: string[] = [];
  readonly #waiting: (() => void)[] = [];

  readonly payments = inlinePayments({
    methods: () => [{ id: METHODS.transfer, name: 'Transfer', note: '' }],
    charge: async ({ orderId }) => {
      this.orders.push(orderId);
      if (this.#waiting.length + 1 === this.together) for (const resume of this.#waiting.splice(0)) resume();
      else await new Promise<void>((resume) => this.#waiting.push(resume));
      return { kind: 'paid' };
    },
  });
}

/** `it` with two more processes on the service's database. They take payments a minute after `service` opens checkouts. */
const it = base.extend<{ charges: Charges; processes: [ServiceUnderTest, ServiceUnderTest] }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  charges: async ({}, use) => {
    await use(new Charges());
  },
  processes: async ({ database, service, charges: { payments } }, use) => {
    const { baseUrl } = service;
    const start = () => startService({ ...SERVER, database, baseUrl, payments });
    const processes: [ServiceUnderTest, ServiceUnderTest] = [await start(), await start()];
    for (const { clock } of processes) clock.advance(MINUTE);
    await use(processes);
    for (const { server } of processes) await server.close();
  },
});

const succeeded = (db: Parameters<typeof membershipOf>[0]) =>
  db.selectFrom('payments').select('amount_minor').where('status', '=', 'succeeded').execute();

it('charges two checkouts of an app that are paid at the same moment in two processes once', async ({
  service,
  db,
  processes,
  charges,
}) => {
  const paths = [
    await openCheckout(service, { ...FOR_LIFE, externalId: 'tab-1' }),
    await openCheckout(service, { ...FOR_LIFE, externalId: 'tab-2' }),
  ];
  charges.together = 2;
  const answers = await Promise.all(
    paths.map((path, index) => pay((processes[index] ?? processes[0]).browser(), path, METHODS.transfer)),
  );
  expect(charges.orders).toEqual([charges.orders[0], charges.orders[0]]);
  expect(await succeeded(db)).toEqual([{ amount_minor: 19_900 }]);
  expect((await eventTypesOf(db)).sort()).toEqual(['membership.created', 'payment.success']);

  const ends = answers.map(locationOf);
  const paid = ends.findIndex((end) => end.endsWith('?paid'));
  const other = paths[1 - paid] ?? '';
  expect(ends[paid]).toBe(`${paths[paid]}?paid`);
  expect(answers[1 - paid]?.status).toBe(409);
  // Who isn't signed in as the buyer doesn't learn from the page that the address has the plan.
  expect((await pageAt(processes[0], other)).status).toBe(200);
  expect((await pay(processes[0].browser(), other, METHODS.transfer)).status).toBe(409);
  expect(charges.orders).toHaveLength(2);
});

it('charges two checkouts of the community page that are paid at the same moment once', async ({
  service,
  db,
  processes,
  charges,
}) => {
  const ben = await signedIn(service, 'ben@example.com');
  const buy = async () => {
    const { hidden } = formOf(parsePage(await (await ben.get(COMMUNITY)).text()), `${COMMUNITY}/buy`);
    const form = { ...Object.fromEntries(hidden), account: users.ben.id, plan: plans.lifetime.id };
    return locationOf(await ben.post(`${COMMUNITY}/buy`, form));
  };
  const paths = [await buy(), await buy()];
  charges.together = 2;
  await Promise.all(
    paths.map((path, index) => pay((processes[index] ?? processes[0]).browser(), path, METHODS.transfer)),
  );
  expect(charges.orders).toEqual([charges.orders[0], charges.orders[0]]);
  expect(await succeeded(db)).toHaveLength(1);
});

it('charges nothing in a tab whose page was loaded before the payment in another tab', async ({
  service,
  db,
  processes: [process],
  charges,
}) => {
  const [first, second] = [
    await openCheckout(service, { ...FOR_LIFE, externalId: 'tab-1' }),
    await openCheckout(service, { ...FOR_LIFE, externalId: 'tab-2' }),
  ];
  const tab = process.browser();
  const fields = await checkoutFields(tab, second);
  expect(locationOf(await pay(process.browser(), first, METHODS.transfer))).toBe(`${first}?paid`);
  const answer = await tab.post(`${second}/pay`, { ...fields, method: METHODS.transfer });
  expect(answer.status).toBe(409);
  expect(textOf(parsePage(await answer.text()), 'main')).toContain('Nothing was charged.');
  expect(charges.orders).toHaveLength(1);
  expect(await succeeded(db)).toHaveLength(1);
});

it('leads all clicks on one checkout to its receipt', async ({ service, db, processes, charges }) => {
  const path = await openCheckout(service, FOR_LIFE);
  charges.together = 2;
  const answers = await Promise.all(
    processes.map((process) => pay(process.browser(), path, METHODS.transfer)),
  );
  expect(answers.map(locationOf)).toEqual([`${path}?paid`, `${path}?paid`]);
  expect(await succeeded(db)).toHaveLength(1);
});

it('sells a plan for life after a limited plan, and not once more: it would add nothing', async ({
  service,
  db,
  processes: [process],
  charges,
}) => {
  await payFor(service, { externalId: 'monthly' });
  const upgrade = await openCheckout(service, { ...FOR_LIFE, externalId: 'upgrade' });
  expect(locationOf(await pay(process.browser(), upgrade, METHODS.transfer))).toBe(`${upgrade}?paid`);
  expect(await membershipOf(db, 'ben@example.com')).toMatchObject({
    ...{ pricing_plan_id: plans.monthly.id, valid_until: null, subscription_cancelled_at: null },
  });
  for (const { clock } of [service, process]) clock.advance(2 * MINUTE);
  const again = await openCheckout(service, { ...FOR_LIFE, externalId: 'gift', cancelUrl: CART });
  expect((await pay(process.browser(), again, METHODS.transfer)).status).toBe(409);
  expect(new Set(charges.orders).size).toBe(1);
});

it('never refuses a plan with a period: two checkouts of it are two periods', async ({
  service,
  db,
  processes: [process],
}) => {
  const [first, second] = [
    await openCheckout(service, { externalId: 'tab-1' }),
    await openCheckout(service, { externalId: 'tab-2' }),
  ];
  for (const path of [first, second])
    expect(locationOf(await pay(process.browser(), path, METHODS.transfer))).toBe(`${path}?paid`);
  expect(await succeeded(db)).toHaveLength(2);
});

it('charges the price that the buyer saw if the seller changed it, and stores both payments, the second one without access', async ({
  service,
  db,
  processes: [one, two],
  charges,
}) => {
  const [first, second] = [
    await openCheckout(service, { ...FOR_LIFE, externalId: 'tab-1' }),
    await openCheckout(service, { ...FOR_LIFE, externalId: 'tab-2' }),
  ];
  charges.together = 2;
  const old = pay(one.browser(), first, METHODS.transfer);
  await expect.poll(() => charges.orders.length, { timeout: 20_000 }).toBe(1);
  await db
    .updateTable('pricing_plans')
    .set({ price_minor: 14_900 })
    .where('id', '=', plans.lifetime.id)
    .execute();
  // Both are charged at once, and either can be stored first.
  const answers = [await pay(two.browser(), second, METHODS.transfer), await old];
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  expect(new Set(charges.orders).size).toBe(2);
  expect((await succeeded(db)).map(({ amount_minor }) => amount_minor).sort()).toEqual([14_900, 19_900]);
});

it('has one order for a checkout whose payment has an earlier time than its opening', async ({
  service,
  db,
  processes: [process],
}) => {
  service.clock.advance(5 * MINUTE);
  const path = await openCheckout(service, FOR_LIFE);
  expect(locationOf(await pay(process.browser(), path, METHODS.transfer))).toBe(`${path}?paid`);
  expect(await findCheckout(db, path.split('/').at(-1) ?? '')).toMatchObject({ purchases: 0 });
});
