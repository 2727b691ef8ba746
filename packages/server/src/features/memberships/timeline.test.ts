import { describe, expect, it } from 'vitest';
import {
  accessAt,
  addPurchase,
  addRenewal,
  addTimeline,
  cutAt,
  END_OF_TIME,
  grantOrder,
  grantPlan,
  isWaiting,
  type Payer,
  type Period,
  type PlanPurchase,
  placePurchase,
  setEnd,
  type Timeline,
  withdrawPeriods,
} from './timeline.js';

const DAY = 24 * 3600_000;
const NOW = Date.parse('2026-06-12T14:05:00.000Z');
const day = (days: number) => NOW + days * DAY;

const BUYER: Payer = { isBuyer: true, startsNow: false };
const UPGRADE: Payer = { isBuyer: true, startsNow: true };
const STRANGER: Payer = { isBuyer: false, startsNow: true };
const PLACED = {
  kind: 'placed',
  pausesRest: true,
  startsSubscription: false,
  stopsSubscription: false,
} as const;

/** A period of a plan from one day to another; a null `end` means lifetime. */
function period(
  planId: string | null,
  start: number,
  end: number | null,
  more: Partial<Period> = {},
): Period {
  return {
    planId,
    startsAt: day(start),
    endsAt: end === null ? null : day(end),
    source: planId === null ? 'grant' : 'payment',
    paymentId: planId === null ? null : `for ${planId}`,
    subscriptionId: null,
    ...more,
  };
}

/** Writes a timeline as `pro 0-30`, in days from now, and waiting periods as `pro waits 30`, with their length. */
function shown(timeline: Timeline): string[] {
  const days = (at: number | null) => (at === null ? '' : String((at - NOW) / DAY));
  return timeline.map((period) => {
    const { planId, startsAt, endsAt } = period;
    if (isWaiting(period)) return `${planId} waits ${endsAt === null ? '' : (endsAt - startsAt) / DAY}`;
    return `${planId ?? 'open'} ${days(startsAt)}-${days(endsAt)}`;
  });
}

function buy(
  timeline: Timeline,
  bought: Partial<PlanPurchase>,
  payer: Payer,
  renewingId: string | null = null,
) {
  const purchase = { planId: 'pro', periodDays: 30, renews: false, ...bought };
  const placed = placePurchase(timeline, purchase, { ...payer, renewingId, now: NOW });
  if (placed.kind === 'nothing') return 'nothing';
  const origin = {
    source: 'payment',
    paymentId: 'new',
    subscriptionId: placed.startsSubscription ? 'new' : null,
  } as const;
  const { planId, periodDays } = purchase;
  const { startsSubscription: starts, stopsSubscription: stops } = placed;
  return { timeline: shown(addPurchase(timeline, placed, { ...origin, planId, periodDays })), starts, stops };
}

const timelineOf = (bought: ReturnType<typeof buy>) => (bought === 'nothing' ? bought : bought.timeline);

describe('the place of a purchase', () => {
  const basic = period('basic', -10, 20);
  const pro = period('pro', -10, 20);
  const life = period('life', -10, null);
  it.each([
    // what is planned, what is bought, by the buyer, by a stranger
    ['nothing', [], {}, ['pro 0-30'], ['pro 0-30']],
    ['for life on nothing', [], { periodDays: null }, ['pro 0-'], ['pro 0-']],
    ['a window', [period(null, -10, 20)], {}, ['open -10-20', 'pro 0-30'], ['open -10-20', 'pro 0-30']],
    [
      'an endless window',
      [period(null, -10, null)],
      {},
      ['open -10-', 'pro 0-30'],
      ['open -10-', 'pro 0-30'],
    ],
    ['the same plan', [pro], {}, ['pro -10-20', 'pro 20-50'], ['pro -10-20', 'pro 20-50']],
    ['another plan', [basic], {}, ['basic -10-20', 'pro 20-50'], ['basic -10-20', 'pro 20-50']],
    [
      'the same plan before another',
      [pro, period('basic', 20, 40)],
      {},
      ['pro -10-20', 'pro 20-50', 'basic 50-70'],
      ['pro -10-20', 'basic 20-40', 'pro 40-70'],
    ],
    [
      'a planned start',
      [period('basic', 5, 20)],
      {},
      ['pro 0-30', 'basic 30-45'],
      ['basic 5-20', 'pro 20-50'],
    ],
    ['a plan for life', [life], {}, ['life -10-0', 'pro 0-30', 'life 30-'], 'nothing'],
    ['the same plan for life', [period('pro', -10, null)], {}, 'nothing', 'nothing'],
    [
      'for life after days',
      [basic],
      { periodDays: null },
      ['basic -10-20', 'pro 20-'],
      ['basic -10-20', 'pro 20-'],
    ],
    [
      'for life instead of another plan for life',
      [life],
      { periodDays: null },
      ['life -10-0', 'pro 0-', 'life waits '],
      'nothing',
    ],
    ['the same for life again', [period('pro', -10, null)], { periodDays: null }, 'nothing', 'nothing'],
    [
      'days before a later plan for life',
      [basic, period('life', 20, null)],
      {},
      ['basic -10-20', 'pro 20-50', 'life 50-'],
      'nothing',
    ],
    [
      'the same plan before its plan for life',
      [pro, period('pro', 20, null)],
      {},
      ['pro -10-20', 'pro 20-50', 'pro 50-'],
      'nothing',
    ],
    ['past the end of time', [], { periodDays: 5_000_000 }, 'nothing', 'nothing'],
  ] as const)('%s', (_name, timeline, bought, byBuyer, byStranger) => {
    expect(timelineOf(buy(timeline, bought, BUYER))).toEqual(byBuyer);
    expect(timelineOf(buy(timeline, bought, STRANGER))).toEqual(byStranger);
  });

  it('starts a dearer plan of the buyer now, and the rest of the running one after it', () => {
    const timeline = [basic, period('more', 20, 40)];
    expect(timelineOf(buy(timeline, {}, UPGRADE))).toEqual([
      'basic -10-0',
      'pro 0-30',
      'basic 30-50',
      'more 50-70',
    ]);
    expect(timelineOf(buy(timeline, {}, STRANGER))).toEqual(['basic -10-20', 'more 20-40', 'pro 40-70']);
  });

  it('starts a plan for life of the buyer now if it outweighs what then waits, and never a stranger’s', () => {
    const timeline = [basic, period('more', 20, 40)];
    const forLife = { periodDays: null };
    expect(timelineOf(buy(timeline, forLife, UPGRADE))).toEqual([
      ...['basic -10-0', 'pro 0-', 'basic waits 20', 'more waits 20'],
    ]);
    const after = ['basic -10-20', 'more 20-40', 'pro 40-'];
    expect(timelineOf(buy(timeline, forLife, BUYER))).toEqual(after);
    expect(timelineOf(buy(timeline, forLife, STRANGER))).toEqual(after);
    expect(timelineOf(buy([basic, period('pro', 20, null)], forLife, UPGRADE))).toBe('nothing');
  });

  it.each([
    ['starts where none renews', UPGRADE, { renews: true }, null, true, false],
    ['starts by a stranger where none renews', STRANGER, { renews: true }, null, true, false],
    ['replaces the one that renews, by the buyer', UPGRADE, { renews: true }, 'old', true, true],
    ['is a single period by a stranger while one renews', STRANGER, { renews: true }, 'old', false, false],
    ['goes on after a single purchase', UPGRADE, {}, 'old', false, false],
    ['ends with a plan for life, by the buyer', BUYER, { periodDays: null }, 'old', false, true],
    ['goes on after a plan for life by a stranger', STRANGER, { periodDays: null }, 'old', false, false],
  ] as const)('a subscription %s', (_name, payer, bought, renewingId, starts, stops) => {
    expect(buy([{ ...basic, subscriptionId: renewingId }], bought, payer, renewingId)).toMatchObject({
      starts,
      stops,
    });
  });

  it('delays the next charge of a subscription by a single purchase of its plan', () => {
    const renewed = { ...pro, subscriptionId: 'old' };
    expect(timelineOf(buy([renewed], {}, BUYER, 'old'))).toEqual(['pro -10-0', 'pro 0-30', 'pro 30-50']);
  });
});

describe('other changes of a timeline', () => {
  const origin = { source: 'provisioning', paymentId: null, subscriptionId: null } as const;
  const grant = (timeline: Timeline, start: number, end: number | null, yielding?: string) =>
    shown(
      grantPlan(
        timeline,
        { ...origin, planId: 'pro' },
        { startsAt: day(start), endsAt: end === null ? null : day(end) },
        ({ planId }) => planId === yielding,
      ),
    );

  it('a renewal goes where its subscription ends, and pushes what comes later', () => {
    const timeline = [period('pro', -10, 20), period('basic', 20, 50)];
    const renewed = { ...origin, source: 'renewal', planId: 'pro', periodDays: 30 } as const;
    expect(shown(addRenewal(timeline, renewed, { renewsAt: day(20), now: NOW }))).toEqual([
      'pro -10-20',
      'pro 20-50',
      'basic 50-80',
    ]);
    expect(shown(addRenewal([], renewed, { renewsAt: day(-5), now: NOW }))).toEqual(['pro 0-30']);
  });

  it('a granted plan covers windows and granted time, and never bought time', () => {
    const granted = { source: 'provisioning', paymentId: null } as const;
    expect(grant([period(null, -5, 90)], 0, 30)).toEqual(['open -5-90', 'pro 0-30']);
    expect(grant([period('basic', -5, 90, granted)], 0, 30)).toEqual([
      'basic -5-0',
      'pro 0-30',
      'basic 30-90',
    ]);
    expect(grant([period('basic', -5, null, granted)], 0, null)).toEqual(['basic -5-0', 'pro 0-']);
    expect(grant([period('pro', -5, 10, granted)], 0, 30)).toEqual(['pro -5-30']);
    expect(grant([period('pro', -5, 40, granted)], 0, 30)).toEqual(['pro -5-40']);
    expect(grant([period('basic', -5, 10)], 0, 30)).toEqual(['basic -5-10', 'pro 10-30']);
    expect(grant([period('basic', -5, 10), period('more', 12, 20)], 0, null)).toEqual([
      'basic -5-10',
      'pro 10-12',
      'more 12-20',
      'pro 20-',
    ]);
    expect(grant([period('basic', -5, null)], 0, 30)).toEqual(['basic -5-']);
    const two = [period('basic', -5, 10), period('more', 20, 40), period('basic', 40, 50)];
    expect(grant(two, 0, 30, 'basic')).toEqual([
      'basic -5-0',
      'pro 0-20',
      'more 20-40',
      'basic 40-50',
      'basic 50-60',
    ]);
    const waiting = { ...period('more', 0, 7), startsAt: END_OF_TIME, endsAt: END_OF_TIME + 7 * DAY };
    const forLife = [period('basic', -5, null), waiting];
    expect(grant(forLife, 0, 30, 'basic')).toEqual(['basic -5-0', 'pro 0-30', 'basic 30-', 'more waits 7']);
    expect(grant(two, 0, null, 'basic')).toEqual(grant(two, 0, null));
    expect(grant(forLife, 0, null, 'basic')).toEqual([
      'basic -5-0',
      'pro 0-',
      'more waits 7',
      'basic waits ',
    ]);
    expect(grant([period('basic', 5, 10), period('more', 10, null)], 0, 30, 'basic')).toEqual([
      'pro 0-10',
      'basic 10-15',
      'more 15-',
    ]);
    const free = { source: 'free', paymentId: null } as const;
    expect(grant([period('trial', -5, 2, free)], 0, 30)).toEqual(['trial -5-2', 'pro 2-30']);
  });

  it('a new end cuts, or extends the last plan', () => {
    const timeline = [period('pro', -10, 20), period('basic', 20, 50), period(null, 0, 60)];
    expect(shown(setEnd(timeline, day(30), NOW))).toEqual(['pro -10-20', 'basic 20-30', 'open 0-30']);
    expect(shown(setEnd(timeline, day(90), NOW)).at(1)).toBe('open 0-90');
    expect(shown(setEnd([period('pro', -10, 20)], day(50), NOW))).toEqual(['pro -10-20', 'pro 20-50']);
    expect(shown(setEnd([period('pro', -10, 20)], null, NOW))).toEqual(['pro -10-20', 'pro 20-']);
    expect(setEnd([period('pro', -10, 20)], day(50), NOW)[1]).toMatchObject({
      source: 'grant',
      paymentId: null,
    });
    expect(shown(cutAt(timeline, NOW))).toEqual(['pro -10-0']);
  });

  it('a withdrawn payment takes what is left, and later periods move forward', () => {
    const timeline = [
      period('basic', -10, 0),
      period('pro', -5, 25),
      period('basic', 25, 45, { paymentId: 'first' }),
      period('more', 50, 60),
    ];
    expect(shown(withdrawPeriods(timeline, 'for pro', NOW))).toEqual([
      'basic -10-0',
      'pro -5-0',
      'basic 0-20',
      'more 50-60',
    ]);
    expect(shown(withdrawPeriods(timeline, 'first', NOW))).toEqual([
      'basic -10-0',
      'pro -5-25',
      'more 50-60',
    ]);
  });

  it('a withdrawn payment takes all of what it bought, also if that waits in two parts', () => {
    const waiting = (planId: string, start: number, end: number | null): Period => ({
      ...period(planId, 0, null),
      startsAt: END_OF_TIME + start * DAY,
      endsAt: end === null ? null : END_OF_TIME + end * DAY,
    });
    const timeline = [period('max', 0, null), waiting('basic', 0, 1), waiting('pro', 1, 3)];
    const all = [...timeline, waiting('basic', 3, null), waiting('more', 4, 5)];
    expect(shown(withdrawPeriods(all, 'for basic', NOW))).toEqual(['max 0-', 'pro waits 2', 'more waits 1']);
  });

  it('a withdrawn payment leaves a partner’s order between its dates, with its plan', () => {
    const order = (bought: Timeline, start: number, end: number | null) => {
      const origin = {
        planId: 'basic',
        source: 'provisioning',
        paymentId: null,
        subscriptionId: null,
      } as const;
      return grantOrder(bought, origin, period('basic', start, end));
    };
    const without = (timeline: Timeline, payment: string, at = 0) =>
      shown(withdrawPeriods(timeline, payment, day(at)).filter(({ planId }) => planId !== null));
    const after = order([period('pro', -5, 25)], 0, 60);
    expect(shown(after)).toEqual(['pro -5-25', 'open 0-60', 'basic 25-60']);
    expect(without(after, 'for pro', 10)).toEqual(['pro -5-10', 'basic 10-25', 'basic 25-60']);
    expect(without(order([period('pro', -5, 25)], 0, 20), 'for pro')).toEqual(['pro -5-0', 'basic 0-20']);
    expect(without(order([period('pro', -5, 25)], 25, 60), 'for pro')).toEqual(['pro -5-0', 'basic 25-60']);
    expect(without(order([period('pro', -5, null)], 0, null), 'for pro')).toEqual(['pro -5-0', 'basic 0-']);
    // What the buyer put before it moves back, and the order isn't held for longer than it was made for.
    const max = { ...period('max', 0, null), periodDays: 30 };
    const pushed = addPurchase(after, { ...PLACED, startsAt: NOW }, max);
    expect(without(withdrawPeriods(pushed, 'for max', NOW), 'for pro')).toEqual([
      'pro -5-0',
      'basic 0-25',
      'basic 25-60',
    ]);
    expect(without(withdrawPeriods(pushed, 'for pro', NOW), 'for max')).toEqual([
      'pro -5-0',
      'basic 0-25',
      'basic 25-60',
    ]);
    // A later order for another plan takes its dates.
    const origin = {
      planId: 'other',
      source: 'provisioning',
      paymentId: null,
      subscriptionId: null,
    } as const;
    const replaced = grantOrder(after, origin, period('other', 10, 60));
    expect(without(replaced, 'for pro')).toEqual(['pro -5-0', 'basic 0-10', 'other 10-25', 'other 25-60']);
  });

  it('a withdrawn payment of a plan for life brings back everything that waits behind it', () => {
    const [basic, life] = [period('basic', -10, 20), period('life', 20, null)];
    const bought = (timeline: Timeline, planId: string, at: number) =>
      addPurchase(
        timeline,
        { ...PLACED, startsAt: day(at) },
        { ...period(planId, 0, null), periodDays: null },
      );
    const replaced = bought(bought([basic, life], 'pro', 0), 'max', 0);
    expect(shown(replaced)).toEqual(['basic -10-0', 'max 0-', 'pro waits ', 'basic waits 20', 'life waits ']);
    expect(accessAt(replaced, NOW)).toMatchObject({ planId: 'max', validUntil: null, changesAt: null });
    // The order doesn't matter, and neither does other time bought in between.
    const more = addPurchase(
      replaced,
      { ...PLACED, startsAt: NOW },
      { ...period('basic', 0, 30, { paymentId: 'more' }), periodDays: 30 },
    );
    expect(shown(withdrawPeriods(more, 'for max', NOW))).toEqual([
      'basic -10-0',
      'basic 0-30',
      'pro 30-',
      'basic waits 20',
      'life waits ',
    ]);
    const last = withdrawPeriods(withdrawPeriods(more, 'for pro', NOW), 'for max', NOW);
    expect(shown(last)).toEqual(['basic -10-0', 'basic 0-30', 'basic 30-50', 'life 50-']);
    expect(shown(withdrawPeriods(withdrawPeriods(replaced, 'for max', day(9)), 'for pro', day(9)))).toEqual([
      'basic -10-0',
      'max 0-9',
      'basic 9-29',
      'life 29-',
    ]);
    expect(shown(withdrawPeriods(replaced, 'for basic', NOW))).toEqual([
      'basic -10-0',
      'max 0-',
      'pro waits ',
      'life waits ',
    ]);
    expect(shown(cutAt(replaced, day(3)))).toEqual(['basic -10-0', 'max 0-3']);
  });

  it('a joined membership adds its periods after what is planned', () => {
    const joined = addTimeline(
      [period('pro', -5, 25), period('life', 25, null)],
      [period('basic', -5, 5), period('other', 5, null), period(null, 0, 9)],
      NOW,
    );
    expect(shown(joined)).toEqual(['pro -5-25', 'open 0-9', 'basic 25-30', 'life 30-', 'other waits ']);
  });

  it('access is the stretch that runs or comes next, with its plan and its next change', () => {
    const timeline = [
      period('pro', -10, 20),
      period('basic', 20, 50),
      period(null, 0, 60),
      period(null, 70, null),
    ];
    expect(accessAt(timeline, NOW)).toEqual({
      validFrom: day(-10),
      validUntil: day(60),
      planId: 'pro',
      changesAt: day(20),
    });
    expect(accessAt(timeline, day(55))).toMatchObject({
      validUntil: day(60),
      planId: null,
      changesAt: day(60),
    });
    expect(accessAt(timeline, day(65))).toEqual({
      validFrom: day(70),
      validUntil: null,
      planId: null,
      changesAt: null,
    });
    expect(accessAt([period('pro', -10, 0)], NOW)).toBeUndefined();
  });
});
