import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import type { Database } from '../src/platform/database/open-database.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import {
  it as base,
  CART,
  callBuyPlan,
  eventTypesOf,
  membershipOf,
  openCheckout,
  pay,
  payFor,
} from './checkout-world.js';
import { Tollgate } from './hosted-provider.js';
import { parsePage, textOf } from './pages/page-document.js';
import { COMMUNITY, sellerOf, tableIn } from './seller-area.js';
import { type ServiceUnderTest, START, startService } from './service-under-test.js';

const { community, plans } = sandboxScenario;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const BEN = 'ben@example.com';

/** `it` with a payment provider, and a process that sells through it. */
const it = base.extend<{ tollgate: Tollgate; shop: ServiceUnderTest; world: Sale }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  tollgate: async ({}, use) => {
    const tollgate = await Tollgate.start();
    await use(tollgate);
    await tollgate.close();
  },
  shop: async ({ database, service: { baseUrl }, tollgate }, use) => {
    const shop = await startService({
      ...{
        sandbox: false,
        databasePurpose: 'sandbox',
        mailer: { send: async ({ to, code = '' }) => void CODES.set(to, code) },
      },
      ...{ database, baseUrl, payments: tollgate.payments(), backgroundWork: false },
    });
    await use(shop);
    await shop.server.close();
  },
  world: async ({ service, shop, db, tollgate }, use) => await use({ service, shop, db, tollgate }),
});

const paymentsOf = (db: Database) =>
  db
    .selectFrom('payments')
    .select(['status', 'reason', 'amount_minor', 'provider', 'reference', 'refunded_minor', 'dispute'])
    .orderBy('created_at')
    .execute();
const outcomesOf = async (db: Database) =>
  (await db.selectFrom('provider_events').select(['kind', 'outcome']).orderBy('created_at').execute()).map(
    ({ kind, outcome }) => `${kind}: ${outcome}`,
  );
const PAID = expect.objectContaining({
  status: 'succeeded',
  reason: null,
  provider: 'tollgate',
  amount_minor: 900,
});

interface Sale {
  service: ServiceUnderTest;
  shop: ServiceUnderTest;
  db: Database;
  tollgate: Tollgate;
}

/** Signs a seller in to the shop by the mailed code. */
async function sellerIn(shop: ServiceUnderTest, email = 'dana@example.com') {
  const browser = shop.browser();
  await browser.post('/sign-in/code', { email });
  await browser.post('/sign-in/verify', { code: CODES.get(email) ?? '' });
  return await sellerOf({ ...shop, browser: () => browser }, email);
}

/** Newest sign-in codes that the shop has mailed, by address. */
const CODES = new Map<string, string>();

/** Opens a checkout page and presses "Pay". The buyer is then on the provider's page. */
async function goToProvider(
  { service, shop }: { service: ServiceUnderTest; shop: ServiceUnderTest },
  changes: Record<string, unknown> = {},
) {
  const path = await openCheckout(service, changes);
  const browser = shop.browser();
  const answer = await pay(browser, path);
  return { path, browser, answer };
}

describe('payment on a page of the provider', () => {
  it('leads there by a page, and gives access once the webhook arrives', {
    tags: ['webhook.payment-success'],
  }, async ({ service, shop, db, tollgate }) => {
    const { path, browser, answer } = await goToProvider({ service, shop });
    const session = tollgate.sessions.get(tollgate.lastOrder);
    const page = parsePage(await answer.text());
    expect(page('main a').attr('href')).toBe(`${tollgate.url}/pay/${session?.id}`);
    expect(page('meta[http-equiv="refresh"]').attr('content')).toContain(session?.id);
    expect(session?.start).toMatchObject({
      ...{
        amountMinor: 900,
        currency: 'EUR',
        kind: 'card',
        buyerEmail: BEN,
        renews: { periodDays: 30 },
        method: null,
      },
      ...{ returnUrl: `${shop.baseUrl}${path}?returned`, cancelUrl: `${shop.baseUrl}${path}?cancelled` },
    });
    expect(await membershipOf(db, BEN)).toBeUndefined();

    tollgate.pay();
    expect((await tollgate.deliver(shop)).status).toBe(200);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
    expect(await paymentsOf(db)).toEqual([PAID]);
    expect(await eventTypesOf(db)).toEqual(['membership.created', 'payment.success']);
    expect(await outcomesOf(db)).toEqual(['paid: applied']);
    const receipt = parsePage(await (await browser.get(`${path}?returned`)).text());
    expect(textOf(receipt, 'h1')).toBe('Payment complete');
    expect(textOf(receipt, '.receipt')).toContain('€9.00');
    expect(await db.selectFrom('charges').selectAll().execute()).toEqual([]);
  });

  it('names plan and seller to the provider, whose receipts go to typed addresses, unless they contain a number or an address', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    const described = async (externalId: string) => {
      await goToProvider({ service, shop }, { externalId });
      return tollgate.sessions.get(tollgate.lastOrder)?.start.description;
    };
    expect(await described('order-1')).toBe(`Monthly (${community.name})`);
    await db.updateTable('communities').set({ name: 'Locked? Call 0800-555-0199' }).execute();
    expect(await described('order-2')).toBe('Monthly');
    await db.updateTable('pricing_plans').set({ name: 'Unlock at evil.example' }).execute();
    expect(await described('order-3')).toBe('A plan');
  });

  it('waits on the return page before the webhook, which the provider has confirmed meanwhile', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    const { path, browser } = await goToProvider({ service, shop });
    const waiting = parsePage(await (await browser.get(`${path}?returned`)).text());
    expect(textOf(waiting, 'h1')).toBe('Waiting for the confirmation');
    expect(waiting('meta[http-equiv="refresh"]').attr('content')).toBe(
      `2;url=${shop.baseUrl}${path}?returned=1`,
    );
    tollgate.pay();
    // The provider was asked just now.
    expect(textOf(parsePage(await (await browser.get(`${path}?returned=1`)).text()), 'h1')).toContain(
      'Waiting',
    );
    shop.clock.advance(3_000);
    const receipt = parsePage(await (await browser.get(`${path}?returned=2`)).text());
    expect(textOf(receipt, 'h1')).toBe('Payment complete');
    expect(await tollgate.deliver(shop)).toMatchObject({ status: 200 });
    expect(await paymentsOf(db)).toEqual([PAID]);
    expect(await outcomesOf(db)).toEqual(['paid: no-change']);
    expect(await eventTypesOf(db)).toEqual(['membership.created', 'payment.success']);
  });

  it('is found by the look-up if the webhook is lost and the buyer does not return', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await goToProvider({ service, shop });
    tollgate.pay();
    shop.clock.advance(15 * MINUTE);
    await shop.server.runBackgroundWork();
    expect(await paymentsOf(db)).toEqual([PAID]);
    await tollgate.deliver(shop);
    expect(await paymentsOf(db)).toEqual([PAID]);
  });

  it('is stored once for webhooks, a return and a look-up at the same time', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    const { path, browser } = await goToProvider({ service, shop });
    const event = tollgate.pay();
    shop.clock.advance(15 * MINUTE);
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => tollgate.deliver(shop, [event, event])),
      browser.get(`${path}?returned`),
      browser.get(`${path}?returned`),
      shop.server.runBackgroundWork(),
    ]);
    for (const answer of answers) if (answer !== undefined) expect(answer.status).toBe(200);
    expect(await paymentsOf(db)).toEqual([PAID]);
    expect((await eventTypesOf(db)).sort()).toEqual(['membership.created', 'payment.success']);
    expect(await outcomesOf(db)).toHaveLength(1);
    expect(await db.selectFrom('mail_outbox').select('kind').execute()).toEqual([{ kind: 'receipt' }]);
  });

  it('can be given up, and started again in the same session', async ({ service, shop, db, tollgate }) => {
    const { path, browser } = await goToProvider({ service, shop });
    const page = parsePage(await (await browser.get(`${path}?cancelled`)).text());
    expect(textOf(page, '.notice')).toContain('You came back without paying');
    const first = tollgate.sessions.get(tollgate.lastOrder)?.id;
    await pay(browser, path);
    expect(tollgate.sessions.get(tollgate.lastOrder)?.id).toBe(first);
    expect(tollgate.sessions.size).toBe(1);
    expect(await paymentsOf(db)).toEqual([]);
  });

  it('that expires stores nothing, and can be paid in a new session, whichever event arrives first', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    const { path, browser } = await goToProvider({ service, shop });
    const expired = tollgate.expire();
    await tollgate.deliver(shop, [expired]);
    const page = parsePage(await (await browser.get(`${path}?returned`)).text());
    expect(textOf(page, '.notice')).toContain('We have no payment for this order');
    await pay(browser, path);
    // The first one is sent again, with another id.
    await tollgate.deliver(shop, [{ ...expired, id: 'again' }]);
    expect(await outcomesOf(db)).toEqual(['expired: applied', 'expired: no-change']);
    tollgate.pay();
    await tollgate.deliver(shop);
    expect(await paymentsOf(db)).toEqual([PAID]);
  });

  it('that is paid although the session was reported as expired is stored', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await goToProvider({ service, shop });
    const expired = tollgate.expire();
    await tollgate.deliver(shop, [expired]);
    tollgate.events.length = 0;
    tollgate.pay();
    await tollgate.deliver(shop);
    expect(await paymentsOf(db)).toEqual([PAID]);
  });

  it('stores declined attempts as failed payments, ten at most, and the paid one', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await goToProvider({ service, shop });
    for (let attempt = 0; attempt < 12; attempt += 1) tollgate.decline('insufficient_funds');
    tollgate.pay();
    await tollgate.deliver(shop);
    const stored = await paymentsOf(db);
    expect(stored.filter(({ reason }) => reason === 'insufficient_funds')).toHaveLength(10);
    expect(stored.filter(({ status }) => status === 'succeeded')).toEqual([PAID]);
  });

  it('says so if the provider is down, charges nothing, and works again later', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    tollgate.isDown = true;
    const { path, browser, answer } = await goToProvider({ service, shop });
    expect(answer.status).toBe(503);
    const page = parsePage(await answer.text());
    expect(textOf(page, 'h1')).toBe('The payment provider does not answer');
    expect(page('main a').attr('href')).toBe(CART);
    expect(shop.log.join()).toContain('Tollgate answered 503');
    tollgate.isDown = false;
    await pay(browser, path);
    tollgate.pay();
    tollgate.isDown = true;
    shop.clock.advance(MINUTE);
    const waiting = parsePage(await (await browser.get(`${path}?returned`)).text());
    expect(textOf(waiting, 'h1')).toBe('Waiting for the confirmation');
    await tollgate.deliver(shop);
    expect(await paymentsOf(db)).toEqual([PAID]);
  });
});

describe('buy-plan', () => {
  it("returns the provider's own page, which leads back to the shop", {
    tags: ['buy-plan.result-checkout-url'],
  }, async ({ shop, db, tollgate }) => {
    const { status, body } = await callBuyPlan(shop);
    expect(status).toBe(201);
    const session = tollgate.sessions.get(tollgate.lastOrder);
    expect(body).toMatchObject({
      success: true,
      data: { checkoutUrl: `${tollgate.url}/pay/${session?.id}` },
    });
    expect(session?.start.cancelUrl).toBe(CART);
    const path = new URL(session?.start.returnUrl ?? '').pathname;
    tollgate.pay();
    await tollgate.deliver(shop);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
    // Whoever has the link may not be the buyer, so the browser does not leave by itself.
    const page = parsePage(await (await shop.browser().get(`${path}?returned`)).text());
    expect(textOf(page, 'h1')).toBe('Payment complete');
    expect(page('meta[http-equiv="refresh"]')).toHaveLength(0);
    expect(page('main a').attr('href')).toBe('https://shop.example/thanks?order=7');
  });

  it('returns our page if the provider is down', async ({ shop, tollgate }) => {
    tollgate.isDown = true;
    const { body } = await callBuyPlan(shop);
    expect(body).toMatchObject({
      data: { checkoutUrl: expect.stringContaining(`${shop.baseUrl}/checkout/card/`) },
    });
  });
});

describe('webhook of the provider', () => {
  it('is rejected without a valid signature, and then changes nothing', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await goToProvider({ service, shop });
    const forged = { ...tollgate.pay(), id: 'forged' };
    tollgate.events.length = 0;
    for (const changes of [{ secret: 'guessed' }, { signedAt: Date.now() - 10 * MINUTE }]) {
      const answer = await tollgate.deliver(shop, [forged], changes);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toContain('json');
    }
    const unsigned = await shop.request('/payments/tollgate/webhook', { method: 'POST', body: '[]' });
    expect(unsigned.status).toBe(400);
    expect((await shop.request('/payments/tollgate/webhook')).status).toBe(405);
    expect((await tollgate.deliver(shop, [forged], { name: 'other' })).status).toBe(404);
    const large = await shop.request('/payments/tollgate/webhook', {
      method: 'POST',
      body: 'x'.repeat(1_100_000),
    });
    expect(large.status).toBe(413);
    expect(await paymentsOf(db)).toEqual([]);
    expect(await outcomesOf(db)).toEqual([]);
  });

  it('answers 5xx if an event cannot be stored, and stores it when it is sent again', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await goToProvider({ service, shop });
    tollgate.pay();
    const refund = tollgate.refundPart(300);
    tollgate.events.length = 0;
    // The payment is not stored yet, and the provider cannot be asked for it.
    tollgate.isDown = true;
    expect((await tollgate.deliver(shop, [refund])).status).toBe(500);
    expect(await outcomesOf(db)).toEqual([]);
    tollgate.isDown = false;
    expect((await tollgate.deliver(shop, [refund])).status).toBe(200);
    expect(await paymentsOf(db)).toMatchObject([{ status: 'succeeded', refunded_minor: 300 }]);
  });

  it.for([
    ['amount', { amountMinor: 1 }],
    ['currency', { currency: 'JPY' }],
  ] as const)(
    'gives no access for another %s, however the order is settled',
    async ([, price], { service, shop, db, tollgate }) => {
      const { path, browser } = await goToProvider({ service, shop });
      tollgate.pay(undefined, price);
      await tollgate.deliver(shop);
      expect(await outcomesOf(db)).toEqual(['paid: other-price']);
      shop.clock.advance(15 * MINUTE);
      await browser.get(`${path}?returned`);
      await shop.server.runBackgroundWork();
      expect((await pay(browser, path)).status).toBe(409);
      expect(await membershipOf(db, BEN)).toBeUndefined();
      expect(await paymentsOf(db)).toMatchObject([{ status: 'succeeded', reason: 'no_access' }]);
      expect(await eventTypesOf(db)).toEqual([]);
      expect(shop.log.filter((line) => line.includes('another price'))).toHaveLength(1);
    },
  );

  it('ignores events of the live mode, of unknown orders, and about other payments', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await goToProvider({ service, shop });
    const paid = tollgate.pay();
    tollgate.events.length = 0;
    await tollgate.deliver(shop, [
      { ...paid, id: 'live', mode: 'live' },
      { ...paid, id: 'foreign', orderId: 'of another shop' },
    ]);
    expect(await paymentsOf(db)).toEqual([]);
    await tollgate.deliver(shop, [paid]);
    const refund = tollgate.refundPart(900);
    await tollgate.deliver(shop, [{ ...refund, orderId: 'of another shop', reference: 'of another shop' }]);
    // It may be about a renewal whose own event is late, so the provider has to send it again.
    const early = [{ ...refund, id: 'early', reference: 'payment_of_another_order' }];
    expect((await tollgate.deliver(shop, early)).status).toBe(500);
    expect(await outcomesOf(db)).toEqual(
      expect.arrayContaining(['paid: other-mode', 'paid: unknown', 'paid: applied', 'refunded: unknown']),
    );
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
  });

  it('stores and refunds a second payment of an order, once', async ({ service, shop, db, tollgate }) => {
    await goToProvider({ service, shop });
    const first = { ...tollgate.pay(), subscription: 'subscription of the first' };
    const second = tollgate.pay();
    tollgate.events.length = 0;
    await tollgate.deliver(shop, [second]);
    await tollgate.deliver(shop, [first]);
    await tollgate.deliver(
      shop,
      [second, first].map((event) => ({ ...event, id: `${event.id}-again` })),
    );
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
    expect(shop.log.filter((line) => line.includes('paid twice'))).toHaveLength(1);
    // The provider is down, and then answers twice.
    tollgate.isDown = true;
    await shop.server.runBackgroundWork();
    tollgate.isDown = false;
    for (let run = 0; run < 2; run += 1) {
      shop.clock.advance(2 * MINUTE);
      await shop.server.runBackgroundWork();
    }
    expect([...tollgate.refunds.values()]).toEqual([{ amountMinor: 900, status: 'refunded' }]);
    expect(await paymentsOf(db)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ reference: second.reference, reason: null, refunded_minor: 0 }),
        expect.objectContaining({ reference: first.reference, reason: 'no_access', refunded_minor: 900 }),
      ]),
    );
    expect(tollgate.endedSubscriptions).toEqual(['subscription of the first']);
    expect(await membershipOf(db, BEN)).toMatchObject({ subscription_cancelled_at: null });
    const { id } = await db
      .selectFrom('payments')
      .select('id')
      .where('reason', '=', 'no_access')
      .executeTakeFirstOrThrow();
    const owner = await sellerIn(shop);
    const page = await owner.page(`${COMMUNITY}/sales/${id}`);
    expect(textOf(page, '#refunds')).toContain('automatic, since the payment gave no access');
    expect(textOf(page, '#refund')).toContain('The whole payment was refunded.');
    const mails = await db.selectFrom('mail_outbox').select('kind').orderBy('kind').execute();
    expect(mails.map(({ kind }) => kind)).toEqual(['receipt', 'refunded']);
  });

  it('leaves a second payment to the seller if the provider refuses its refund, and to the bank if it is disputed', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await goToProvider({ service, shop });
    const events = [tollgate.pay(), tollgate.pay(), tollgate.pay()];
    await tollgate.deliver(shop);
    const [, refused, disputed] = events;
    await tollgate.deliver(shop, [
      { ...events[0], id: 'dispute', kind: 'dispute-opened', reference: disputed?.reference ?? '' } as never,
    ]);
    tollgate.refundStatus = 'failed';
    await shop.server.runBackgroundWork();
    expect(shop.log.filter((line) => line.includes('refund it'))).toHaveLength(1);
    const { id } = await db
      .selectFrom('payments')
      .select('id')
      .where('reference', '=', refused?.reference ?? '')
      .executeTakeFirstOrThrow();
    const owner = await sellerIn(shop);
    const path = `${COMMUNITY}/sales/${id}`;
    expect(textOf(await owner.page(path), '#refunds')).toContain('The card was closed.');
    tollgate.refundStatus = 'refunded';
    await owner.submit(`${path}/refund`, { submission: randomUUID(), amount: '9.00' });
    expect(tollgate.refunds.size).toBe(1);
  });
});

describe('refund or dispute at the provider', () => {
  /** Ben's paid membership. */
  async function paid({
    service,
    shop,
    tollgate,
  }: {
    service: ServiceUnderTest;
    shop: ServiceUnderTest;
    tollgate: Tollgate;
  }) {
    const visit = await goToProvider({ service, shop });
    tollgate.pay();
    await tollgate.deliver(shop);
    return visit;
  }

  it('ends access with its event in the transaction of the webhook, once the whole payment went back', {
    tags: ['webhook.membership-updated'],
  }, async ({ service, shop, db, tollgate }) => {
    await paid({ service, shop, tollgate });
    tollgate.refundPart(400);
    await tollgate.deliver(shop);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
    tollgate.refundPart(500);
    shop.clock.advance(MINUTE);
    await tollgate.deliver(shop);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + MINUTE });
    expect(await eventTypesOf(db)).toEqual(['membership.created', 'payment.success', 'membership.updated']);
    expect(await paymentsOf(db)).toMatchObject([{ refunded_minor: 900 }]);
    const mails = await db.selectFrom('mail_outbox').select('kind').orderBy('created_at').execute();
    expect(mails.map(({ kind }) => kind).sort()).toEqual(['receipt', 'refunded', 'refunded']);
    await shop.server.runBackgroundWork();
    expect(tollgate.endedSubscriptions).toEqual([tollgate.sessions.get(tollgate.lastOrder)?.subscription]);
    await shop.server.runBackgroundWork();
    expect(tollgate.endedSubscriptions).toHaveLength(1);
  });

  it.for([
    ['whole, part', [1, 0]],
    ['part, whole', [0, 1]],
  ] as const)('has the same result in the order %s', async ([, order], { service, shop, db, tollgate }) => {
    await paid({ service, shop, tollgate });
    const events = [tollgate.refundPart(400), tollgate.refundPart(500)];
    for (const index of order) await tollgate.deliver(shop, [events[index] ?? tollgate.refundPart(0)]);
    expect(await paymentsOf(db)).toMatchObject([{ refunded_minor: 900 }]);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START });
  });

  it('keeps access while a dispute is open or after it was won, and ends it when the dispute is lost', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await paid({ service, shop, tollgate });
    const [opened, won] = [tollgate.dispute('open'), tollgate.dispute('won')];
    await tollgate.deliver(shop, [won]);
    await tollgate.deliver(shop, [opened]);
    expect(await paymentsOf(db)).toMatchObject([{ dispute: 'won' }]);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
    const [again, lost] = [tollgate.dispute('open'), tollgate.dispute('lost')];
    await tollgate.deliver(shop, [lost]);
    await tollgate.deliver(shop, [again]);
    expect(await paymentsOf(db)).toMatchObject([{ dispute: 'lost' }]);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START });
    const audited = db.selectFrom('audit_entries').select('id').where('action', '=', 'payment.dispute');
    expect((await audited.execute()).length).toBeGreaterThanOrEqual(2);
  });

  it('is found within a day if its webhook is lost, for 120 days', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await paid({ service, shop, tollgate });
    const order = tollgate.lastOrder;
    const asked = () => tollgate.requests.filter((path) => path.startsWith('GET /orders/')).length;
    tollgate.dispute('open');
    tollgate.refundPart(400);
    tollgate.events.length = 0;
    shop.clock.advance(DAY - MINUTE);
    await shop.server.runBackgroundWork();
    expect(asked()).toBe(0);
    shop.clock.advance(MINUTE);
    await shop.server.runBackgroundWork();
    await shop.server.runBackgroundWork();
    expect(asked()).toBe(1);
    expect(await paymentsOf(db)).toMatchObject([{ refunded_minor: 400, dispute: 'open' }]);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
    tollgate.dispute('lost', order);
    tollgate.events.length = 0;
    tollgate.isDown = true;
    shop.clock.advance(DAY);
    await shop.server.runBackgroundWork();
    tollgate.isDown = false;
    shop.clock.advance(DAY);
    await shop.server.runBackgroundWork();
    expect(await paymentsOf(db)).toMatchObject([{ refunded_minor: 400, dispute: 'lost' }]);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 3 * DAY });
    await db
      .updateTable('payments')
      .set({ created_at: START - 118 * DAY })
      .execute();
    shop.clock.advance(DAY);
    await shop.server.runBackgroundWork();
    expect(await db.selectFrom('payments').select('look_up_at').execute()).toEqual([{ look_up_at: null }]);
  });

  it('is found with a payment that was never reported', async ({ service, shop, db, tollgate }) => {
    await goToProvider({ service, shop });
    tollgate.pay();
    tollgate.refundPart(900);
    tollgate.events.length = 0;
    shop.clock.advance(15 * MINUTE);
    await shop.server.runBackgroundWork();
    expect(await paymentsOf(db)).toMatchObject([{ status: 'succeeded', refunded_minor: 900 }]);
    const { valid_until } = (await membershipOf(db, BEN)) ?? {};
    expect(valid_until).toBeLessThanOrEqual(shop.clock.now());
  });
});

describe('buyer', () => {
  it('sees the refund on the receipt and in the account, which lists own payments only', async ({
    world,
  }) => {
    const { service, shop, tollgate } = world;
    const { path, browser } = await goToProvider({ service, shop });
    tollgate.pay();
    tollgate.refundPart(400);
    await tollgate.deliver(shop);
    const receipt = parsePage(await (await browser.get(`${path}?returned`)).text());
    expect(textOf(receipt, '.receipt')).toContain('Refunded€4.00');
    const ben = await sellerIn(shop, BEN);
    const row = tableIn(await ben.page('/account/payments'), 'Payments').join();
    expect(row).toContain('Partly refunded');
    expect(row).toContain('€4.00 refunded');
    tollgate.refundPart(500);
    await tollgate.deliver(shop);
    expect(tableIn(await ben.page('/account/payments'), 'Payments').join()).toContain('Refunded');
    const whole = parsePage(await (await browser.get(`${path}?returned`)).text());
    expect(textOf(whole, 'h1')).toBe('Payment refunded');
    const grace = await sellerIn(shop, 'grace@example.com');
    expect(textOf(await grace.page('/account/payments'), 'main')).toContain('No payments');
  });
});

describe('refund by the seller', () => {
  const SALES = `${COMMUNITY}/sales`;

  /** Ben's payment, and the page on which the owner refunds it in the shop. */
  async function sold({ service, shop, db, tollgate }: Sale) {
    await goToProvider({ service, shop });
    tollgate.pay();
    await tollgate.deliver(shop);
    const { id } = await db.selectFrom('payments').select('id').executeTakeFirstOrThrow();
    const owner = await sellerIn(shop);
    return { id, owner, path: `${SALES}/${id}` };
  }

  it('says what it does, ends access when the whole payment went back, and is made once', async ({
    world,
  }) => {
    const { shop, db, tollgate } = world;
    const { owner, path } = await sold(world);
    const page = await owner.page(path);
    expect(textOf(page, '#refund')).toContain('the access that it paid for ends at once');
    const submission = page('#refund input[name="submission"]').attr('value') ?? '';
    const form = { submission, amount: '4.00' };
    const [first, second] = await Promise.all([
      owner.post(`${path}/refund`, form),
      owner.post(`${path}/refund`, form),
    ]);
    for (const answer of [first, second]) expect(locationOf(answer)).toBe(`${path}?done=refunded`);
    expect(tollgate.refunds.size).toBe(1);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
    const part = await owner.page(path);
    expect(textOf(part, '#payment')).toContain('Partly refunded');
    expect(part('#refund input[name="amount"]').attr('value')).toBe('5.00');
    await owner.submit(`${path}/refund`, { submission: randomUUID(), amount: '5' });
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START });
    expect(await paymentsOf(db)).toMatchObject([{ refunded_minor: 900 }]);
    expect(await eventTypesOf(db)).toContain('membership.updated');
    // The provider reports the same refund.
    tollgate.refundPart(0);
    await tollgate.deliver(shop);
    expect(await paymentsOf(db)).toMatchObject([{ refunded_minor: 900 }]);
    expect(tableIn(await owner.page(SALES), 'Payments').join()).toContain('Refunded');
    expect(textOf(await owner.page(path), '#refund')).toContain('The whole payment was refunded.');
  });

  it.for(['0', '-1', '9.01', '1e1', '', '9.001'])('refuses the amount "%s"', async (amount, { world }) => {
    const { owner, path } = await sold(world);
    const page = await owner.refused(`${path}/refund`, { submission: randomUUID(), amount });
    expect(page('[aria-invalid="true"]').attr('name')).toBe('amount');
    expect(world.tollgate.refunds.size).toBe(0);
  });

  it('never exceeds the payment, even by requests at the same time', async ({ world }) => {
    const { owner, path } = await sold(world);
    const requests = Array.from({ length: 5 }, () =>
      owner.post(`${path}/refund`, { submission: randomUUID(), amount: '3.00' }),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(3);
    expect([...world.tollgate.refunds.values()].reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(
      900,
    );
    expect(await paymentsOf(world.db)).toMatchObject([{ refunded_minor: 900 }]);
  });

  it('calls the provider at most twenty times an hour, refused calls included', async ({ world }) => {
    const { owner, path } = await sold(world);
    world.tollgate.refundStatus = 'failed';
    const requests = Array.from({ length: 30 }, () =>
      owner.post(`${path}/refund`, { submission: randomUUID(), amount: '0.01' }),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await world.db.selectFrom('refunds').select('id').execute()).toHaveLength(20);
  });

  it('is finished later if the provider is down or the process dies', async ({ world }) => {
    const { shop, db, tollgate } = world;
    const { owner, path } = await sold(world);
    tollgate.isDown = true;
    const answer = await owner.post(`${path}/refund`, { submission: randomUUID(), amount: '9.00' });
    expect(locationOf(answer)).toBe(`${path}?done=refund-unanswered`);
    expect(textOf(await owner.page(path), '#refunds')).toContain('Pending');
    expect(textOf(await owner.page(path), '#refund')).toContain('on its way back');
    tollgate.isDown = false;
    shop.clock.advance(2 * MINUTE);
    await shop.server.runBackgroundWork();
    expect(await paymentsOf(db)).toMatchObject([{ refunded_minor: 900 }]);
    expect(tollgate.refunds.size).toBe(1);
  });

  it('that is pending at the provider is finished by its event or a later question, and a refused one says why', async ({
    world,
  }) => {
    const { shop, db, tollgate } = world;
    const { owner, path } = await sold(world);
    tollgate.refundStatus = 'failed';
    const page = await owner.refused(`${path}/refund`, { submission: randomUUID(), amount: '9.00' });
    expect(textOf(page, 'main')).toContain('The card was closed.');
    tollgate.refundStatus = 'pending';
    const refundId = randomUUID();
    await owner.submit(`${path}/refund`, { submission: refundId, amount: '9.00' });
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
    tollgate.refunds.set(refundId, { amountMinor: 900, status: 'refunded' });
    shop.clock.advance(61 * MINUTE);
    await shop.server.runBackgroundWork();
    expect(await paymentsOf(db)).toMatchObject([{ refunded_minor: 900 }]);
  });

  it('is refused for a payment of another community, and for people without a role', async ({ world }) => {
    const { service, shop, tollgate } = world;
    const { id, path } = await sold(world);
    const stranger = await sellerIn(shop, 'grace@example.com');
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.post(`${path}/refund`, { submission: randomUUID(), amount: '9.00' })).status).toBe(
      404,
    );
    const { id: ownerId } = await service.server.operator.findUser('grace@example.com');
    const other = await service.server.operator.createCommunity({ name: 'Other', ownerId });
    const foreign = `/seller/communities/${other.id}/sales/${id}`;
    expect((await stranger.get(foreign)).status).toBe(404);
    expect(
      (await stranger.post(`${foreign}/refund`, { submission: randomUUID(), amount: '9.00' })).status,
    ).toBe(404);
    const product = await service.server.operator.createProduct({ ownerId, name: 'Guide', slug: 'guide-9' });
    const asProduct = `/seller/products/${product.id}/sales/${id}`;
    expect((await stranger.get(asProduct)).status).toBe(404);
    expect(tollgate.refunds.size).toBe(0);
  });

  it('is refused during a dispute', async ({ world }) => {
    const { shop, tollgate } = world;
    const { owner, path } = await sold(world);
    tollgate.dispute('open');
    await tollgate.deliver(shop);
    const page = await owner.page(path);
    expect(textOf(page, '#payment')).toContain('Disputed');
    expect(page('#refund form')).toHaveLength(0);
    await owner.refused(`${path}/refund`, { submission: randomUUID(), amount: '9.00' });
    expect(tollgate.refunds.size).toBe(0);
  });

  it('is in the export of the payments', async ({ world }) => {
    const { owner, id } = await sold(world);
    world.tollgate.refundPart(300);
    await world.tollgate.deliver(world.shop);
    const [head, row] = (await (await owner.get(`${SALES}.csv`)).text()).split(/\r?\n/);
    expect(head).toContain('payment_id,paid_at,status,reason,amount_minor,refunded_minor,currency,dispute');
    expect(row).toContain(`${id},`);
    expect(row).toContain(',900,300,EUR,');
  });
});

describe('renewal by the provider', () => {
  async function subscribed({
    service,
    shop,
    tollgate,
  }: {
    service: ServiceUnderTest;
    shop: ServiceUnderTest;
    tollgate: Tollgate;
  }) {
    await goToProvider({ service, shop });
    tollgate.pay();
    await tollgate.deliver(shop);
    shop.clock.set(START + 30 * DAY - MINUTE);
  }
  const RENEWED = { kind: 'renewed', renewalId: 'period-2', amountMinor: 900, currency: 'EUR' } as const;

  it('adds its period once, and the server charges nothing', async ({ service, shop, db, tollgate }) => {
    await subscribed({ service, shop, tollgate });
    const event = tollgate.renewal(RENEWED);
    await tollgate.deliver(shop);
    await tollgate.deliver(shop, [event, { ...event, id: 'again' }]);
    await shop.server.runBackgroundWork();
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 60 * DAY });
    expect(await paymentsOf(db)).toEqual([PAID, PAID]);
    expect((await eventTypesOf(db)).filter((type) => type === 'payment.success')).toHaveLength(2);
  });

  it('is refunded by its own reference', async ({ service, shop, db, tollgate }) => {
    await subscribed({ service, shop, tollgate });
    const event = tollgate.renewal(RENEWED);
    const refund = { ...event, id: 'refund', kind: 'refunded', amountMinor: 900 } as const;
    await tollgate.deliver(shop, [event]);
    await tollgate.deliver(shop, [refund]);
    expect(await paymentsOf(db)).toMatchObject([{ refunded_minor: 0 }, { refunded_minor: 900 }]);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
  });

  it('that fails is a failed payment, and the end of the subscription ends the renewals', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await subscribed({ service, shop, tollgate });
    tollgate.renewal({ kind: 'renewal-failed', renewalId: 'period-2' });
    await tollgate.deliver(shop);
    expect(await membershipOf(db, BEN)).toMatchObject({ subscription_cancelled_at: null });
    expect(await eventTypesOf(db)).toContain('payment.failed');
    tollgate.renewal({ kind: 'subscription-ended' });
    await tollgate.deliver(shop);
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ subscription_cancelled_at: shop.clock.now(), valid_until: START + 30 * DAY },
    });
    await shop.server.runBackgroundWork();
    expect(tollgate.endedSubscriptions).toEqual([]);
  });

  it('and the end of a second subscription of the order change nothing about the first one', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await subscribed({ service, shop, tollgate });
    const second = { ...tollgate.pay(), subscription: 'second' };
    const first = (await db.selectFrom('provider_subscriptions').select('reference').execute())[0]?.reference;
    tollgate.events.length = 0;
    await tollgate.deliver(shop, [second]);
    tollgate.renewal({ ...RENEWED, subscription: 'second' });
    tollgate.renewal({ kind: 'subscription-ended', subscription: 'second' });
    tollgate.renewal({ kind: 'subscription-ended', subscription: 'of nobody' });
    await tollgate.deliver(shop);
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ valid_until: START + 30 * DAY, subscription_cancelled_at: null },
    });
    expect((await paymentsOf(db)).map(({ reason }) => reason)).toEqual([null, 'no_access', 'no_access']);
    tollgate.renewal({ ...RENEWED, renewalId: 'period-3', subscription: first });
    await tollgate.deliver(shop);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 60 * DAY });
    tollgate.renewal({ kind: 'subscription-ended', subscription: first });
    await tollgate.deliver(shop);
    expect(await membershipOf(db, BEN)).toMatchObject({ subscription_cancelled_at: shop.clock.now() });
    expect((await outcomesOf(db)).sort()).toEqual([
      ...['paid: applied', 'paid: applied', 'renewed: applied', 'renewed: applied'],
      ...['subscription-ended: applied', 'subscription-ended: unknown', 'subscription-ended: unknown'],
    ]);
  });

  it('is no business of the provider for a free plan: the server adds its period', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    const free = await service.server.operator.createPricingPlan({
      ...{ communityId: community.id, name: 'Free', priceMinor: 0, currency: 'EUR' },
      ...{ periodDays: 30, renews: true },
    });
    await payFor(service, { pricingPlanId: free.id }, '', await signedIn(service, BEN));
    shop.clock.set(START + 30 * DAY - MINUTE);
    await shop.server.runBackgroundWork();
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ valid_until: START + 60 * DAY, subscription_cancelled_at: null },
    });
    expect(tollgate.requests).toEqual([]);
  });

  it('at another price, or of an unknown subscription, adds nothing', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    await subscribed({ service, shop, tollgate });
    tollgate.renewal({ ...RENEWED, amountMinor: 1 });
    const foreign = { ...tollgate.renewal(RENEWED), orderId: 'foreign' };
    tollgate.events.pop();
    tollgate.events.push(foreign);
    await tollgate.deliver(shop);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
    expect((await outcomesOf(db)).slice(1)).toEqual(['renewed: other-price', 'renewed: unknown']);
    expect(await paymentsOf(db)).toMatchObject([{ reason: null }, { reason: 'no_access', amount_minor: 1 }]);
  });

  it('ends at the provider after the account of the buyer was deleted', async ({
    service,
    shop,
    tollgate,
  }) => {
    await subscribed({ service, shop, tollgate });
    const { id } = await service.server.operator.findUser(BEN);
    await service.server.operator.deleteUser({ id });
    await shop.server.runBackgroundWork();
    expect(tollgate.endedSubscriptions).toHaveLength(1);
    expect(plans.monthly.id).toBeDefined();
  });

  it('ends at the provider, and the payment is refunded, if the account was deleted before the buyer paid on its page', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    const { path } = await goToProvider({ service, shop });
    const { id } = await service.server.operator.findUser(BEN);
    await service.server.operator.deleteUser({ id });
    expect((await shop.browser().get(path)).status).toBe(404);
    tollgate.pay();
    await tollgate.deliver(shop);
    await shop.server.runBackgroundWork();
    expect(tollgate.endedSubscriptions).toHaveLength(1);
    expect([...tollgate.refunds.values()]).toEqual([{ amountMinor: 900, status: 'refunded' }]);
    expect(await paymentsOf(db)).toMatchObject([{ reason: 'no_access', refunded_minor: 900 }]);
    expect(await membershipOf(db, BEN)).toBeUndefined();
  });

  it('is refunded too if the account was deleted after the same checkout was paid at another price', async ({
    service,
    shop,
    db,
    tollgate,
  }) => {
    const { path } = await goToProvider({ service, shop });
    const first = tollgate.lastOrder;
    await service.server.operator.change('plans', plans.monthly.id, { priceMinor: 1200 });
    await pay(shop.browser(), path);
    tollgate.pay();
    expect(tollgate.lastOrder).not.toBe(first);
    await tollgate.deliver(shop);
    const { id } = await service.server.operator.findUser(BEN);
    await service.server.operator.deleteUser({ id });
    tollgate.pay(first);
    await tollgate.deliver(shop);
    await shop.server.runBackgroundWork();
    expect([...tollgate.refunds.values()]).toEqual([{ amountMinor: 900, status: 'refunded' }]);
    expect(await paymentsOf(db)).toHaveLength(2);
  });
});
