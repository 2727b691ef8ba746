import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { createChargeLookUp } from '../src/features/checkout/look-up-charges.js';
import type { PaymentOrder, PaymentProvider } from '../src/index.js';
import type { Database } from '../src/platform/database/open-database.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import {
  it as base,
  buyersBrowser,
  eventsOf,
  eventTypesOf,
  METHODS,
  membershipOf,
  openCheckout,
  pay,
  SUCCESS_URL,
} from './checkout-world.js';
import { type Charge, type FoundCharge, inlinePayments } from './inline-payments.js';
import { formOf, parsePage, textOf } from './pages/page-document.js';
import { COMMUNITY, sellerOf, tableIn } from './seller-area.js';
import { type ServiceUnderTest, START, startService } from './service-under-test.js';

const { community, plans, products, users } = sandboxScenario;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const BEN = 'ben@example.com';
const GRACE = 'grace@example.com';

const PAID: Charge = { kind: 'paid' };
const DECLINED: Charge = { kind: 'declined', reason: 'card_declined' };
const PENDING: FoundCharge = { kind: 'pending' };

/** Payment provider that stores the results of its orders. */
class Bank {
  /** Results by order id. */
  readonly results = new Map<string, Charge>();
  /** Orders that were looked up. */
  readonly found: PaymentOrder[] = [];
  /** Results of the next charges. The answer of a lost one never arrives. Without any, orders are paid. */
  readonly next: { result: Charge | undefined; isLost: boolean }[] = [];
  /** Replaces the result of a look-up. */
  answer: (() => Promise<FoundCharge>) | undefined;

  readonly provider = inlinePayments({
    methods: () => [METHODS.card, METHODS.declined].map((id) => ({ id, name: id, note: '' })),
    charge: async ({ orderId }) => {
      const { result = this.results.get(orderId), isLost } = this.next.shift() ?? {
        result: PAID,
        isLost: false,
      };
      if (result !== undefined) this.results.set(orderId, result);
      if (isLost || result === undefined) throw new Error('The connection to the bank was lost.');
      return result;
    },
    findCharge: async (order) => {
      this.found.push(order);
      return (await this.answer?.()) ?? this.results.get(order.orderId) ?? { kind: 'none' };
    },
  });

  /** Loses the answer of the next charge. Without a result, the order never arrived. */
  lose(result?: Charge): void {
    this.next.push({ result, isLost: true });
  }
}

/** `it` with a bank, and a process that charges there. */
const it = base.extend<{ bank: Bank; shop: ServiceUnderTest }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  bank: async ({}, use) => {
    await use(new Bank());
  },
  shop: async ({ database, service, bank }, use) => {
    const shop = await startShop(database, service, bank.provider);
    await use(shop);
    await shop.server.close();
  },
});

function startShop(
  database: string,
  { baseUrl }: ServiceUnderTest,
  payments: PaymentProvider,
): Promise<ServiceUnderTest> {
  return startService({
    ...{ sandbox: false, databasePurpose: 'sandbox', mailer: { send: async () => {} } },
    ...{ database, baseUrl, payments, backgroundWork: false, shutdown: { graceMs: 1 } },
  });
}

/** Look-ups of one process. */
function lookingUp(
  { clock }: ServiceUnderTest,
  db: Database,
  {
    payments,
    ...limits
  }: Pick<Parameters<typeof createChargeLookUp>[0], 'payments' | 'limitMs' | 'stoppingGraceMs'>,
) {
  const errors: { fields: Record<string, unknown>; message: string }[] = [];
  const logger = {
    info() {},
    warn() {},
    error: (fields: object, message: string) => void errors.push({ fields: { ...fields }, message }),
  };
  const worker = createChargeLookUp({ db, clock, logger, payments, ...limits });
  const stop = new AbortController();
  return { errors, stop, run: () => worker.runOnce(stop.signal) };
}

const chargesOf = (db: Database) => db.selectFrom('charges').select('order_id').execute();

const paymentsOf = (db: Database, userId: string = users.ben.id) =>
  db
    .selectFrom('payments')
    .select(['status', 'reason', 'amount_minor', 'pricing_plan_id', 'product_id', 'utm_source', 'order_id'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();

/** Pays a checkout whose answer gets lost. */
async function payInVain(shop: ServiceUnderTest, path: string, method?: string): Promise<void> {
  expect((await pay(shop.browser(), path, method)).status).toBe(503);
}

/** Opens a checkout of a product on its page. */
async function openProductCheckout(service: ServiceUnderTest, id: string): Promise<string> {
  const ben = await signedIn(service, BEN);
  const page = `/products/${id}`;
  const { hidden } = formOf(parsePage(await (await ben.get(page)).text()), `${page}/buy`);
  return locationOf(await ben.post(`${page}/buy`, Object.fromEntries(hidden)));
}

describe('paid order without a stored result', () => {
  it('is stored with membership, receipt and events as if its answer had arrived', {
    tags: ['webhook.payment-success', 'webhook.membership-created'],
  }, async ({ service, shop, db, bank }) => {
    const purchase = { utmSource: 'newsletter' };
    bank.lose(PAID);
    await payInVain(shop, await openCheckout(service, { ...purchase, externalId: 'ben' }));
    expect(await membershipOf(db, BEN)).toBeUndefined();
    const other = await openCheckout(service, { ...purchase, externalId: 'grace', email: GRACE });
    service.clock.advance(15 * MINUTE);
    shop.clock.advance(15 * MINUTE);
    await pay(shop.browser(), other);
    const before = await eventsOf(db);
    await shop.server.runBackgroundWork();

    expect(bank.found).toEqual([
      {
        ...{ orderId: [...bank.results.keys()][0], amountMinor: 900, currency: 'EUR' },
        ...{ method: METHODS.card, reference: null, subscription: null, isRenewal: false },
      },
    ]);
    const row = async (email: string) => {
      const { id, user_id, subscription_id, ...rest } = (await membershipOf(db, email)) ?? {};
      expect(subscription_id).toEqual(expect.any(String));
      return { ...rest, isStored: id !== undefined && user_id !== undefined };
    };
    expect(await row(BEN)).toEqual(await row(GRACE));
    expect(await row(BEN)).toMatchObject({ valid_until: START + 15 * MINUTE + 30 * DAY });
    const payments = await db.selectFrom('payments').selectAll().execute();
    const [expected, stored] = [GRACE, BEN].map(async (email) => {
      const { user_id: userId } = (await membershipOf(db, email)) ?? {};
      const { id, reservation_id, user_id, order_id, reference, ...rest } =
        payments.find((payment) => payment.user_id === userId) ?? {};
      expect([id, reservation_id, user_id, order_id, reference]).toEqual(Array(5).fill(expect.any(String)));
      return rest;
    });
    expect(await stored).toEqual(await expected);
    const events = (await eventsOf(db)).slice(0);
    expect(before.map(({ type }) => type)).toEqual(['membership.created', 'payment.success']);
    expect(events.map(({ type }) => type).sort()).toEqual([
      ...['membership.created', 'membership.created', 'payment.success', 'payment.success'],
    ]);
    const mails = await db.selectFrom('mail_outbox').select(['kind', 'status']).execute();
    expect(mails).toEqual(Array(2).fill({ kind: 'receipt', status: expect.any(String) }));
    const methods = await db.selectFrom('subscriptions').select('payment_method').execute();
    expect(methods).toEqual(Array(2).fill({ payment_method: METHODS.card }));
    expect(await chargesOf(db)).toEqual([]);
  });

  it('is stored after the process that charged it has ended', async ({ service, database, db, bank }) => {
    const charging = Promise.withResolvers<void>();
    const first = await startShop(
      database,
      service,
      inlinePayments({
        charge: ({ orderId }) => {
          bank.results.set(orderId, PAID);
          charging.resolve();
          return new Promise<never>(() => undefined);
        },
        methods: bank.provider.methods,
      }),
    );
    const paying = pay(first.browser(), await openCheckout(service)).catch(() => undefined);
    await charging.promise;
    await first.server.close();
    await paying;
    service.clock.advance(15 * MINUTE);
    const { run, errors } = lookingUp(service, db, { payments: bank.provider });
    expect(await run()).toBe(1);
    expect(await membershipOf(db, BEN)).toMatchObject({ pricing_plan_id: plans.monthly.id });
    expect(await run()).toBe(0);
    expect(await paymentsOf(db)).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('is stored once if several processes look at the same time, and the provider is asked once', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    for (const name of ['one', 'two', 'three']) {
      bank.lose(PAID);
      await payInVain(shop, await openCheckout(service, { externalId: name, email: `${name}@example.com` }));
    }
    service.clock.advance(15 * MINUTE);
    const processes = Array.from({ length: 4 }, () => lookingUp(service, db, { payments: bank.provider }));
    const handled = await Promise.all(processes.map(({ run }) => run()));
    expect(handled.reduce((sum, count) => sum + count)).toBe(3);
    expect(bank.found).toHaveLength(3);
    const stored = await db.selectFrom('payments').select('status').execute();
    expect(stored).toEqual(Array(3).fill({ status: 'succeeded' }));
    expect((await eventTypesOf(db)).filter((type) => type === 'payment.success')).toHaveLength(3);
    expect(processes.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('is stored once if the buyer pays again meanwhile, in either order', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    const path = await openCheckout(service);
    bank.lose(PAID);
    await payInVain(shop, path);
    service.clock.advance(15 * MINUTE);
    const { run } = lookingUp(service, db, { payments: bank.provider });
    bank.answer = async () => {
      bank.answer = undefined;
      expect(locationOf(await pay(shop.browser(), path))).toBe(`${path}?paid`);
      return PAID;
    };
    await run();
    expect(await paymentsOf(db)).toHaveLength(1);
    expect(await chargesOf(db)).toEqual([]);
    const page = await shop.browser().get(path);
    expect(page.status).toBe(200);
    expect(await paymentsOf(db)).toHaveLength(1);
  });

  it('gives what was paid for, although the plan was archived and the checkout opened again since', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    bank.lose(PAID);
    await payInVain(shop, await openCheckout(service, { utmSource: 'ad' }));
    await openCheckout(service, { pricingPlanId: plans.lifetime.id, email: GRACE, utmSource: 'mail' });
    await db
      .updateTable('pricing_plans')
      .set({ price_minor: 99_900, archived_at: START })
      .where('id', '=', plans.monthly.id)
      .execute();
    service.clock.advance(15 * MINUTE);
    expect(await lookingUp(service, db, { payments: bank.provider }).run()).toBe(1);
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ pricing_plan_id: plans.monthly.id, valid_until: START + 15 * MINUTE + 30 * DAY },
    });
    expect(await membershipOf(db, GRACE)).toBeUndefined();
    expect(await paymentsOf(db)).toMatchObject([{ amount_minor: 900, utm_source: 'ad', reason: null }]);
  });

  it('gives no access if its checkout was paid with another order, and the seller sees it', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    bank.lose(PAID);
    await payInVain(shop, await openCheckout(service));
    bank.answer = async () => PENDING;
    const other = await openCheckout(service, { pricingPlanId: plans.lifetime.id });
    expect(locationOf(await pay(shop.browser(), other))).toBe(`${other}?paid`);
    bank.answer = undefined;
    service.clock.advance(15 * MINUTE);
    const { run, errors } = lookingUp(service, db, { payments: bank.provider });
    expect(await run()).toBe(1);
    expect((await paymentsOf(db)).map(({ reason }) => reason)).toEqual([null, 'no_access']);
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('gave no access')]);
    const dana = await sellerOf(service);
    expect(tableIn(await dana.page(`${COMMUNITY}/sales`), 'Payments').join('\n')).toContain('gave no access');
  });

  it('for a product gives access to it', async ({ service, shop, db, bank }) => {
    bank.lose(PAID);
    await payInVain(shop, await openProductCheckout(service, products.brewGuide.id));
    service.clock.advance(15 * MINUTE);
    expect(await lookingUp(service, db, { payments: bank.provider }).run()).toBe(1);
    expect(await paymentsOf(db)).toMatchObject([{ status: 'succeeded', product_id: products.brewGuide.id }]);
    expect(await eventTypesOf(db)).toEqual(['digital.product.purchase', 'membership.created']);
  });
});

describe('buyer who starts again after a lost answer', () => {
  const again = (service: ServiceUnderTest) => openCheckout(service, { externalId: 'again' });

  it('is not charged again in another checkout, which tells a stranger nothing', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    bank.lose(PAID);
    await payInVain(shop, await openCheckout(service));
    const stranger = await pay(shop.browser(), await again(service));
    expect(stranger.status).toBe(409);
    expect(textOf(parsePage(await stranger.text()), 'main')).not.toContain('earlier');
    expect(await paymentsOf(db)).toMatchObject([{ status: 'succeeded', reason: null }]);
  });

  it('has the access of the first checkout, and learns that when signed in', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    bank.lose(PAID);
    await payInVain(shop, await openCheckout(service));
    const answer = await pay(await buyersBrowser(service, BEN, shop), await again(service));
    expect(answer.status).toBe(409);
    const $ = parsePage(await answer.text());
    expect(textOf($, 'main')).toContain('An earlier payment was received after all, and gives access now.');
    expect($('.state-icon.good')).toHaveLength(1);
    expect(textOf($, '.message-actions bdi')).toBe(new URL(SUCCESS_URL).host);
    expect(bank.results.size).toBe(1);
    expect(await paymentsOf(db)).toMatchObject([{ status: 'succeeded', reason: null }]);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
    expect(await chargesOf(db)).toEqual([]);
    const path = await again(service);
    expect(locationOf(await pay(shop.browser(), path))).toBe(`${path}?paid`);
    expect(bank.results.size).toBe(2);
  });

  it('is charged if the first payment gave no access', async ({ service, shop, db, bank }) => {
    bank.lose(PAID);
    await payInVain(shop, await openCheckout(service));
    bank.answer = async () => PENDING;
    const { id: pricingPlanId } = await service.server.operator.createPricingPlan({
      ...{ communityId: community.id, name: 'Weekly', priceMinor: 300, currency: 'EUR', periodDays: 7 },
      provider: 'card',
    });
    const other = await openCheckout(service, { pricingPlanId });
    expect(locationOf(await pay(shop.browser(), other))).toBe(`${other}?paid`);
    bank.answer = undefined;
    const path = await again(service);
    expect(locationOf(await pay(shop.browser(), path))).toBe(`${path}?paid`);
    const reasons = (await paymentsOf(db)).map(({ reason }) => reason);
    expect(reasons.toSorted()).toEqual(['no_access', null, null]);
  });

  it('is not charged again for a product whose price has changed', async ({ service, shop, db, bank }) => {
    bank.lose(PAID);
    await payInVain(shop, await openProductCheckout(service, products.brewGuide.id));
    await db.updateTable('products').set({ price_minor: 99_900 }).execute();
    const path = await openProductCheckout(service, products.brewGuide.id);
    const answer = await pay(await buyersBrowser(service, BEN, shop), path);
    expect(answer.status).toBe(409);
    const link = textOf(parsePage(await answer.text()), '.message-actions bdi');
    expect(link).toBe(products.brewGuide.name);
    expect(bank.results.size).toBe(1);
    expect((await paymentsOf(db))[0]?.amount_minor).toBeLessThan(99_900);
    expect(await paymentsOf(db)).toHaveLength(1);
  });

  it.for<[string, () => Promise<FoundCharge>]>([
    ['was not charged', async () => ({ kind: 'none' })],
    ['is pending', async () => PENDING],
    ['cannot be looked up', () => Promise.reject(new Error('unavailable'))],
  ])(
    'is charged if the first order %s, which stays started',
    async ([, answer], { service, shop, db, bank }) => {
      bank.lose();
      await payInVain(shop, await openCheckout(service));
      const started = await chargesOf(db);
      bank.answer = answer;
      const path = await again(service);
      expect(locationOf(await pay(shop.browser(), path))).toBe(`${path}?paid`);
      expect(await chargesOf(db)).toEqual(started);
      expect(await paymentsOf(db)).toHaveLength(1);
    },
  );

  it('is charged while the first charge is under way, and not once it must have crashed', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    const charge = bank.provider.charge.bind(bank.provider);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    bank.provider.charge = async (order) => {
      const result = await charge(order);
      if (bank.results.size === 1) await held;
      return result;
    };
    const first = pay(shop.browser(), await openCheckout(service));
    await expect.poll(() => bank.results.size).toBe(1);
    const path = await again(service);
    expect(locationOf(await pay(shop.browser(), path))).toBe(`${path}?paid`);
    expect(bank.found).toEqual([]);
    for (const { clock } of [service, shop]) clock.advance(MINUTE);
    expect((await pay(shop.browser(), await again(service))).status).toBe(409);
    expect(bank.results.size).toBe(2);
    release();
    expect(locationOf(await first)).toContain('?paid');
    expect(await paymentsOf(db)).toHaveLength(2);
  });

  it('is charged for another product, and another buyer is charged too', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    bank.lose(PAID);
    await payInVain(shop, await openCheckout(service));
    await pay(shop.browser(), await openProductCheckout(service, products.brewGuide.id));
    await pay(shop.browser(), await openCheckout(service, { externalId: 'grace', email: GRACE }));
    expect(bank.found).toEqual([]);
    expect(bank.results.size).toBe(3);
    expect(await paymentsOf(db)).toMatchObject([{ product_id: products.brewGuide.id }]);
  });
});

describe('order that was not paid', () => {
  it('is forgotten if the provider never received it, so that its product can be deleted', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    bank.lose();
    await payInVain(shop, await openProductCheckout(service, products.brewGuide.id));
    service.clock.advance(15 * MINUTE);
    expect(await lookingUp(service, db, { payments: bank.provider }).run()).toBe(1);
    expect(await chargesOf(db)).toEqual([]);
    expect(await paymentsOf(db)).toEqual([]);
    expect(await eventTypesOf(db)).toEqual([]);
  });

  it('is stored as a failed payment with its event', { tags: ['webhook.payment-failed'] }, async ({
    service,
    shop,
    db,
    bank,
  }) => {
    bank.lose(DECLINED);
    await payInVain(shop, await openCheckout(service));
    service.clock.advance(15 * MINUTE);
    expect(await lookingUp(service, db, { payments: bank.provider }).run()).toBe(1);
    expect(await paymentsOf(db)).toMatchObject([{ status: 'failed', reason: 'card_declined' }]);
    expect(await eventTypesOf(db)).toEqual(['payment.failed']);
    expect(await chargesOf(db)).toEqual([]);
  });

  it('is looked up again while its result is pending, after 15 and 30 minutes and then every hour', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    bank.lose(PAID);
    await payInVain(shop, await openCheckout(service));
    bank.answer = async () => PENDING;
    const { run, errors } = lookingUp(service, db, { payments: bank.provider });
    const asked: number[] = [];
    for (let minute = 0; minute < 4 * 60; minute += 5) {
      service.clock.set(START + minute * MINUTE);
      const before = bank.found.length;
      expect(await run()).toBe(0);
      if (bank.found.length > before) asked.push(minute);
    }
    expect(asked).toEqual([15, 30, 60, 120, 180]);
    bank.answer = undefined;
    service.clock.set(START + 240 * MINUTE);
    expect(await run()).toBe(1);
    expect(await paymentsOf(db)).toMatchObject([{ status: 'succeeded' }]);
    expect(errors).toEqual([]);
  });
});

describe('second attempt at an order', () => {
  it('puts off the look-up of the first one', async ({ service, shop, db, bank }) => {
    const path = await openCheckout(service);
    bank.lose();
    await payInVain(shop, path);
    for (const { clock } of [service, shop]) clock.advance(14 * MINUTE);
    bank.lose(PAID);
    await payInVain(shop, path);
    service.clock.advance(MINUTE);
    const { run } = lookingUp(service, db, { payments: bank.provider });
    expect(await run()).toBe(0);
    expect(bank.found).toEqual([]);
    service.clock.advance(14 * MINUTE);
    expect(await run()).toBe(1);
    expect(await paymentsOf(db)).toMatchObject([{ status: 'succeeded' }]);
  });

  it('that is paid, and whose answer is lost, is stored although the first one was declined meanwhile', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    const path = await openCheckout(service);
    const declined = Promise.withResolvers<Charge>();
    const charge = bank.provider.charge.bind(bank.provider);
    let calls = 0;
    bank.provider.charge = (order) => (calls++ === 0 ? declined.promise : charge(order));
    const first = pay(shop.browser(), path, METHODS.declined);
    await expect.poll(() => calls).toBe(1);
    bank.lose(PAID);
    await payInVain(shop, path);
    declined.resolve(DECLINED);
    expect(locationOf(await first)).toContain('?declined=card_declined');
    expect(await chargesOf(db)).toHaveLength(1);
    service.clock.advance(15 * MINUTE);
    expect(await lookingUp(service, db, { payments: bank.provider }).run()).toBe(1);
    expect((await paymentsOf(db)).map(({ status }) => status).sort()).toEqual(['failed', 'succeeded']);
    expect(await membershipOf(db, BEN)).toMatchObject({ pricing_plan_id: plans.monthly.id });
    const [subscription] = await db.selectFrom('subscriptions').select('payment_method').execute();
    expect(subscription).toEqual({ payment_method: METHODS.card });
  });

  it('that was declined and stored is not stored again for the first one', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    const path = await openCheckout(service);
    bank.lose();
    await payInVain(shop, path);
    for (const { clock } of [service, shop]) clock.advance(MINUTE);
    bank.next.push({ result: DECLINED, isLost: false });
    expect(locationOf(await pay(shop.browser(), path))).toContain('?declined');
    service.clock.advance(15 * MINUTE);
    expect(await lookingUp(service, db, { payments: bank.provider }).run()).toBe(1);
    expect(await paymentsOf(db)).toHaveLength(1);
    expect(await eventTypesOf(db)).toEqual(['payment.failed']);
    expect(await chargesOf(db)).toEqual([]);
  });

  it('during a look-up keeps the order started', async ({ service, shop, db, bank }) => {
    const path = await openCheckout(service);
    bank.lose();
    await payInVain(shop, path);
    for (const { clock } of [service, shop]) clock.advance(15 * MINUTE);
    const { run } = lookingUp(service, db, { payments: bank.provider });
    bank.answer = async () => {
      bank.answer = undefined;
      bank.lose(PAID);
      await payInVain(shop, path);
      return { kind: 'none' };
    };
    expect(await run()).toBe(0);
    expect(await chargesOf(db)).toHaveLength(1);
    service.clock.advance(15 * MINUTE);
    expect(await run()).toBe(1);
    expect(await paymentsOf(db)).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('look-up', () => {
  it('that hangs or fails is logged, and repeated later', async ({ service, shop, db, bank }) => {
    bank.lose(PAID);
    await payInVain(shop, await openCheckout(service));
    service.clock.advance(15 * MINUTE);
    const { run, errors } = lookingUp(service, db, { payments: bank.provider, limitMs: 1 });
    bank.answer = () => new Promise(() => undefined);
    expect(await run()).toBe(0);
    expect(String(errors[0]?.fields.error)).toContain('time limit');
    service.clock.advance(15 * MINUTE);
    bank.answer = async () => {
      throw new Error('unavailable');
    };
    expect(await run()).toBe(0);
    expect(String(errors[1]?.fields.error)).toContain('unavailable');
    service.clock.advance(60 * MINUTE);
    bank.answer = async () => ({ kind: 'refunded' }) as never;
    const { run: patient, errors: odd } = lookingUp(service, db, { payments: bank.provider });
    expect(await patient()).toBe(0);
    expect(String(odd[0]?.fields.error)).toContain(
      '"find" of the payment provider returned {"kind":"refunded"}',
    );
    bank.answer = undefined;
    service.clock.advance(60 * MINUTE);
    expect(await patient()).toBe(1);
    expect(await paymentsOf(db)).toHaveLength(1);
  });

  it('of an order is not put off by a process whose clock was twelve hours ahead', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    shop.clock.advance(DAY / 2);
    bank.lose(PAID);
    await payInVain(shop, await openCheckout(service));
    bank.answer = async () => PENDING;
    const { run } = lookingUp(service, db, { payments: bank.provider });
    expect(await run()).toBe(0);
    expect(await run()).toBe(0);
    expect(bank.found).toHaveLength(1);
    bank.answer = undefined;
    service.clock.advance(15 * MINUTE);
    expect(await run()).toBe(1);
    expect(await membershipOf(db, BEN)).toMatchObject({ pricing_plan_id: plans.monthly.id });
  });

  it('holds the worker no longer than the grace period after the process stops', async ({
    service,
    shop,
    db,
    bank,
  }) => {
    bank.lose(PAID);
    await payInVain(shop, await openCheckout(service));
    service.clock.advance(15 * MINUTE);
    bank.answer = () => new Promise(() => undefined);
    const { run, stop, errors } = lookingUp(service, db, { payments: bank.provider, stoppingGraceMs: 1 });
    const running = run();
    await expect.poll(() => bank.found.length).toBe(1);
    stop.abort();
    expect(await running).toBe(0);
    expect(errors).toEqual([]);
    expect(await chargesOf(db)).toHaveLength(1);
  });
});
