import { DAY_MS } from '@latchkey/contract/constants';
import type { Schema } from '../../migrations/schema.js';

/** Last instant that an API timestamp can represent. A lifetime plan lasts until then. */
export const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Where a period came from. `bought` covers paid periods and free plans that were ordered. */
export type PeriodSource = Schema['membership_periods']['source'];

/** Part of a membership that was paid for or granted. Times are milliseconds since the epoch. */
export interface Period {
  readonly id?: string;
  readonly planId: string | null;
  /** Plan that a partner ordered for a window's dates, and that gets what a withdrawn payment leaves of them. */
  readonly orderedPlanId?: string | null;
  readonly startsAt: number;
  /** First instant after the period; null if it has no end. */
  readonly endsAt: number | null;
  readonly source: PeriodSource;
  /** Payment that bought the period; null if it cost nothing. */
  readonly paymentId: string | null;
  readonly subscriptionId: string | null;
}

/** What is known of a period before its place on the timeline is decided. */
export type PeriodOrigin = Omit<Period, 'id' | 'startsAt' | 'endsAt'>;

/**
 * Periods of a membership that haven't ended, in two layers.
 *
 * - Planned periods don't overlap. Inserting a period pushes the ones after it to later, and each keeps its length.
 *   Nobody holds a plan for longer than was paid or granted, and nothing paid for gets lost.
 * - Windows, the periods without a plan, run from one date to another. They lie under the planned periods and never
 *   move.
 *
 * A member has access whenever either layer covers the time. The plan comes from the planned period, if there is one.
 *
 * A period that a lifetime plan interrupts waits: it's planned for after the end of time, keeps its length, and nobody
 * holds it. If the payment for the lifetime plan is withdrawn, the period moves forward like anything else that
 * follows.
 */
export type Timeline = readonly Period[];

/** Purchase of a plan. Products and other purchases without a plan are windows. */
export interface PlanPurchase {
  readonly planId: string;
  readonly periodDays: number | null;
  readonly renews: boolean;
}

/** Who pays. Decided before the charge starts; `startsNow` only counts if it still holds when the payment is stored. */
export interface Payer {
  /** True if the payer is signed in as the buyer and has seen what happens to the rest of the running plan. */
  readonly isBuyer: boolean;
  /** True if the plan outweighs the plan that it interrupts, so it starts at once. Only matters for the buyer. */
  readonly startsNow: boolean;
}

/** Where a purchase goes, and what it does to a subscription. `nothing`: it would add nothing, so it isn't sold. */
export type Placement =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'placed';
      readonly startsAt: number;
      /** True if the buyer's later periods wait behind this lifetime plan. */
      readonly pausesRest: boolean;
      /** True if the purchase starts a subscription. Otherwise it's one period. */
      readonly startsSubscription: boolean;
      readonly stopsSubscription: boolean;
    };

/**
 * Decides where a purchase of a plan goes. The first matching row applies. "Planned" means the periods with a plan.
 *
 * | purchase | what is planned | by the signed-in buyer | by anybody else |
 * |---|---|---|---|
 * | for life | the same plan for life | nothing | nothing |
 * | for life | another plan for life | as below; that one waits | nothing |
 * | for life | days that cost no more than it does | now; what is left of them waits | after what is planned |
 * | for life | other | after what is planned for days | after what is planned |
 * | days | runs for life, the same plan | nothing | nothing |
 * | days | a plan for life | as below; that one resumes after it | nothing |
 * | days | nothing runs | now | after what is planned |
 * | days | the same plan runs | after that plan; before it, if its subscription renews and this doesn't | after what is planned |
 * | days | a plan runs that is cheaper by the day, or is for life | now; the rest of that plan comes after it | after what is planned |
 * | days | other | after what is planned, before a plan for life | after what is planned |
 *
 * A subscription of the buyer replaces the one that renews, and a plan for life needs none. Somebody else's purchase never touches
 * a subscription: while one renews, theirs is a single period.
 *
 * @param renewingId subscription that renews the membership.
 */
export function placePurchase(
  timeline: Timeline,
  purchase: PlanPurchase,
  { isBuyer, startsNow, renewingId, now }: Payer & { renewingId: string | null; now: number },
): Placement {
  const planned = plannedOf(timeline, now);
  const { planId, periodDays, renews } = purchase;
  const endless = planned.find(({ endsAt }) => endsAt === null);
  /** Where all limited planned periods have ended. */
  const after = endless?.startsAt ?? planned.at(-1)?.endsAt ?? now;
  const place = (startsAt: number): Placement => {
    const at = Math.max(now, startsAt);
    if (!fits(planned, at, periodDays)) return { kind: 'nothing' };
    const startsSubscription = renews && periodDays !== null && (isBuyer || renewingId === null);
    return {
      kind: 'placed',
      startsAt: at,
      pausesRest: periodDays === null && planned.some((period) => !isEndedAt(period, at)),
      startsSubscription,
      stopsSubscription: isBuyer && renewingId !== null && (startsSubscription || periodDays === null),
    };
  };
  if (endless !== undefined && !isBuyer) return { kind: 'nothing' };
  if (periodDays === null) {
    const isOwned = timeline.some((period) => period.planId === planId && period.endsAt === null);
    return isOwned ? { kind: 'nothing' } : place(isBuyer && startsNow ? now : after);
  }
  const running = planned.find(({ startsAt }) => startsAt <= now);
  if (running !== undefined && running === endless)
    return running.planId === planId ? { kind: 'nothing' } : place(now);
  if (!isBuyer) return place(after);
  if (running === undefined) return place(now);
  if (running.planId === planId) {
    const isRenewed = running.subscriptionId !== null && running.subscriptionId === renewingId;
    return place(isRenewed && !renews ? now : endOfStretch(planned, running));
  }
  return place(startsNow ? now : after);
}

export function addPurchase(
  timeline: Timeline,
  { startsAt }: Placement & { kind: 'placed' },
  { periodDays, ...origin }: PeriodOrigin & { periodDays: number | null },
): Timeline {
  return insertPlanned(timeline, origin, {
    at: startsAt,
    lengthMs: periodDays === null ? null : periodDays * DAY_MS,
  });
}

/** Starts where the subscription's last period ends, or now if that's past: a late renewal costs no days. */
export function addRenewal(
  timeline: Timeline,
  { periodDays, ...origin }: PeriodOrigin & { periodDays: number },
  { renewsAt, now }: { renewsAt: number; now: number },
): Timeline {
  return insertPlanned(timeline, origin, { at: Math.max(renewsAt, now), lengthMs: periodDays * DAY_MS });
}

export function addWindow(
  timeline: Timeline,
  origin: Omit<PeriodOrigin, 'planId'>,
  { startsAt, endsAt }: Pick<Period, 'startsAt' | 'endsAt'>,
): Timeline {
  if (endsAt !== null && endsAt <= startsAt) return timeline;
  const added = { startsAt, endsAt };
  const touched =
    origin.paymentId !== null
      ? undefined
      : timeline.find(
          (period) =>
            period.planId === null &&
            period.paymentId === null &&
            orderedOf(period) === orderedOf(origin) &&
            period.startsAt <= startsAt &&
            !isEndedAt(period, startsAt - 1),
        );
  if (touched === undefined) return ordered([...timeline, { ...origin, planId: null, ...added }]);
  if (laterEnd(touched.endsAt, endsAt) === touched.endsAt) return timeline;
  return ordered(timeline.map((period) => (period === touched ? { ...period, endsAt } : period)));
}

/**
 * Replaces windows and other granted and provisioned time until the second date, but never bought time.
 *
 * @param yields true for bought time that comes after everything else, and keeps its length. If the grant has no end, only
 *   time for life does, and waits.
 */
export function grantPlan(
  timeline: Timeline,
  origin: PeriodOrigin & { planId: string },
  { startsAt, endsAt }: Pick<Period, 'startsAt' | 'endsAt'>,
  yields: (period: Period) => boolean = () => false,
): Timeline {
  const yielding = plannedOf(timeline, startsAt).filter(
    (period) =>
      (endsAt === null ? period.endsAt === null : period.startsAt < endsAt) &&
      isBought(period) &&
      yields(period),
  );
  if (yielding.length > 0) {
    const cut = timeline.flatMap((period) =>
      yielding.includes(period) ? cutPeriod(period, startsAt) : period,
    );
    return addTimeline(grantPlan(cut, origin, { startsAt, endsAt }), yielding, startsAt);
  }
  const isKept = (period: Period) => {
    const planId = period.planId ?? orderedOf(period);
    return planId === null || planId === origin.planId || isBought(period);
  };
  const kept = timeline.flatMap((period) =>
    isKept(period)
      ? period
      : [
          ...cutPeriod(period, startsAt),
          ...(endsAt === null ? [] : restOf(period, Math.max(startsAt, endsAt))),
        ],
  );
  return fillGaps(kept, origin, { startsAt, endsAt });
}

function fillGaps(
  timeline: Timeline,
  origin: PeriodOrigin & { planId: string },
  { startsAt, endsAt }: Pick<Period, 'startsAt' | 'endsAt'>,
): Timeline {
  const granted: Period[] = [];
  let cursor = startsAt;
  for (const { startsAt: from, endsAt: until } of plannedOf(timeline, startsAt)) {
    if (endsAt !== null && from >= endsAt) break;
    if (from > cursor) granted.push({ ...origin, startsAt: cursor, endsAt: from });
    if (until === null) return ordered(joinGranted(timeline, granted));
    cursor = Math.max(cursor, until);
  }
  if (endsAt === null || cursor < endsAt) granted.push({ ...origin, startsAt: cursor, endsAt });
  return ordered(joinGranted(timeline, granted));
}

/** Grants a plan, and keeps the order's dates if bought time takes some of them, or ends where the plan starts. */
export function grantOrder(
  timeline: Timeline,
  origin: PeriodOrigin & { planId: string },
  { startsAt, endsAt }: Pick<Period, 'startsAt' | 'endsAt'>,
  yields?: (period: Period) => boolean,
): Timeline {
  const granted = grantPlan(timeline, origin, { startsAt, endsAt }, yields);
  const isBlocked = plannedOf(granted, startsAt - 1).some(
    (period) => isBought(period) && (endsAt === null || period.startsAt < endsAt),
  );
  if (!isBlocked) return granted;
  return addWindow(granted, { ...origin, orderedPlanId: origin.planId }, { startsAt, endsAt });
}

export function cutAt(timeline: Timeline, at: number): Timeline {
  return timeline.flatMap((period) => cutPeriod(period, at));
}

/** Sets the end of all access. A later end, or none, extends the last plan. */
export function setEnd(timeline: Timeline, endsAt: number | null, now: number): Timeline {
  const cut = endsAt === null ? timeline : cutAt(timeline, endsAt);
  const lastEnd = endOf(cut);
  if (lastEnd === null || lastEnd === undefined || lastEnd === endsAt) return cut;
  const startsAt = Math.max(now, lastEnd);
  if (endsAt !== null && endsAt <= startsAt) return cut;
  const planId = cut.find((period) => period.planId !== null && period.endsAt === lastEnd)?.planId ?? null;
  const origin = { source: 'grant', paymentId: null, subscriptionId: null } as const;
  return planId === null
    ? addWindow(cut, origin, { startsAt, endsAt })
    : grantPlan(cut, { ...origin, planId }, { startsAt, endsAt });
}

/**
 * Planned periods that follow a withdrawn one move forward, as do those that wait behind a lifetime plan. What a partner
 * ordered doesn't end before its date, and gets what is then left between its dates.
 */
export function withdrawPeriods(timeline: Timeline, paymentId: string, now: number): Timeline {
  const moved = ordered(timeline)
    .filter((period) => period.paymentId === paymentId && !isEndedAt(period, now))
    .reduceRight((rest, withdrawn) => {
      const from = Math.max(now, withdrawn.startsAt);
      let end = { old: endAt(withdrawn), moved: from };
      return ordered(
        rest.flatMap((period) => {
          if (period === withdrawn) return cutPeriod(period, from);
          const waits = isWaiting(period) && period.startsAt >= withdrawn.startsAt;
          const follows = period.startsAt === end.old || (waits && end.old >= END_OF_TIME);
          if (withdrawn.planId === null || period.planId === null || !follows) return period;
          const moved = moveTo(period, Math.max(end.moved, earliestStart(rest, period)));
          end = { old: endAt(period), moved: endAt(moved) };
          return moved;
        }),
      );
    }, ordered(timeline));
  return moved.reduce((filled, { orderedPlanId: planId, startsAt, endsAt, source }) => {
    if (planId == null || isEndedAt({ endsAt }, now)) return filled;
    const origin = { planId, source, paymentId: null, subscriptionId: null };
    return fillGaps(filled, origin, { startsAt: Math.max(now, startsAt), endsAt });
  }, moved);
}

/** Returns where a period starts at the earliest: it doesn't end before the dates for which a partner ordered it. */
function earliestStart(timeline: Timeline, period: Period): number {
  if (isBought(period)) return 0;
  const end = endAt(period);
  const dates = timeline.filter((order) => orderedOf(order) === period.planId && endAt(order) <= end);
  const starts = dates.map((order) =>
    period.endsAt === null ? order.startsAt : endAt(order) - (end - period.startsAt),
  );
  return Math.max(0, ...starts);
}

/** Adds the periods of another membership of the same person. Its planned periods go after the ones here. */
export function addTimeline(timeline: Timeline, other: Timeline, now: number): Timeline {
  return other.reduce<Timeline>((joined, { id: _id, ...period }) => {
    if (period.planId === null) return addWindow(joined, { ...period, orderedPlanId: null }, period);
    const planned = plannedOf(joined, now);
    const endless = planned.find(({ endsAt }) => endsAt === null);
    const lengthMs = period.endsAt === null ? null : period.endsAt - Math.max(now, period.startsAt);
    if (endless !== undefined && (lengthMs === null || isWaiting(period))) {
      const at = Math.max(endAt(endless), ...joined.filter(isWaiting).map(endAt));
      return joined.concat({ ...period, ...spanFrom(at, lengthMs) });
    }
    const after = endless?.startsAt ?? Math.max(planned.at(-1)?.endsAt ?? now, period.startsAt);
    return insertPlanned(joined, period, { at: Math.max(now, after), lengthMs });
  }, timeline);
}

export interface Access {
  readonly validFrom: number;
  readonly validUntil: number | null;
  readonly planId: string | null;
  /** Next instant at which the plan or the access changes. Null if nothing changes before the end. */
  readonly changesAt: number | null;
}

/** Returns the unbroken access that runs now or starts next. `undefined` if nothing is left. */
export function accessAt(timeline: Timeline, now: number): Access | undefined {
  const left = ordered(timeline).filter((period) => !isEndedAt(period, now));
  let run: { from: number; until: number | null } | undefined;
  let isFollowed = false;
  for (const { startsAt, endsAt } of left) {
    if (run === undefined) run = { from: startsAt, until: endsAt };
    else if (run.until !== null && startsAt > run.until) {
      isFollowed = true;
      break;
    } else run.until = laterEnd(run.until, endsAt);
  }
  if (run === undefined) return undefined;
  const { from, until } = run;
  const start = Math.max(now, from);
  const planned = plannedOf(timeline, now);
  const planAt = (at: number) =>
    planned.find((period) => period.startsAt <= at && !isEndedAt(period, at))?.planId ?? null;
  const planId = planAt(start);
  const change = planned
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt ?? startsAt])
    .filter((at) => at > start && (until === null || at < until) && planAt(at) !== planId)
    .reduce<number | null>((first, at) => (first === null ? at : Math.min(first, at)), null);
  return { validFrom: from, validUntil: until, planId, changesAt: change ?? (isFollowed ? until : null) };
}

export interface Stretch {
  readonly planId: string | null;
  readonly startsAt: number;
  readonly endsAt: number | null;
}

export function followingOf(timeline: Timeline, now: number): Stretch[] {
  const following: Stretch[] = [];
  for (let at = accessAt(timeline, now)?.changesAt ?? null; at !== null; ) {
    const next = accessAt(timeline, at);
    if (next === undefined) break;
    const { planId, validFrom, validUntil, changesAt } = next;
    following.push({ planId, startsAt: Math.max(at, validFrom), endsAt: changesAt ?? validUntil });
    at = changesAt;
  }
  return following;
}

/** Returns the last end of a timeline: null if it has none, `undefined` if the timeline is empty. */
export function endOf(timeline: Timeline): number | null | undefined {
  return timeline.reduce<number | null | undefined>(
    (end, { endsAt }) => (end === undefined ? endsAt : laterEnd(end, endsAt)),
    undefined,
  );
}

export function plannedOf(timeline: Timeline, now: number): Timeline {
  return ordered(
    timeline.filter((period) => period.planId !== null && !isEndedAt(period, now) && !isWaiting(period)),
  );
}

export function isWaiting({ planId, startsAt }: Pick<Period, 'planId' | 'startsAt'>): boolean {
  return planId !== null && startsAt >= END_OF_TIME;
}

/** Returns the later of two ends. Null means no end, which is later than any end. */
export function laterEnd(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}

function orderedOf({ orderedPlanId = null }: Pick<Period, 'orderedPlanId'>): string | null {
  return orderedPlanId;
}

function isBought({ source }: Pick<Period, 'source'>): boolean {
  return source === 'payment' || source === 'renewal' || source === 'free';
}

/** Returns where the next period can start. Waiting periods have an order too. */
function endAt({ startsAt, endsAt }: Pick<Period, 'startsAt' | 'endsAt'>): number {
  return endsAt ?? Math.max(END_OF_TIME, startsAt + 1);
}

/** Returns a span of time, cut off at the end of time. */
function spanFrom(startsAt: number, lengthMs: number | null) {
  if (lengthMs === null) return { startsAt, endsAt: null };
  const endsAt = startsAt + lengthMs;
  return { startsAt, endsAt: startsAt < END_OF_TIME ? Math.min(endsAt, END_OF_TIME) : endsAt };
}

function isEndedAt({ endsAt }: Pick<Period, 'endsAt'>, now: number): boolean {
  return endsAt !== null && endsAt <= now;
}

function ordered(periods: Timeline): Timeline {
  return periods.toSorted((one, other) => one.startsAt - other.startsAt);
}

function cutPeriod(period: Period, at: number): Period[] {
  if (period.startsAt >= at) return [];
  return isEndedAt(period, at) ? [period] : [{ ...period, endsAt: at }];
}

/** Returns the part of a period after an instant, as a new period if it was cut. */
function restOf(period: Period, at: number): Period[] {
  if (isEndedAt(period, at)) return [];
  if (period.startsAt >= at) return [period];
  const { id: _id, ...rest } = period;
  return [{ ...rest, startsAt: at }];
}

function moveTo(period: Period, startsAt: number): Period {
  const { endsAt } = period;
  return { ...period, ...spanFrom(startsAt, endsAt === null ? null : endsAt - period.startsAt) };
}

/** Interrupts the period that runs at that instant, and pushes later ones as far as needed. */
function insertPlanned(
  timeline: Timeline,
  origin: PeriodOrigin,
  { at, lengthMs }: { at: number; lengthMs: number | null },
): Timeline {
  const inserted = { ...origin, ...spanFrom(at, lengthMs) };
  const kept: Period[] = [];
  const pushed: Period[] = [];
  for (const period of ordered(timeline)) {
    if (period.planId === null) kept.push(period);
    else {
      kept.push(...cutPeriod(period, at));
      pushed.push(...restOf(period, at));
    }
  }
  kept.push(inserted);
  let end = endAt(inserted);
  for (const period of pushed) {
    const moved = period.startsAt < end ? moveTo(period, end) : period;
    kept.push(moved);
    end = endAt(moved);
  }
  return ordered(kept);
}

/** True if neither the purchase nor a period that it pushes runs past the end of time. */
function fits(planned: Timeline, at: number, periodDays: number | null): boolean {
  if (periodDays === null) return at < END_OF_TIME;
  const pushed = planned.filter((period) => !isEndedAt(period, at));
  const total = pushed.reduce(
    (sum, { startsAt, endsAt }) => sum + (endsAt === null ? 0 : endsAt - startsAt),
    0,
  );
  const last = pushed.reduce((end, { startsAt, endsAt }) => Math.max(end, endsAt ?? startsAt), at);
  return Math.max(last, at + total) + periodDays * DAY_MS <= END_OF_TIME;
}

/** Returns the end of the running plan's periods that follow each other directly. */
function endOfStretch(planned: Timeline, running: Period): number {
  let end = running.endsAt ?? END_OF_TIME;
  for (const { planId, startsAt, endsAt } of planned)
    if (planId === running.planId && startsAt === end && endsAt !== null) end = endsAt;
  return end;
}

/** Adds granted periods. Extends a granted period of the same plan where the new one continues it. */
function joinGranted(timeline: Timeline, granted: readonly Period[]): Timeline {
  const joined = [...timeline];
  for (const added of granted) {
    const before = joined.findIndex(
      ({ planId, endsAt, ...period }) =>
        planId === added.planId && endsAt === added.startsAt && !isBought(period),
    );
    const continued = joined[before];
    if (continued === undefined) joined.push(added);
    else joined[before] = { ...continued, endsAt: added.endsAt };
  }
  return joined;
}
