import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { withdrawPayment } from '../src/features/checkout/reversals.js';
import { giveAccess } from '../src/features/memberships/administer-membership.js';
import { readMembership } from '../src/features/memberships/membership-periods.js';
import { findMembership } from '../src/features/memberships/memberships.js';
import { leaveMembership } from '../src/features/memberships/own-memberships.js';
import { END_OF_TIME } from '../src/features/memberships/timeline.js';
import type { Database } from '../src/platform/database/open-database.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { METHODS, openCheckout, pay } from './checkout-world.js';
import { postProvision } from './provision-requests.js';
import type { ServiceUnderTest } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users } = sandboxScenario;
const HOUR = 3600_000;
const DAY = 24 * HOUR;
const BEN = 'ben@example.com';

const PLANS = {
  trial: { priceMinor: 0, periodDays: 7 },
  basic: { priceMinor: 100, periodDays: 30 },
  pro: { priceMinor: 10_000, periodDays: 30 },
  proMonthly: { priceMinor: 9_000, periodDays: 30, renews: true },
  euro: { priceMinor: 50, periodDays: 14, currency: 'EUR' },
  life: { priceMinor: 20_000, periodDays: null },
  lifeToo: { priceMinor: 20_000, periodDays: null },
} as const;
type PlanName = keyof typeof PLANS;

const plan = fc.constantFrom(...(Object.keys(PLANS) as PlanName[]));
const days = fc.integer({ min: 1, max: 45 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), days }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('pay' as const), plan, isBuyer: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('provision' as const),
      plan: fc.option(plan, { nil: undefined }),
      days: fc.option(days, { freq: 6, nil: undefined }),
      onOverlap: fc.constantFrom('extend', 'replace', 'error'),
    }),
  },
  fc.record({ kind: fc.constant('join' as const), days: fc.option(days, { freq: 4 }) }),
  fc.record({ kind: fc.constant('withdraw' as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant('leave' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface World {
  readonly service: ServiceUnderTest;
  readonly db: Database;
  readonly communityId: string;
  readonly planIds: Readonly<Record<PlanName, string>>;
  /** Payments of which something was taken back on purpose: by a refund, by leaving, by a partner's `replace`. */
  readonly reduced: Set<string>;
  orders: number;
}

async function run(world: World, next: Step): Promise<void> {
  const { service, db, communityId, planIds } = world;
  const before = await findMembership(db, users.ben.id, { communityId });
  const now = service.clock.now();
  const reduceAll = async () => {
    for (const { id } of await paymentsOf(world)) world.reduced.add(id);
  };
  world.orders += 1;
  switch (next.kind) {
    case 'wait':
      // In steps, as a running service sees the time pass.
      for (let passed = 0; passed < next.days; passed += 1) {
        service.clock.advance(DAY);
        await service.server.runBackgroundWork();
      }
      break;
    case 'pay': {
      const browser =
        next.isBuyer || next.plan === 'trial' ? await signedIn(service, BEN) : service.browser();
      const checkout = { communityId, pricingPlanId: planIds[next.plan], externalId: randomUUID() };
      const path = await openCheckout(service, checkout);
      const page = await browser.get(path);
      if (page.status === 409) break;
      const answer = await pay(browser, path, METHODS.card);
      const isPaid = answer.status === 303 && locationOf(answer).endsWith('?paid');
      expect(isPaid || answer.status === 409).toBe(true);
      if (!isPaid || before === undefined) break;
      const after = await findMembership(db, users.ben.id, { communityId });
      const { row } = await readMembership(db, before, now);
      const isRunning = row.valid_from <= now && (row.valid_until === null || row.valid_until > now);
      if (!isRunning) break;
      expect(after?.valid_until === null || (after?.valid_until ?? 0) >= (row.valid_until ?? Infinity)).toBe(
        true,
      );
      if (next.isBuyer || next.plan === 'trial') break;
      if (row.pricing_plan_id !== null) expect(after?.pricing_plan_id).toBe(row.pricing_plan_id);
      if (row.subscription_id === null || row.subscription_cancelled_at !== null) break;
      expect(after).toMatchObject({
        ...{ subscription_id: row.subscription_id, subscription_cancelled_at: null },
        renews_at: row.renews_at,
      });
      break;
    }
    case 'provision': {
      const answer = await postProvision(service, {
        ...{ communityId, email: BEN, externalOrderId: `order-${world.orders}`, onOverlap: next.onOverlap },
        pricingPlanId: next.plan && planIds[next.plan],
        validUntil: next.days === undefined ? undefined : new Date(now + next.days * DAY).toISOString(),
      });
      expect([200, 409]).toContain(answer.status);
      if (answer.status === 200 && next.onOverlap === 'replace') await reduceAll();
      break;
    }
    case 'join': {
      const window = { validFrom: now, validUntil: next.days === null ? null : now + next.days * DAY };
      const key = { userId: users.ben.id, communityId };
      await inTransaction(db, (transaction) =>
        giveAccess(transaction, key, { window, source: 'invitation', now }),
      );
      break;
    }
    case 'withdraw': {
      const payments = await paymentsOf(world);
      const payment = payments[next.which % Math.max(1, payments.length)];
      if (payment === undefined) break;
      world.reduced.add(payment.id);
      await inTransaction(db, (transaction) => withdrawPayment(transaction, { paymentId: payment.id, now }));
      expect(
        (await periodsOf(world)).filter((period) => period.payment_id === payment.id && !isOver(period, now)),
      ).toEqual([]);
      break;
    }
    case 'leave':
      if (before !== undefined)
        await leaveMembership(db, { userId: users.ben.id, membershipId: before.id }, now);
      await reduceAll();
  }
}

const isOver = ({ ends_at }: { ends_at: number | null }, now: number) => ends_at !== null && ends_at <= now;

function paymentsOf({ db, communityId }: World) {
  return db
    .selectFrom('payments')
    .select(['id', 'pricing_plan_id', 'amount_minor'])
    .where('community_id', '=', communityId)
    .where('status', '=', 'succeeded')
    .where('reason', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

function periodsOf({ db, communityId }: World) {
  return db
    .selectFrom('membership_periods')
    .innerJoin('memberships', 'memberships.id', 'membership_periods.membership_id')
    .selectAll('membership_periods')
    .where('memberships.community_id', '=', communityId)
    .orderBy('starts_at')
    .execute();
}

async function check(world: World): Promise<void> {
  const { service, db, communityId, planIds, reduced } = world;
  const now = service.clock.now();
  const periods = await periodsOf(world);
  const planned = periods.filter(({ plan_id }) => plan_id !== null);
  for (const [index, { starts_at, ends_at }] of planned.entries()) {
    expect(ends_at === null || starts_at < ends_at).toBe(true);
    const next = planned[index + 1];
    // What a plan for life interrupts waits.
    if (next !== undefined) expect(next.starts_at).toBeGreaterThanOrEqual(ends_at ?? END_OF_TIME);
  }
  // Each payment has its days: no more, and no less unless they were taken back.
  for (const payment of await paymentsOf(world)) {
    const name = (Object.keys(planIds) as PlanName[]).find((one) => planIds[one] === payment.pricing_plan_id);
    const own = periods.filter(({ payment_id }) => payment_id === payment.id);
    if (payment.amount_minor === 0 || name === undefined) continue;
    if (PLANS[name].periodDays === null && !reduced.has(payment.id))
      expect(own.filter(({ ends_at }) => ends_at === null)).toHaveLength(1);
    if (PLANS[name].periodDays === null) continue;
    const held = own.reduce((sum, { starts_at, ends_at }) => sum + (ends_at ?? Infinity) - starts_at, 0);
    for (const { plan_id } of own) expect(plan_id).toBe(payment.pricing_plan_id);
    const paid = PLANS[name].periodDays * DAY;
    if (reduced.has(payment.id)) expect(held).toBeLessThanOrEqual(paid);
    else expect(held).toBe(paid);
  }
  const free = periods.filter(({ source }) => source === 'free');
  const freeTime = free.reduce((sum, { starts_at, ends_at }) => sum + (ends_at ?? Infinity) - starts_at, 0);
  expect(freeTime).toBeLessThanOrEqual(PLANS.trial.periodDays * DAY);
  // The row is what the periods say.
  const stored = await findMembership(db, users.ben.id, { communityId });
  if (stored === undefined) return;
  const { row } = await readMembership(db, stored, now);
  const { lapse_announced_at: _stored, ...access } = stored;
  const { lapse_announced_at: _derived, ...derived } = row;
  expect(access).toEqual(derived);
}

describe('what a membership was paid and granted for', () => {
  it('is what it gives, after any history of payments, renewals, provisionings, invitations, refunds and departures', {
    timeout: 300_000,
  }, async ({ service, db }) => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const communityId = randomUUID();
      const { operator } = service.server;
      await operator.createCommunity({ id: communityId, name: 'Club', ownerId: users.dana.id });
      const planIds: Partial<Record<PlanName, string>> = {};
      for (const [name, settings] of Object.entries(PLANS)) {
        const { periodDays } = settings;
        const created = {
          currency: 'USD',
          ...settings,
          periodDays: periodDays ?? undefined,
          communityId,
          name,
        };
        planIds[name as PlanName] = (await operator.createPricingPlan(created)).id;
      }
      const world: World = {
        ...{ service, db, communityId, planIds: planIds as Record<PlanName, string> },
        ...{ reduced: new Set(), orders: 0 },
      };
      for (const next of steps) {
        await run(world, next);
        await service.server.runBackgroundWork();
        await check(world);
      }
    });
    await fc.assert(property, fuzzRuns(15));
  });
});
