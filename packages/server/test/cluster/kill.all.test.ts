import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { expect, it, onTestFinished } from 'vitest';
import { registerWebhook } from '../../src/features/webhooks/registration/webhooks.js';
import { type Database, openDatabase } from '../../src/platform/database/open-database.js';
import { locationOf } from '../browser.js';
import { formOf, parsePage } from '../pages/page-document.js';
import { idsOf, startReceiver, type WebhookReceiver } from '../webhook-receiver.js';
import { type Cluster, startCluster } from './cluster.js';

const { community, plans, users, apiKey } = sandboxScenario;
/** Kills in one run. `LATCHKEY_KILLS` sets another number for a longer run. */
const KILLS = Number(process.env.LATCHKEY_KILLS ?? 5);
const PROCESSES = 2;

/** Milliseconds that callers pause, so that a process has time to start. */
const BETWEEN_ORDERS_MS = 10;

/** Maximum milliseconds from the first response after a pause to the kill. */
const ROUND_MS = 60;

/** Milliseconds, longer than any lease and than the pause after a few failed attempts. */
const BEYOND_LEASES_MS = 24 * 3600_000;

/** Responses that callers received. Any other request may have been applied or not, but never partly. */
interface Acknowledged {
  /** Membership ids by order id. */
  orders: Map<string, string>;
  /** Paths of the checkouts that confirmed a payment. */
  payments: Set<string>;
}

const acknowledgedCount = ({ orders, payments }: Acknowledged) => orders.size + payments.size;

/** Control of the callers: they pause until `resumed` resolves, and end when `stop` aborts. */
interface CallerControl {
  stop: AbortSignal;
  /** Resolves when callers may continue. */
  resumed: Promise<void>;
}

/** Repeats a request that a killed process did not answer, as callers do. `undefined` once the test ends. */
async function retryUntilAnswered<Value>(
  control: CallerControl,
  attempt: () => Promise<Value>,
): Promise<Value | undefined> {
  while (!control.stop.aborted) {
    await control.resumed;
    try {
      return await attempt();
    } catch {
      await pause(10);
    }
  }
  return undefined;
}

async function callApi(cluster: Cluster, path: string, body: object) {
  const response = await cluster.request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ communityId: community.id, ...body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text).data;
}

async function provision(cluster: Cluster, record: Acknowledged, control: CallerControl): Promise<void> {
  for (let number = 0; !control.stop.aborted; number += 1) {
    const externalOrderId = `order-${number}-${Math.random()}`;
    const order = { externalOrderId, email: `${externalOrderId}@shop.example` };
    const result = await retryUntilAnswered(control, () => callApi(cluster, PATHS.provisionExternal, order));
    if (result) record.orders.set(externalOrderId, result.membershipId);
    await pause(BETWEEN_ORDERS_MS);
  }
}

async function buy(cluster: Cluster, record: Acknowledged, control: CallerControl): Promise<void> {
  for (let number = 0; !control.stop.aborted; number += 1) {
    const externalId = `purchase-${number}-${Math.random()}`;
    const order = {
      pricingPlanId: plans.monthly.id,
      externalId,
      email: `${externalId}@shop.example`,
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
    };
    const opened = await retryUntilAnswered(control, () => callApi(cluster, PATHS.buyPlan, order));
    if (!opened) return;
    const path = new URL(opened.checkoutUrl).pathname;
    const paid = await retryUntilAnswered(control, async () => {
      const browser = cluster.browser();
      const page = await browser.get(path);
      // The interrupted attempt may have been applied.
      if (page.status === 303 || page.status === 302) return locationOf(page);
      const { hidden } = formOf(parsePage(await page.text()), `${path}/pay`);
      const answer = await browser.post(`${path}/pay`, {
        ...Object.fromEntries(hidden),
        method: 'card-4242',
      });
      if (answer.status >= 500) throw new Error(`Paying answered ${answer.status}.`);
      return locationOf(answer);
    });
    if (paid) record.payments.add(externalId);
    await pause(BETWEEN_ORDERS_MS);
  }
}

/** Everything that a crash could leave half done. */
async function readStored(db: Database) {
  const [memberships, reservations, payments, events] = await Promise.all([
    db
      .selectFrom('memberships')
      .innerJoin('community_emails as claim', 'claim.user_id', 'memberships.user_id')
      .select(['memberships.id', 'memberships.external_order_id', 'claim.email', 'claim.user_id'])
      .where('claim.email', 'like', '%@shop.example')
      .execute(),
    db.selectFrom('checkout_reservations').selectAll().execute(),
    db.selectFrom('payments').selectAll().execute(),
    db.selectFrom('webhook_events').selectAll().where('community_id', '=', community.id).execute(),
  ]);
  const parsed = events.map(({ id, type, body }) => ({ id, type, data: JSON.parse(body).data }));
  return { memberships, reservations, payments, events: parsed };
}

async function allDelivered(db: Database, receiver: WebhookReceiver, webhookId: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const pending = await db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('webhook_id', '=', webhookId)
      .where('status', '!=', 'delivered')
      .execute();
    if (pending.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(
        `${pending.length} deliveries are still due after ${receiver.received.length} arrived.`,
      );
    }
    await pause(100);
  }
}

/** Registers a webhook of the community's owner and returns its id. */
async function addWebhook(db: Database, url: string): Promise<string> {
  const id = randomUUID();
  const secret = 'c0ffee00'.repeat(8);
  const webhook = { id, ownerId: users.dana.id, communityId: community.id, url, secret };
  await registerWebhook(db, webhook, Date.now());
  return id;
}

/** Runs callers and kills one process after another. Returns the responses that the callers received. */
async function killUnderLoad(cluster: Cluster): Promise<Acknowledged> {
  const stop = new AbortController();
  const record: Acknowledged = { orders: new Map(), payments: new Set() };
  const control: CallerControl = { stop: stop.signal, resumed: Promise.resolve() };
  const load = [
    provision(cluster, record, control),
    provision(cluster, record, control),
    buy(cluster, record, control),
    buy(cluster, record, control),
  ];
  for (let round = 0; round < KILLS; round += 1) {
    const victim = round % PROCESSES;
    // Callers pause while the next process loads, because their load would slow it down.
    control.resumed = cluster.load();
    await control.resumed;
    const before = acknowledgedCount(record);
    while (acknowledgedCount(record) === before) await pause(5);
    await pause(Math.random() * ROUND_MS);
    await cluster.kill(victim);
    await cluster.start(victim);
  }
  stop.abort();
  await Promise.all(load);
  return record;
}

type Stored = Awaited<ReturnType<typeof readStored>>;

function expectAcknowledgedStored(record: Acknowledged, { memberships, reservations }: Stored): void {
  const byOrder = new Map(memberships.map((row) => [row.external_order_id, row.id]));
  for (const [order, membershipId] of record.orders) expect(byOrder.get(order)).toBe(membershipId);
  const paid = reservations.filter(({ paid_at }) => paid_at !== null);
  const paidFor = new Set(paid.map(({ external_id }) => external_id));
  for (const externalId of record.payments) expect(paidFor).toContain(externalId);
}

/** Asserts that a paid reservation has one payment, its membership, and the events of both. */
function expectNothingHalfDone({ memberships, reservations, payments, events }: Stored): void {
  const paid = reservations.filter(({ paid_at }) => paid_at !== null);
  const succeeded = payments.filter(({ status }) => status === 'succeeded');
  expect(succeeded.map(({ reservation_id }) => reservation_id).sort()).toEqual(
    paid.map(({ id }) => id).sort(),
  );
  const dataOf = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
  expect(
    dataOf('payment.success')
      .map(({ paymentId }) => paymentId)
      .sort(),
  ).toEqual(succeeded.map(({ id }) => id).sort());
  const created = dataOf('membership.created').map(({ membership }) => membership.id);
  expect(memberships.map(({ id }) => id).sort()).toEqual(
    created.filter((id) => memberships.some((membership) => membership.id === id)).sort(),
  );
}

it('kills during provisioning, payment and delivery lose no acknowledged write and no event, and leave nothing half done', async () => {
  const cluster = await startCluster(PROCESSES);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const db = await openDatabase(cluster.database);
  onTestFinished(() => db.destroy());
  const webhookId = await addWebhook(db, receiver.url);

  const record = await killUnderLoad(cluster);
  expect(record.orders.size).toBeGreaterThan(KILLS);
  expect(record.payments.size).toBeGreaterThan(KILLS / 2);

  await cluster.setAhead(BEYOND_LEASES_MS);
  await allDelivered(db, receiver, webhookId);
  const stored = await readStored(db);
  expectAcknowledgedStored(record, stored);
  expectNothingHalfDone(stored);
  // Every event since the creation of the webhook arrived at least once.
  const arrived = new Set(idsOf(receiver));
  const due = stored.events.filter(({ data }) => data.user?.email?.endsWith('@shop.example'));
  expect(due.filter(({ id }) => !arrived.has(id))).toEqual([]);
}, 600_000);
