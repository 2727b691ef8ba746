import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { type FakeStripe, startFakeStripe } from '@latchkey/stripe/testing';
import { expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/open-database.js';
import { type Cluster, startCluster } from './cluster.js';

const { community, plans, apiKey } = sandboxScenario;
/** Kills in one run. `LATCHKEY_KILLS` sets another number for a longer run. */
const KILLS = Number(process.env.LATCHKEY_KILLS ?? 5);
const PROCESSES = 3;
const BUYERS = 3;
/** Milliseconds that the load runs between a start and the next kill, at most. */
const ROUND_MS = 400;
const WEBHOOK_SECRET = 'whsec_of_the_cluster';
const PERIOD_MS = 30 * 24 * 3600_000;

/** Opens a load balancer: a fixed address for webhooks, in front of processes that come and go. */
async function openBalancer(forward: (path: string, init: RequestInit) => Promise<Response>) {
  const server = createServer(async (request, response) => {
    const { 'content-type': type = '', 'stripe-signature': signature = '' } = request.headers;
    const headers = { 'content-type': type, 'stripe-signature': String(signature) };
    const body = await text(request);
    const answer = await forward(request.url ?? '', { method: 'POST', headers, body }).catch(() => undefined);
    response.writeHead(answer?.status ?? 502).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens a checkout, again and again until a process sends the buyer to Stripe: one that was killed answers nothing. */
async function openPage(cluster: Cluster, stripe: FakeStripe, externalId: string): Promise<string> {
  const order = {
    ...{ communityId: community.id, pricingPlanId: plans.monthly.id },
    ...{ externalId, email: `${externalId}@shop.example` },
    ...{ successUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' },
  };
  for (;;) {
    const answer = await cluster
      .request(PATHS.buyPlan, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(order),
      })
      .then((response) => response.text())
      .catch(() => '{}');
    const { data } = JSON.parse(answer || '{}');
    // Our own page, if Stripe took too long to answer.
    if (data?.checkoutUrl?.startsWith(stripe.url)) return data.checkoutUrl;
    await pause(20);
  }
}

/** Buys, and sometimes gets the money back in Stripe's dashboard. */
async function buy(
  cluster: Cluster,
  stripe: FakeStripe,
  { name, stop }: { name: string; stop: AbortSignal },
) {
  for (let number = 0; !stop.aborted; number += 1) {
    const externalId = `${name}-${number}`;
    const url = await openPage(cluster, stripe, externalId);
    // The buyer opened the checkout in two tabs.
    expect(await openPage(cluster, stripe, externalId)).toBe(url);
    const session = url.split('/').at(-1) ?? '';
    if (number % 3 === 1) stripe.act(session, 'decline');
    if (number % 3 === 2) stripe.act(session, 'pay-with-action');
    stripe.act(session, number % 3 === 2 ? 'complete-action' : 'pay');
    const order = stripe.account.page(session).metadata?.latchkey_order ?? '';
    const [charge] = stripe.account.chargesOf(order);
    if (number % 2 === 1 && typeof charge?.payment_intent === 'string') {
      await pause(Math.random() * 100);
      stripe.account.refund({ payment_intent: charge.payment_intent });
    }
  }
}

async function killUnderLoad(cluster: Cluster, stripe: FakeStripe): Promise<void> {
  const stop = new AbortController();
  const load = Array.from({ length: BUYERS }, (_, index) =>
    buy(cluster, stripe, { name: `buyer-${index}`, stop: stop.signal }),
  );
  for (const work of load) work.catch(() => stop.abort());
  for (let round = 0; round < KILLS; round += 1) {
    await cluster.load();
    await pause(100 + Math.random() * ROUND_MS);
    await cluster.kill(round % PROCESSES);
    await pause(Math.random() * 100);
    await cluster.start(round % PROCESSES);
  }
  stop.abort();
  await Promise.all(load);
  await stripe.delivered();
}

async function readStored(db: Database) {
  const [payments, memberships, events, emitted] = await Promise.all([
    db.selectFrom('payments').selectAll().where('provider', '=', 'stripe').execute(),
    db
      .selectFrom('memberships')
      .innerJoin('payments', 'payments.user_id', 'memberships.user_id')
      .where('payments.provider', '=', 'stripe')
      .where('memberships.community_id', '=', community.id)
      .select(['payments.reference', 'payments.created_at', 'memberships.valid_until'])
      .execute(),
    db.selectFrom('provider_events').selectAll().execute(),
    db.selectFrom('webhook_events').select('body').where('type', '=', 'payment.success').execute(),
  ]);
  return { payments, memberships, events, emitted };
}

it(`${PROCESSES} processes lose no payment of Stripe and settle none twice while they are killed`, {
  timeout: 480_000,
}, async () => {
  const stripe = await startFakeStripe();
  onTestFinished(() => stripe.close());
  const cluster = await startCluster(PROCESSES, onTestFinished, {
    isQuiet: true,
    stripe: { secretKey: stripe.secretKey, webhookSecret: WEBHOOK_SECRET, mode: 'test', apiUrl: stripe.url },
  });
  const balancer = await openBalancer((path, init) => cluster.request(path, init));
  stripe.addEndpoint({ url: `${balancer}/payments/stripe/webhook`, secret: WEBHOOK_SECRET });
  await killUnderLoad(cluster, stripe);
  await stripe.replay();

  expect(cluster.exits).toEqual([]);
  const db = await openDatabase(cluster.database);
  onTestFinished(() => db.destroy());
  const charges = [...stripe.account.charges.values()];
  expect(charges.length).toBeGreaterThan(KILLS);
  const { payments, memberships, events, emitted } = await readStored(db);

  // Each payment is stored once, with what was refunded, and no other one is.
  const paid = payments.filter(({ status }) => status === 'succeeded');
  const books = charges.map(({ payment_intent: id, amount_refunded: refunded }) => `${id}: ${refunded}`);
  const stored = paid.map(({ reference, refunded_minor: refunded }) => `${reference}: ${refunded}`);
  expect(stored.toSorted()).toEqual(books.toSorted());
  expect(paid.filter(({ reason }) => reason !== null)).toEqual([]);
  expect(emitted).toHaveLength(charges.length);

  // Nobody paid twice.
  const orders = new Set(paid.map(({ order_id: id }) => id));
  expect(orders.size).toBe(charges.length);

  // Each payment gave one period, and a refund took it.
  const refunded = new Set(charges.filter((charge) => charge.refunded).map(({ payment_intent: id }) => id));
  for (const { reference, created_at: from, valid_until: until } of memberships) {
    if (refunded.has(reference)) expect(until).toBeLessThanOrEqual(Date.now());
    else expect(until).toBe(from + PERIOD_MS);
  }
  expect(memberships).toHaveLength(charges.length);

  // Each event is stored once, with its effect. Stripe doesn't say whose attempt at a subscription was declined.
  const sent = stripe.events.filter(({ type }) => type !== 'payment_intent.payment_failed');
  expect(events.map(({ id }) => id).toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
  expect(events.filter(({ outcome }) => outcome !== 'applied' && outcome !== 'no-change')).toEqual([]);
});
