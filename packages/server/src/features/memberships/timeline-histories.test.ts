import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../../scripts/fuzz-runs.mjs';
import {
  accessAt,
  addPurchase,
  addRenewal,
  addWindow,
  cutAt,
  endOf,
  grantOrder,
  isWaiting,
  placePurchase,
  plannedOf,
  setEnd,
  type Timeline,
  withdrawPeriods,
} from './timeline.js';

const DAY = 24 * 3600_000;
const START = Date.parse('2026-06-12T14:05:00.000Z');
const PLANS = ['basic', 'pro', 'max'] as const;

/** A step of a history. Days are whole numbers, which makes boundaries meet often. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 45 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      plan: fc.constantFrom(...PLANS),
      days: fc.option(fc.constantFrom(7, 30), { freq: 8 }),
      renews: fc.boolean(),
      isFree: fc.boolean(),
      isBuyer: fc.boolean(),
      startsNow: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('renew' as const) }),
  fc.record({
    kind: fc.constant('window' as const),
    from: fc.nat(20),
    days: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 5 }),
  }),
  fc.record({
    kind: fc.constant('provision' as const),
    plan: fc.constantFrom(...PLANS),
    from: fc.nat(10),
    days: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 8 }),
    replaces: fc.boolean(),
    basicYields: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('withdraw' as const), which: fc.nat(9) }),
  fc.record({
    kind: fc.constant('set-end' as const),
    days: fc.option(fc.integer({ min: 1, max: 90 }), { freq: 5 }),
  }),
  fc.record({ kind: fc.constant('end' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A membership, and how long its plans may be held. */
interface World {
  now: number;
  timeline: Timeline;
  renewing: { id: string; planId: string; renewsAt: number } | null;
  payments: string[];
  /** By plan: time that was paid or granted, less what was withdrawn or cut. Infinite for lifetime plans. */
  owed: Map<string, number>;
  /** By plan: time that has passed with the plan. */
  held: Map<string, number>;
}

/** Time that is left of a plan, including what waits behind a lifetime plan. */
const lengthOf = (timeline: Timeline, plan: string, now: number) =>
  timeline
    .filter(({ planId, endsAt }) => planId === plan && (endsAt === null || endsAt > now))
    .reduce(
      (sum, { startsAt, endsAt }) => sum + (endsAt ?? Number.POSITIVE_INFINITY) - Math.max(now, startsAt),
      0,
    );

/** Time that is left of windows, which can overlap. */
const leftOf = (windows: Timeline, now: number) =>
  windows.reduce(
    (sum, { startsAt, endsAt }) => sum + (endsAt ?? Number.POSITIVE_INFINITY) - Math.max(now, startsAt),
    0,
  );

/** The same for lifetime plans, which have no length. */
const forLife = (timeline: Timeline, plan: string) =>
  timeline.filter(({ planId, endsAt }) => planId === plan && endsAt === null).length;

/** The plan at an instant: null without a plan, `undefined` without access. */
function planAt(timeline: Timeline, at: number): string | null | undefined {
  const covers = ({ startsAt, endsAt }: Timeline[number]) =>
    startsAt <= at && (endsAt === null || at < endsAt);
  const planned = timeline.find((period) => period.planId !== null && covers(period));
  return planned?.planId ?? (timeline.some(covers) ? null : undefined);
}

/** Compares without the cost of an assertion: there are millions of comparisons. */
function same(actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected);
}

function owe({ owed }: World, plan: string, ms: number): void {
  owed.set(plan, (owed.get(plan) ?? 0) + ms);
}

/** Time that a step takes away on purpose is no longer owed. */
function reckon(world: World, changed: Timeline): void {
  for (const plan of PLANS) {
    const before = lengthOf(world.timeline, plan, world.now);
    const after = lengthOf(changed, plan, world.now);
    if (Number.isFinite(before) && Number.isFinite(after)) owe(world, plan, after - before);
    else if (Number.isFinite(after)) world.owed.set(plan, (world.held.get(plan) ?? 0) + after);
    else world.owed.set(plan, Number.POSITIVE_INFINITY);
  }
  world.timeline = changed;
}

function pass(world: World, until: number): void {
  for (const plan of PLANS) {
    const before = lengthOf(world.timeline, plan, world.now);
    const time = Number.isFinite(before)
      ? before - lengthOf(world.timeline, plan, until)
      : plannedOf(world.timeline, world.now)
          .filter(({ planId }) => planId === plan)
          .reduce(
            (sum, { startsAt, endsAt }) =>
              sum + Math.max(0, Math.min(endsAt ?? until, until) - Math.max(world.now, startsAt)),
            0,
          );
    world.held.set(plan, (world.held.get(plan) ?? 0) + time);
  }
  world.now = until;
}

function buy(world: World, { plan, days, renews, isFree, isBuyer, startsNow }: Step & { kind: 'buy' }): void {
  const { timeline, now, renewing } = world;
  const purchase = { planId: plan, periodDays: days, renews: renews && days !== null };
  const placed = placePurchase(timeline, purchase, {
    isBuyer,
    startsNow,
    renewingId: renewing?.id ?? null,
    now,
  });
  if (placed.kind === 'nothing') return;
  const id = `payment ${world.payments.length}`;
  const subscriptionId = placed.startsSubscription ? id : null;
  const bought = addPurchase(timeline, placed, {
    planId: plan,
    periodDays: days,
    source: isFree ? 'free' : 'payment',
    paymentId: id,
    subscriptionId,
  });
  // A sale adds its days, and takes none from another plan.
  for (const other of PLANS) {
    const [before, after] = [lengthOf(timeline, other, now), lengthOf(bought, other, now)];
    const added = other === plan ? (days ?? Number.POSITIVE_INFINITY) * DAY : 0;
    same(after, before + added);
    same(forLife(bought, other), forLife(timeline, other) + (other === plan && days === null ? 1 : 0));
  }
  if (!isBuyer) same(bought.filter(isWaiting).length, timeline.filter(isWaiting).length);
  const ends = bought
    .flatMap((period) => [period.startsAt, period.endsAt ?? period.startsAt])
    .filter((at) => at >= now);
  for (const at of [now, ...ends, ...ends.map((end) => end - 1)].filter((at) => at >= now)) {
    const before = planAt(timeline, at);
    if (before === undefined) continue;
    // No payment takes access away, and somebody else's payment neither replaces nor moves a plan.
    same(planAt(bought, at) === undefined, false);
    if (!isBuyer && before !== null) same(planAt(bought, at), before);
  }
  if (!isBuyer && renewing !== null)
    expect(placed).toMatchObject({ startsSubscription: false, stopsSubscription: false });
  owe(world, plan, days === null ? Number.POSITIVE_INFINITY : days * DAY);
  world.timeline = bought;
  world.payments.push(id);
  if (placed.stopsSubscription) world.renewing = null;
  if (subscriptionId !== null) world.renewing = { id, planId: plan, renewsAt: 0 };
  follow(world);
}

/** A subscription renews from where its last period ends. */
function follow({ timeline, renewing }: World): void {
  if (renewing === null) return;
  const ends = timeline
    .filter(({ subscriptionId }) => subscriptionId === renewing.id)
    .map(({ endsAt }) => endsAt ?? 0);
  renewing.renewsAt = Math.max(renewing.renewsAt, ...ends);
}

function run(world: World, next: Step): void {
  const { now, timeline, renewing } = world;
  switch (next.kind) {
    case 'wait': {
      const until = now + next.days * DAY;
      if (renewing !== null && renewing.renewsAt <= until) {
        pass(world, Math.max(now, renewing.renewsAt));
        renew(world);
      }
      pass(world, Math.max(world.now, until));
      break;
    }
    case 'buy':
      buy(world, next);
      break;
    case 'renew':
      renew(world);
      break;
    case 'window': {
      const startsAt = now + next.from * DAY;
      const window = { startsAt, endsAt: next.days === null ? null : startsAt + next.days * DAY };
      const origin = { source: 'invitation', paymentId: null, subscriptionId: null } as const;
      const widened = addWindow(timeline, origin, window);
      expect(plannedOf(widened, now)).toEqual(plannedOf(timeline, now));
      world.timeline = widened;
      break;
    }
    case 'provision': {
      const startsAt = now + next.from * DAY;
      const window = { startsAt, endsAt: next.days === null ? null : startsAt + next.days * DAY };
      const origin = {
        planId: next.plan,
        source: 'provisioning',
        paymentId: null,
        subscriptionId: null,
      } as const;
      const kept = next.replaces ? cutAt(timeline, now) : timeline;
      const yields = next.basicYields && next.plan !== 'basic';
      const granted = grantOrder(kept, origin, window, ({ planId }) => yields && planId === 'basic');
      const isBought = ({ source }: Timeline[number]) =>
        source !== 'provisioning' && source !== 'grant' && source !== 'invitation';
      const bought = (of: Timeline) => of.filter(isBought);
      if (yields) same(lengthOf(bought(granted), 'basic', now), lengthOf(bought(kept), 'basic', now));
      else expect(bought(granted)).toEqual(bought(kept));
      const gained = lengthOf(granted, next.plan, now) - lengthOf(kept, next.plan, now);
      if (next.days !== null && Number.isFinite(gained)) expect(gained).toBeLessThanOrEqual(next.days * DAY);
      if (next.replaces) world.renewing = null;
      reckon(world, granted);
      break;
    }
    case 'withdraw': {
      const paymentId = world.payments[next.which % Math.max(1, world.payments.length)];
      if (paymentId === undefined) break;
      const withdrawn = withdrawPeriods(timeline, paymentId, now);
      for (const plan of PLANS) {
        const others = timeline.filter((period) => period.paymentId !== paymentId);
        const [before, after] = [lengthOf(others, plan, now), lengthOf(withdrawn, plan, now)];
        const dates = withdrawn.filter(
          ({ orderedPlanId, endsAt }) => orderedPlanId === plan && (endsAt === null || endsAt > now),
        );
        const isFilled = after > before || forLife(withdrawn, plan) > forLife(others, plan);
        if (!isFilled) same(after, before);
        // An order's plan gets what is left between its dates, and no more.
        else if (Number.isFinite(before)) same(after - before <= leftOf(dates, now), true);
        for (const { startsAt, endsAt } of dates)
          for (const at of [Math.max(now, startsAt), endsAt === null ? now + 9_999 * DAY : endsAt - 1])
            same(at < startsAt || typeof planAt(withdrawn, at), at < startsAt || 'string');
      }
      if (renewing?.id === paymentId) world.renewing = null;
      reckon(world, withdrawn);
      break;
    }
    case 'set-end':
      if (renewing === null)
        reckon(world, setEnd(timeline, next.days === null ? null : now + next.days * DAY, now));
      break;
    case 'end':
      world.renewing = null;
      reckon(world, cutAt(timeline, now));
      break;
  }
}

function renew(world: World): void {
  const { renewing, timeline, now } = world;
  if (renewing === null) return;
  const id = `payment ${world.payments.length}`;
  const { planId, id: subscriptionId, renewsAt } = renewing;
  const origin = { planId, periodDays: 30, source: 'renewal', paymentId: id, subscriptionId } as const;
  const renewed = addRenewal(timeline, origin, { renewsAt, now });
  for (const plan of PLANS) {
    const added = plan === planId ? 30 * DAY : 0;
    same(lengthOf(renewed, plan, now), lengthOf(timeline, plan, now) + added);
  }
  owe(world, planId, 30 * DAY);
  world.timeline = renewed;
  world.payments.push(id);
  follow(world);
}

function check({ timeline, now, owed, held }: World): void {
  const planned = plannedOf(timeline, now);
  for (const [index, { startsAt, endsAt }] of planned.entries()) {
    same(endsAt === null || startsAt < endsAt, true);
    const next = planned[index + 1];
    if (next !== undefined) same(next.startsAt >= (endsAt ?? Number.POSITIVE_INFINITY), true);
  }
  // Only a lifetime plan keeps others waiting. Once it's withdrawn, what it interrupted comes back in order.
  const waiting = timeline.filter(isWaiting);
  if (waiting.length > 0) same(planned.at(-1)?.endsAt, null);
  for (const [index, { startsAt, endsAt }] of waiting.entries())
    same((waiting[index + 1]?.startsAt ?? Number.POSITIVE_INFINITY) >= (endsAt ?? startsAt + 1), true);
  for (const plan of PLANS) same((held.get(plan) ?? 0) + lengthOf(timeline, plan, now), owed.get(plan) ?? 0);
  // The stored state moves on only at its own changes. At every instant it must agree with the periods.
  let at = now;
  for (let access = accessAt(timeline, at); access !== undefined; access = accessAt(timeline, at)) {
    const until = access.changesAt ?? access.validUntil ?? Math.max(at, access.validFrom) + DAY;
    for (const instant of [at, access.validFrom, Math.floor((at + until) / 2), until - 1].filter(
      (time) => time >= at && time < until,
    )) {
      const isActive =
        access.validFrom <= instant && (access.validUntil === null || instant < access.validUntil);
      same(planAt(timeline, instant), isActive ? access.planId : undefined);
    }
    if (access.changesAt === null) {
      same(access.validUntil, endOf(timeline));
      break;
    }
    at = access.changesAt;
  }
}

describe('histories of a membership', () => {
  it('hold each plan for exactly what was paid or granted and not taken back', () => {
    const property = fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const world: World = {
        now: START,
        timeline: [],
        renewing: null,
        payments: [],
        owed: new Map(),
        held: new Map(),
      };
      for (const next of steps) {
        run(world, next);
        check(world);
      }
    });
    fc.assert(property, fuzzRuns(4_000));
  });
});
