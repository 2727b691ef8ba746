import { sandboxScenario } from '@latchkey/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCheckout } from '../../src/features/checkout/checkouts.js';
import { payCheckout } from '../../src/features/checkout/pay-checkout.js';
import { sql } from '../../src/platform/database/kysely.js';
import { type Database, openDatabase } from '../../src/platform/database/open-database.js';
import { defaultLogger } from '../../src/platform/logging/logger.js';
import { locationOf } from '../browser.js';
import { checkoutFields, METHODS, pay, purchase } from '../checkout-world.js';
import { inlinePayments } from '../inline-payments.js';
import { type Cluster, startCluster } from './cluster.js';

const PROCESSES = 3;
const DAY = 24 * 3600_000;
const HOUR = 3600_000;

const endings: (() => void | Promise<void>)[] = [];
let cluster: Cluster;
let db: Database;

beforeAll(async () => {
  cluster = await startCluster(PROCESSES, (end) => void endings.unshift(end));
  db = await openDatabase(cluster.database);
  endings.unshift(() => db.destroy());
}, 60_000);

afterAll(async () => {
  for (const end of endings) await end();
});

async function open(changes: Record<string, unknown> = {}): Promise<string> {
  const answer = await cluster.request('/api/checkout/buy-plan', {
    method: 'POST',
    headers: { authorization: `Bearer ${sandboxScenario.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(purchase(changes)),
  });
  const { data } = (await answer.json()) as { data: { checkoutUrl: string } };
  return new URL(data.checkoutUrl).pathname;
}

function concurrently<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

describe(`${PROCESSES} server processes on one database`, { timeout: 120_000 }, () => {
  it('turn fifty requests for an external id into one reservation, and fifty payments of it into one payment', {
    tags: ['buy-plan.reservation'],
  }, async () => {
    const paths = await concurrently(50, () => open());
    const reservations = db.selectFrom('checkout_reservations').select('id');
    expect(await reservations.execute()).toHaveLength(1);

    const fields = { ...(await checkoutFields(cluster.browser(), paths[0] ?? '')), method: METHODS.card };
    const ends = await concurrently(50, async (index) => {
      const answer = await cluster.browser().post(`${paths[index]}/pay`, fields);
      return `${answer.status} ${locationOf(answer)}`;
    });
    expect(ends).toEqual(paths.map((path) => `303 ${path}?paid`));
    expect(await db.selectFrom('payments').select('status').execute()).toEqual([{ status: 'succeeded' }]);
    const members = db.selectFrom('memberships').where('pricing_plan_id', 'is not', null);
    expect(await members.selectAll().execute()).toHaveLength(1);
    const events = await db
      .selectFrom('webhook_events')
      .where('type', '=', 'payment.success')
      .selectAll()
      .execute();
    expect(events).toHaveLength(1);
  });

  it('pay one period of each subscription and emit one expiry, whichever process is first', {
    tags: ['webhook.payment-success', 'webhook.membership-updated'],
  }, async () => {
    for (const index of [1, 2, 3, 4, 5]) {
      const path = await open({ email: `buyer${index}@example.com`, externalId: `renewing-${index}` });
      await pay(cluster.browser(), path, index === 5 ? METHODS.failsLater : METHODS.card);
    }
    const payments = async () => (await db.selectFrom('payments').select('id').execute()).length;
    const before = await payments();
    await cluster.setAhead(30 * DAY);
    // Advances the clock of each process, which runs the due work at once.
    await concurrently(PROCESSES, () => cluster.browser().post('/sandbox/clock', { advance: '1h' }));
    // The six subscriptions of this file: five renewals, one failure.
    expect((await payments()) - before).toBe(6);
    const expiryEvents = await db
      .selectFrom('webhook_events')
      .where('type', '=', 'membership.updated')
      .where('body', 'like', '%"isActive":false%buyer5@example.com%')
      .selectAll()
      .execute();
    expect(expiryEvents).toHaveLength(1);
    expect(expiryEvents[0]?.created_at).toBeGreaterThan(Date.now() + 30 * DAY - HOUR);
  });

  it('store the result of a lost charge once, whichever process looks it up first', {
    tags: ['webhook.payment-success'],
  }, async () => {
    const secret = (await open({ email: 'lost@example.com', externalId: 'lost' })).split('/').at(-1) ?? '';
    const checkout = await findCheckout(db, secret);
    if (checkout?.offer === undefined) throw new Error('The checkout has no offer.');
    await pay(cluster.browser(), await open({ email: 'found@example.com', externalId: 'found' }));
    const payments = inlinePayments({
      async charge({ orderId }) {
        // The provider keeps its books in this database. It charges the order as it charged the one before.
        const { rows } = await sql<
          Record<string, string>
        >`select * from sandbox_payments where state = 'paid' limit 1`.execute(db);
        const [{ payment = '', ...row } = {}] = rows;
        const charged = {
          ...JSON.parse(payment),
          orderId,
          reference: orderId,
          subscription: orderId,
          pageKey: null,
        };
        const copied = {
          ...row,
          order_id: orderId,
          reference: orderId,
          page_key: null,
          payment: JSON.stringify(charged),
        };
        const columns = sql.join(Object.keys(copied).map((name) => sql.ref(name)));
        await sql`insert into sandbox_payments (${columns}) values (${sql.join(Object.values(copied))})`.execute(
          db,
        );
        throw new Error('The answer is lost.');
      },
    });
    const payment = {
      checkout: { ...checkout, offer: checkout.offer },
      ...{ url: 'https://service.example/checkout', method: METHODS.card },
    };
    // The clocks of the processes are days ahead, so the look-up is due.
    const services = { db, clock: { now: Date.now }, payments, logger: defaultLogger };
    await expect(payCheckout(services, payment)).rejects.toThrow('failed to start');
    await concurrently(PROCESSES, () => cluster.browser().post('/sandbox/clock', { advance: '1h' }));
    const { reservationId } = checkout;
    const stored = db.selectFrom('payments').select('status').where('reservation_id', '=', reservationId);
    expect(await stored.execute()).toEqual([{ status: 'succeeded' }]);
    const events = await db
      .selectFrom('webhook_events')
      .select('id')
      .where('type', '=', 'payment.success')
      .where('body', 'like', '%lost@example.com%')
      .execute();
    expect(events).toHaveLength(1);
    expect(await db.selectFrom('charges').selectAll().execute()).toEqual([]);
  });
});
