import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { openCheckout } from '../src/domain/checkout/checkouts.js';
import { findCheckout } from '../src/domain/checkout/find-checkout.js';
import { payCheckout } from '../src/domain/checkout/pay-checkout.js';
import { createRenewalWorker } from '../src/domain/checkout/renew-subscriptions.js';
import { cancelSubscription } from '../src/domain/memberships/subscription.js';
import { createManualClock, type PaymentProvider, startServer } from '../src/index.js';
import { connectDatabase } from '../src/platform/database/open-database.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import { defaultLogger as logger } from '../src/platform/logging/logger.js';
import { migrateAs, PREVIOUS_VERSION } from './database/schema-versions.js';
import { databaseUnderTest, START } from './service-under-test.js';

const DAY = 24 * 3600_000;

it('stores a paid checkout and two charges of one renewal, which is cancelled meanwhile', async () => {
  const database = await databaseUnderTest({ isMigrated: false });
  await migrateAs(database, PREVIOUS_VERSION);
  const clock = createManualClock(START);
  const server = await startServer({
    ...{ database, clock, logger, port: 0, migrate: false, backgroundWork: false },
    mailer: { send: async () => undefined },
  });
  onTestFinished(() => server.close());
  const db = await connectDatabase(database);
  onTestFinished(() => db.destroy());
  const [ownerId, buyerId, communityId] = [randomUUID(), randomUUID(), randomUUID()];
  await server.operator.createUser({ id: ownerId, email: 'dana@example.com', name: 'Dana' });
  await server.operator.createUser({ id: buyerId, email: 'ben@example.com', name: 'Ben' });
  await server.operator.createCommunity({ id: communityId, name: 'Club', ownerId });
  const { id: planId } = await server.operator.createPricingPlan({
    ...{ communityId, name: 'Monthly', priceMinor: 900, periodDays: 30, renews: true },
  });

  const orders: string[] = [];
  let meanwhile = async () => {};
  const payments: PaymentProvider = {
    disclaimer: '',
    transferDetails: () => [],
    methods: () => [],
    async charge({ orderId }) {
      orders.push(orderId);
      await meanwhile();
      return { kind: 'paid' };
    },
  };
  const secret = await openCheckout(
    db,
    {
      ...{ subject: { kind: 'plan', planId, communityId }, buyer: { id: buyerId }, caller: null },
      ...{ successUrl: 'https://shop.example/', cancelUrl: 'https://shop.example/', utmSource: null },
    },
    clock.now(),
  );
  const checkout = await findCheckout(db, secret);
  if (checkout?.offer === undefined) throw new Error('The checkout has no offer.');
  const payment = { checkout: { ...checkout, offer: checkout.offer }, method: 'card', payments, logger };
  expect(await payCheckout(db, payment, () => clock.now())).toEqual({ kind: 'settled' });
  expect(await payCheckout(db, payment, () => clock.now())).toEqual({ kind: 'already-paid' });

  clock.set(START + 30 * DAY - 1);
  const worker = createRenewalWorker({ db, clock, logger, payments });
  const { signal } = new AbortController();
  meanwhile = async () => {
    meanwhile = async () => {};
    expect(await createRenewalWorker({ db, clock, logger, payments }).runOnce(signal)).toBe(1);
    await inTransaction(db, async (transaction) => {
      const membership = await transaction.selectFrom('memberships').selectAll().executeTakeFirstOrThrow();
      await cancelSubscription(transaction, membership, clock.now());
    });
  };
  expect(await worker.runOnce(signal)).toBe(0);
  expect(orders).toHaveLength(3);
  const stored = await db.selectFrom('payments').select(['status', 'reason']).execute();
  expect(stored).toEqual([
    { status: 'succeeded', reason: null },
    { status: 'succeeded', reason: null },
  ]);
  expect(await db.selectFrom('memberships').select('valid_until').execute()).toEqual([
    { valid_until: START + 60 * DAY },
  ]);
});
