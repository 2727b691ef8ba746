import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { createRenewalWorker } from '../src/features/checkout/renew-subscriptions.js';
import { storeClosing } from '../src/features/community-closing/close-community.js';
import { createExpiryWorker } from '../src/features/memberships/due-memberships.js';
import { createManualClock } from '../src/index.js';
import type { Database } from '../src/platform/database/open-database.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import { defaultLogger } from '../src/platform/logging/logger.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { eventTypesOf, it, METHODS, membershipOf, payFor } from './checkout-world.js';
import { type Charge, type FoundCharge, type InlinePayments, inlinePayments } from './inline-payments.js';
import { COMMUNITY, sellerOf, tableIn } from './seller-area.js';
import { type ServiceUnderTest, START, startService } from './service-under-test.js';

const { users, community, plans } = sandboxScenario;
const DAY = 24 * 3600_000;
const HOUR = 3600_000;
const MINUTE = 60_000;
const BEN = 'ben@example.com';
const OTHER_PROCESS = {
  sandbox: false,
  databasePurpose: 'sandbox',
  mailer: { send: async () => {} },
  backgroundWork: false,
};
const DUE = START + 30 * DAY - HOUR;

/** Renewals of one process. `charge` runs for each order, and `orders` lists them. */
function renewing(
  { clock }: ServiceUnderTest,
  db: Database,
  charge: (attempt: number) => Promise<Charge>,
  {
    findCharge,
    ...limits
  }: Pick<Parameters<typeof createRenewalWorker>[0], 'chargeLimitMs' | 'stoppingGraceMs'> &
    Partial<Pick<InlinePayments, 'findCharge'>> = {},
) {
  const orders: string[] = [];
  const errors: { fields: Record<string, unknown>; message: string }[] = [];
  const worker = createRenewalWorker({
    ...{ db, clock, ...limits },
    logger: {
      info() {},
      warn() {},
      error: (fields, message) => void errors.push({ fields: { ...fields }, message }),
    },
    payments: inlinePayments({
      charge: ({ orderId }) => charge(orders.push(orderId)),
      ...(findCharge && { findCharge }),
    }),
  });
  const stop = new AbortController();
  return { orders, errors, stop, run: () => worker.runOnce(stop.signal) };
}

/** Starts a subscription of Ben, and one of each other buyer, and moves the clock to their renewal. */
async function untilDue(service: ServiceUnderTest, ...others: string[]): Promise<void> {
  await payFor(service);
  for (const name of others) await payFor(service, { email: `${name}@example.com`, externalId: name });
  service.clock.set(DUE);
}

const PAID: Charge = { kind: 'paid' };
const DECLINED: Charge = { kind: 'declined', reason: 'card_declined' };

async function cancel(service: ServiceUnderTest, db: Database): Promise<void> {
  const ben = await signedIn(service, BEN);
  const { id } = (await membershipOf(db, BEN)) ?? {};
  const response = await ben.post(`/account/memberships/${id}/cancel`, { account: users.ben.id });
  expect(locationOf(response)).toBe('/account?done=cancelled');
}

const idOf = async (db: Database) => (await membershipOf(db, BEN))?.id ?? '';

/** Stored renewals, oldest first. */
const renewalsOf = (db: Database) =>
  db
    .selectFrom('payments')
    .select(['status', 'reason', 'amount_minor'])
    .where('reservation_id', 'is', null)
    .orderBy('created_at')
    .execute();

const chargesOf = (db: Database) => db.selectFrom('charges').select('order_id').execute();

const SUCCEEDED = { status: 'succeeded', reason: null, amount_minor: 900 };
const NO_ACCESS = { status: 'succeeded', reason: 'no_access', amount_minor: 900 };

describe('paid renewal', () => {
  it('extends a membership that was cancelled during the charge, and leaves it cancelled', async ({
    service,
    db,
  }) => {
    await untilDue(service);
    const { run, errors, orders } = renewing(service, db, async () => {
      await cancel(service, db);
      return PAID;
    });
    await run();
    expect(await membershipOf(db, BEN)).toMatchObject({
      valid_until: START + 60 * DAY,
      subscription_cancelled_at: DUE,
    });
    expect(await renewalsOf(db)).toEqual([SUCCEEDED]);
    expect(await chargesOf(db)).toEqual([]);
    service.clock.set(START + 61 * DAY);
    await run();
    expect(orders).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('is stored without access if the membership was ended during the charge, and the seller sees it', async ({
    service,
    db,
  }) => {
    await untilDue(service);
    const { run, errors, orders } = renewing(service, db, async () => {
      await service.server.operator.end('memberships', await idOf(db));
      return PAID;
    });
    await run();
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: DUE });
    expect(await renewalsOf(db)).toEqual([NO_ACCESS]);
    const { id } = await db
      .selectFrom('payments')
      .select('id')
      .where('reason', '=', 'no_access')
      .executeTakeFirstOrThrow();
    expect(errors).toEqual([
      {
        fields: { payment: id, order: orders[0], subscription: orders[0]?.split(':')[0] },
        message: expect.stringContaining('gave no access'),
      },
    ]);
    const dana = await sellerOf(service);
    expect(tableIn(await dana.page(`${COMMUNITY}/sales`), 'Payments')[0]).toContain('Paid gave no access');
    expect((await eventTypesOf(db)).filter((type) => type === 'payment.success')).toHaveLength(1);
  });

  it('is stored without access if a new subscription or access for life replaced the subscription', async ({
    service,
    db,
  }) => {
    await untilDue(service, 'grace');
    const { promise, resolve } = Promise.withResolvers<Charge>();
    const { run, orders } = renewing(service, db, () => promise);
    const running = run();
    await expect.poll(() => orders.length).toBe(2);
    await payFor(service, { externalId: 'order-9' }, METHODS.card, await signedIn(service, BEN));
    const { user_id: userId = '' } = (await membershipOf(db, 'grace@example.com')) ?? {};
    const grant = { userId, productType: 'community', communityId: community.id } as const;
    await service.server.operator.grantMembership(grant);
    resolve(PAID);
    await running;
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 60 * DAY });
    expect(await membershipOf(db, 'grace@example.com')).toMatchObject({ valid_until: null });
    expect(await renewalsOf(db)).toEqual([NO_ACCESS, NO_ACCESS]);
  });

  it('adds its period to an end that was moved during the charge, if the subscription continues', async ({
    service,
    db,
  }) => {
    await untilDue(service);
    const { id } = await service.server.operator.createPricingPlan({
      ...{ communityId: community.id, name: 'Two weeks', priceMinor: 500, periodDays: 14 },
    });
    const { run, errors } = renewing(service, db, async (attempt) => {
      if (attempt === 1) await payFor(service, { externalId: 'order-8', pricingPlanId: id });
      return PAID;
    });
    await run();
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ valid_until: START + 74 * DAY, pricing_plan_id: plans.monthly.id },
      subscription_cancelled_at: null,
    });
    expect(await renewalsOf(db)).toEqual([SUCCEEDED]);
    expect(errors).toEqual([]);
  });

  it('extends the membership of a claim that is merged during the charge', async ({ service, db }) => {
    const email = 'grace@example.com';
    await payFor(service, { email });
    service.clock.set(DUE);
    const { run, errors } = renewing(service, db, async () => {
      await service.server.operator.createUser({ email });
      return PAID;
    });
    await run();
    expect(errors).toEqual([]);
    expect(await membershipOf(db, email)).toMatchObject({ valid_until: START + 60 * DAY });
    expect(await renewalsOf(db)).toEqual([SUCCEEDED]);
  });

  it('is stored once if several processes charge its order, also after the membership changed', async ({
    service,
    db,
  }) => {
    await untilDue(service);
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = renewing(service, db, async () => {
      await promise;
      return PAID;
    });
    const running = slow.run();
    await expect.poll(() => slow.orders.length).toBe(1);
    const fast = renewing(service, db, async () => PAID);
    service.clock.advance(MINUTE);
    await fast.run();
    expect(fast.orders).toEqual(slow.orders);
    await service.server.operator.end('memberships', await idOf(db));
    resolve();
    await running;
    expect(await renewalsOf(db)).toEqual([SUCCEEDED]);
    expect(slow.errors).toEqual([]);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: DUE + MINUTE });
  });

  it('is charged by one process at a time, and by another one a minute later or once the first one fails', async ({
    service,
    db,
  }) => {
    await untilDue(service);
    const { promise, reject } = Promise.withResolvers<Charge>();
    const slow = renewing(service, db, () => promise);
    const running = slow.run();
    await expect.poll(() => slow.orders.length).toBe(1);
    const others = [1, 2].map(() =>
      renewing(service, db, async () => {
        throw new Error('no result');
      }),
    );
    const calls = () => others.flatMap(({ orders }) => orders).length;
    await Promise.all(others.map(({ run }) => run()));
    service.clock.advance(MINUTE - 1);
    await Promise.all(others.map(({ run }) => run()));
    expect(calls()).toBe(0);
    service.clock.advance(1);
    await others[0]?.run();
    await others[1]?.run();
    expect(calls()).toBe(2);
    reject(new Error('no result'));
    await running;
    expect((await renewing(service, db, async () => PAID).run()) > 0).toBe(true);
    expect(await renewalsOf(db)).toEqual([SUCCEEDED]);
  });

  it('is started by one of many processes that find it at the same moment', async ({ service, db }) => {
    await untilDue(service);
    const { promise, resolve } = Promise.withResolvers<Charge>();
    const processes = Array.from({ length: 6 }, () => renewing(service, db, () => promise));
    const running = Promise.all(processes.map(({ run }) => run()));
    await expect.poll(async () => (await chargesOf(db)).length).toBe(1);
    resolve(PAID);
    expect((await running).reduce((sum, count) => sum + count)).toBe(1);
    expect(processes.flatMap(({ orders }) => orders)).toHaveLength(1);
    expect(await renewalsOf(db)).toEqual([SUCCEEDED]);
    expect(processes.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('that a process started whose clock was ahead does not wait for that time', async ({ service, db }) => {
    await untilDue(service);
    const clock = createManualClock(DUE + DAY);
    const ahead = renewing({ ...service, clock }, db, async () => {
      throw new Error('no result');
    });
    await ahead.run();
    expect(await renewing(service, db, async () => PAID).run()).toBe(1);
  });

  it('is stored after a crash during the charge, although the membership was cancelled or ended since', async ({
    service,
    db,
  }) => {
    await untilDue(service, 'grace');
    const crashed = renewing(service, db, async () => {
      throw new Error('no result');
    });
    await crashed.run();
    expect(crashed.errors).toHaveLength(2);
    await cancel(service, db);
    const grace = await membershipOf(db, 'grace@example.com');
    await service.server.operator.end('memberships', grace?.id ?? '');
    service.clock.set(START + 31 * DAY);
    const asked: string[] = [];
    const next = renewing(service, db, async () => PAID, {
      findCharge: async ({ orderId }) => {
        asked.push(orderId);
        return PAID;
      },
    });
    expect(await next.run()).toBe(2);
    expect(asked.sort()).toEqual([...crashed.orders].sort());
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 61 * DAY });
    expect(await membershipOf(db, 'grace@example.com')).toMatchObject({ valid_until: DUE });
    expect((await renewalsOf(db)).map(({ reason }) => reason).sort()).toEqual(['no_access', null]);
    expect(await next.run()).toBe(0);
    expect(asked).toHaveLength(2);
    expect(next.orders).toEqual([]);
  });

  it('extends the membership if another process was declined for the same order', async ({ service, db }) => {
    await untilDue(service);
    const { run } = renewing(service, db, async () => {
      service.clock.advance(MINUTE);
      await renewing(service, db, async () => DECLINED).run();
      return PAID;
    });
    await run();
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ valid_until: START + 60 * DAY, subscription_cancelled_at: DUE + MINUTE },
    });
    expect((await renewalsOf(db)).map(({ status }) => status).sort()).toEqual(['failed', 'succeeded']);
  });
});

describe('started renewal of a subscription that was cancelled since', () => {
  /** Starts the renewals of Ben and Grace without a result, and cancels Ben's. */
  async function cancelAfterCrash(service: ServiceUnderTest, db: Database): Promise<string> {
    await untilDue(service, 'grace');
    const crashed = renewing(service, db, async () => {
      throw new Error('no result');
    });
    await crashed.run();
    await cancel(service, db);
    const { subscription_id: subscription } = (await membershipOf(db, BEN)) ?? {};
    return crashed.orders.find((order) => order.startsWith(`${subscription}:`)) ?? '';
  }

  it.for<[string, FoundCharge, number, unknown[]]>([
    ['is not charged if the provider has not charged it', { kind: 'none' }, 30, []],
    ['is stored if the provider has charged it', PAID, 60, [SUCCEEDED]],
    ['is not stored if the provider declined it', DECLINED, 30, []],
  ])('%s, and the other ones are charged', async ([, found, days, stored], { service, db }) => {
    const order = await cancelAfterCrash(service, db);
    const asked: string[] = [];
    const { run, orders, errors } = renewing(service, db, async () => PAID, {
      findCharge: async ({ orderId, isRenewal }) => {
        expect(isRenewal).toBe(true);
        asked.push(orderId);
        return found;
      },
    });
    await run();
    expect(asked).toEqual([order]);
    expect(orders).toHaveLength(1);
    expect(orders).not.toContain(order);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + days * DAY });
    expect(await renewalsOf(db)).toEqual([SUCCEEDED, ...stored]);
    expect(await chargesOf(db)).toEqual([]);
    expect(errors).toEqual([]);
    await run();
    expect([asked, orders].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('or of a closed community is not charged', async ({ service, db }) => {
    await untilDue(service);
    const crashed = renewing(service, db, async () => {
      throw new Error('no result');
    });
    await crashed.run();
    await inTransaction(db, (transaction) => storeClosing(transaction, community.id, service.clock.now()));
    const { run, orders } = renewing(service, db, async () => PAID);
    await run();
    expect(orders).toEqual([]);
    expect(await chargesOf(db)).toEqual([]);
  });

  it('stays started while its result is pending', async ({ service, db }) => {
    const order = await cancelAfterCrash(service, db);
    const { run } = renewing(service, db, async () => PAID, {
      findCharge: async () => ({ kind: 'pending' }),
    });
    await run();
    expect(await chargesOf(db)).toEqual([{ order_id: order }]);
  });
});

describe('late renewal', () => {
  it('is not charged after the operator ended the expired membership', async ({ service, db }) => {
    await payFor(service);
    service.clock.set(START + 31 * DAY);
    await service.server.operator.end('memberships', await idOf(db));
    const { run, orders } = renewing(service, db, async () => PAID);
    expect(await run()).toBe(0);
    expect(orders).toEqual([]);
    expect(await membershipOf(db, BEN)).toMatchObject({
      ...{ valid_until: START + 30 * DAY, subscription_cancelled_at: START + 31 * DAY },
    });
  });

  it('that was paid for while the operator ended the expired membership gives no access', async ({
    service,
    db,
  }) => {
    await payFor(service);
    service.clock.set(START + 31 * DAY);
    const { run } = renewing(service, db, async () => {
      await service.server.operator.end('memberships', await idOf(db));
      return PAID;
    });
    await run();
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
    expect(await renewalsOf(db)).toEqual([NO_ACCESS]);
  });
});

describe('declined renewal', () => {
  it('of a membership that was cancelled during the charge stores nothing', async ({ service, db }) => {
    await untilDue(service);
    const { run, orders } = renewing(service, db, async () => {
      await cancel(service, db);
      return DECLINED;
    });
    await run();
    expect(await chargesOf(db)).toEqual([]);
    expect(await renewalsOf(db)).toEqual([]);
    await run();
    expect(orders).toHaveLength(1);
  });
});

describe('free renewal', () => {
  it('of a membership that was cancelled is neither stored nor charged', async ({ service, db }) => {
    await untilDue(service);
    await db.updateTable('subscriptions').set({ amount_minor: 0 }).execute();
    await cancel(service, db);
    const { run, orders } = renewing(service, db, async () => PAID);
    expect(await run()).toBe(0);
    expect(orders).toEqual([]);
    expect(await membershipOf(db, BEN)).toMatchObject({ valid_until: START + 30 * DAY });
  });
});

describe('expiry', () => {
  const announcedOf = async (db: Database) => {
    const rows = await db
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .leftJoin('community_emails as link', 'link.user_id', 'users.id')
      .select((eb) => eb.fn.coalesce('users.email', 'link.email').as('email'))
      .where('lapse_announced_at', 'is not', null)
      .where('memberships.community_id', '=', community.id)
      .execute();
    return rows.map(({ email }) => email).sort();
  };

  it('of a membership that cannot renew is announced while a renewal has no result', async ({
    service,
    db,
  }) => {
    await untilDue(service, 'grace', 'hugo');
    const grace = await membershipOf(db, 'grace@example.com');
    const crashed = renewing(service, db, async () => {
      throw new Error('no result');
    });
    await crashed.run();
    for (const email of ['ben', 'grace'] as const) {
      const { id = '' } = (await membershipOf(db, `${email}@example.com`)) ?? {};
      await db
        .updateTable('memberships')
        .set({ subscription_cancelled_at: DUE })
        .where('id', '=', id)
        .execute();
    }
    await db
      .deleteFrom('charges')
      .where('subscription_id', '=', grace?.subscription_id ?? '')
      .execute();
    service.clock.set(START + 30 * DAY);
    const needs = { db, clock: service.clock, logger: defaultLogger };
    const { signal } = new AbortController();
    const before = await announcedOf(db);
    await createExpiryWorker(needs, 'final').runOnce(signal);
    expect(await announcedOf(db)).toEqual([...before, 'grace@example.com'].sort());
    await createExpiryWorker(needs, 'renewable').runOnce(signal);
    expect(await announcedOf(db)).toEqual([...before, BEN, 'grace@example.com', 'hugo@example.com'].sort());
  });

  it('is not announced by another process while the renewal is charged', async ({ service, db }) => {
    await payFor(service);
    service.clock.set(START + 30 * DAY);
    const before = await announcedOf(db);
    const needs = { db, clock: service.clock, logger: defaultLogger };
    const announce = () => createExpiryWorker(needs, 'renewable').runOnce(new AbortController().signal);
    let announced: number | undefined;
    const { run } = renewing(service, db, async () => {
      announced = await announce();
      throw new Error('no result');
    });
    await run();
    expect(announced).toBe(0);
    expect(await announcedOf(db)).toEqual(before);
    expect(await announce()).toBe(1);
    expect(await announcedOf(db)).toEqual([...before, BEN].sort());
  });

  it('is announced only after the renewal was tried', async ({ service, db }) => {
    await payFor(service);
    await db.updateTable('subscriptions').set({ payment_method: 'no-such-method' }).execute();
    const before = await announcedOf(db);
    service.clock.set(START + 30 * DAY);
    await service.server.runBackgroundWork();
    const tried = service.log.findIndex((line) => line.includes('renew subscriptions'));
    expect(tried).toBeGreaterThan(-1);
    expect(await announcedOf(db)).toEqual([...before, BEN].sort());
  });
});

describe('charge without a result', () => {
  const never = () => new Promise<Charge>(() => undefined);

  it('is logged after the time limit, delays no other renewal, and is repeated with the same order id', async ({
    service,
    db,
  }) => {
    await untilDue(service, 'grace');
    const { run, errors, orders } = renewing(
      service,
      db,
      async (attempt) => await (attempt === 1 ? never() : PAID),
      { chargeLimitMs: 1 },
    );
    expect(await run()).toBe(1);
    expect(errors.map(({ message }) => message)).toEqual(['Background work on a row failed']);
    expect(String(errors[0]?.fields.error)).toContain('time limit');
    expect(await run()).toBe(1);
    expect(orders).toEqual([orders[0], orders[1], orders[0]]);
    expect(await renewalsOf(db)).toEqual([SUCCEEDED, SUCCEEDED]);
  });

  it('holds the worker no longer than the grace period after the process stops', async ({ service, db }) => {
    await untilDue(service);
    const { run, stop, orders, errors } = renewing(service, db, never, { stoppingGraceMs: 1 });
    const running = run();
    await expect.poll(() => orders.length).toBe(1);
    stop.abort();
    expect(await running).toBe(0);
    expect(errors).toEqual([]);
    expect(await chargesOf(db)).toEqual([{ order_id: orders[0] }]);
  });

  it('does not keep the server from closing', async ({ service, db, database }) => {
    await payFor(service);
    const { promise: charged, resolve } = Promise.withResolvers<void>();
    const payments = inlinePayments({
      charge: () => {
        resolve();
        return never();
      },
    });
    const process = await startService({ database, ...OTHER_PROCESS, payments, baseUrl: service.baseUrl });
    process.clock.set(DUE);
    const working = process.server.runBackgroundWork();
    await charged;
    await process.server.close();
    await working;
    expect(await chargesOf(db)).toHaveLength(1);
  });

  it('leaves room for three other charges at the same time', async ({ service, db }) => {
    await untilDue(service, 'one', 'two', 'three', 'four');
    const { promise, resolve } = Promise.withResolvers<Charge>();
    const { run, orders } = renewing(service, db, () => promise);
    const running = run();
    await expect.poll(() => orders.length).toBe(4);
    resolve(PAID);
    expect(await running).toBe(5);
    expect(new Set(orders).size).toBe(5);
  });
});
