import { DAY_MS, formatTimestamp, type WebhookEventType } from '@latchkey/contract/constants';
import type { Clock } from '@latchkey/server';
import { type Database, RENEWAL_LEAD_MS } from '@latchkey/server/extension';
import type { SandboxClock } from '../../clock/sandbox-clock.js';
import { ControlFailure, unknown } from '../access/control-failure.js';
import type { InOrder } from './in-order.js';
import { watchEvents } from './new-events.js';
import { nextWork } from './next-work.js';
import {
  codeExpiries,
  dropTurns,
  membershipTurns,
  type Occasion,
  type OccasionKind,
  type TimeRange,
  tokenExpiries,
} from './occasions.js';
import { CLOCK_PRESETS, type ClockPresetName, findPreset } from './presets.js';

/** Furthest that the clock can be ahead, in milliseconds. */
export const MAX_AHEAD_MS = 10 * 365 * DAY_MS;
/** Milliseconds of real time that one move waits for deliveries. An endpoint that hangs must not block the clock. */
const DELIVERY_PATIENCE_MS = 5_000;
/** Milliseconds of real time between two reports of a move that goes on. */
const REPORT_EVERY_MS = 500;
/** Maximum number of entries in the list of what happened. */
const LISTED = 1_000;

/** Time of the sandbox. */
export interface ClockReading {
  /** Time of the service, ISO 8601. */
  readonly serviceTime: string;
  /** Time of the clock that the service's clock runs ahead of, ISO 8601. */
  readonly realTime: string;
  readonly aheadMs: number;
}

/** Instant that the clock can be moved to. */
export interface ClockPreset {
  readonly preset: ClockPresetName;
  /** ISO 8601; null if nothing of this kind is ahead. */
  readonly at: string | null;
  readonly label: string | null;
}

/** Something that happened while the clock moved. */
export interface Happening {
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  /** `event`: a webhook event was recorded. */
  readonly kind: OccasionKind | 'event';
  readonly label: string;
  /** Id of the membership, the drop, the client, the delivery or the event. */
  readonly id: string;
  readonly eventType?: WebhookEventType;
}

export interface ClockMove extends ClockReading {
  readonly from: string;
  /** Everything that happened, in order. At most 1,000 entries. */
  readonly happened: readonly Happening[];
  /** Length of the whole list. */
  readonly total: number;
}

/** Clock of the sandbox. The data follow each move, as if the time had passed. */
export interface Timeline {
  read(): ClockReading;
  /** Lists the instants that the data offer. */
  presets(): Promise<readonly ClockPreset[]>;
  /** Moves the clock forward by milliseconds. */
  advance(ms: number): Promise<ClockMove>;
  /** Moves the clock forward to an instant: milliseconds since the epoch, or ISO 8601. */
  moveTo(instant: number | string): Promise<ClockMove>;
  /** Moves the clock forward to the instant of a preset. */
  moveToPreset(preset: ClockPresetName): Promise<ClockMove>;
  /** Moves the clock forward by calendar months, in UTC. From the 31st it moves to the last day of a shorter month. */
  advanceMonths(months: number): Promise<ClockMove>;
  /**
   * Moves the clock forward to the end or the next renewal of one membership.
   *
   * @throws ControlFailure `not_found` for an unknown membership, `conflict` if it has no such instant ahead.
   */
  moveToMembership(target: MembershipInstant): Promise<ClockMove>;
  /** The newest move since the last reset or snapshot. */
  lastMove(): ClockMove | undefined;
  /** Drops the newest move. */
  forget(): void;
}

/** Parts of the running sandbox that a move needs. */
export interface TimelineNeeds {
  readonly clock: SandboxClock;
  readonly realClock: Clock;
  db(): Database;
  /** Renews, expires and deletes what is due. */
  runDueWork(): Promise<void>;
  deliverDue(): Promise<void>;
  /** Reports the time after each move, and twice a second while a long move goes on. */
  onMove(move: ClockReading): void;
  /** Queue of moves, snapshots and resets. */
  readonly inOrder: InOrder;
}

/** Creates the timeline of a sandbox. Moves run one after another. */
export function createTimeline(needs: TimelineNeeds): Timeline {
  const { clock, realClock, db, onMove, inOrder } = needs;
  let last: ClockMove | undefined;
  const read = () => ({
    serviceTime: formatTimestamp(clock.now()),
    realTime: formatTimestamp(realClock.now()),
    aheadMs: clock.ahead(),
  });
  const latest = () => realClock.now() + MAX_AHEAD_MS;
  const range = () => ({ from: clock.now(), to: latest() });
  const move = async (target: number) => {
    checkTarget(target, { now: clock.now(), latest: latest() });
    const from = clock.now();
    const { happened, total } = await passTime(needs, target, () => onMove(read()));
    const reading = read();
    onMove(reading);
    last = { ...reading, from: formatTimestamp(from), happened, total };
    return last;
  };
  return {
    read,
    presets: async () =>
      await Promise.all(
        CLOCK_PRESETS.map(async (preset) => {
          const found = await findPreset(db(), preset, range());
          return { preset, at: found ? formatTimestamp(found.at) : null, label: found?.label ?? null };
        }),
      ),
    advance: (ms) => inOrder(() => move(clock.now() + ms)),
    moveTo: (instant) => inOrder(() => move(typeof instant === 'number' ? instant : Date.parse(instant))),
    moveToPreset: (preset) =>
      inOrder(async () => {
        const found = await findPreset(db(), preset, range());
        if (found === undefined) throw new ControlFailure('conflict', `The data contain no ${preset} ahead.`);
        return await move(found.at);
      }),
    advanceMonths: (months) => inOrder(() => move(addMonths(clock.now(), months))),
    moveToMembership: (target) => inOrder(async () => move(await instantOf(db(), target, clock.now()))),
    lastMove: () => last,
    forget() {
      last = undefined;
    },
  };
}

function checkTarget(target: number, { now, latest }: { now: number; latest: number }): void {
  if (target >= now && target <= latest) return;
  const problem =
    target > latest
      ? 'The clock can be at most ten years ahead.'
      : 'The clock moves forward only. Reset the sandbox to go back to the real time.';
  throw new ControlFailure('invalid_input', problem);
}

/** Moves the clock from one occasion to the next, and runs the work that is due at each. */
async function passTime(
  needs: TimelineNeeds,
  target: number,
  report: () => void,
): Promise<Pick<ClockMove, 'happened' | 'total'>> {
  const { clock, runDueWork } = needs;
  const db = needs.db();
  const patience = new Patience(DELIVERY_PATIENCE_MS);
  await runDueWork();
  let from = clock.now();
  const events = await watchEvents(db, from);
  const fixed = (await fixedOccasions(db, { from, to: target })).map(asHappening);
  const worked: Happening[] = [];
  let total = fixed.length;
  let reportedAt = performance.now();
  // The steps are in order, so no later one belongs to the first entries of the list. Years of renewals would fill the memory.
  const list = (found: readonly Happening[]) => {
    total += found.length;
    worked.push(...found.slice(0, Math.max(0, LISTED - worked.length)));
  };
  while (from < target) {
    const next = await nextWork(db, { from, to: target }, { sendsDeliveries: !patience.isOver });
    const step = { from, to: next ?? target };
    list((await membershipTurns(db, step, 'membership-end')).map(asHappening));
    clock.moveTo(step.to);
    await runDueWork();
    // Read at each step: old events are deleted while the time passes.
    list(await events.next());
    await patience.waitFor(needs.deliverDue);
    from = step.to;
    if (performance.now() - reportedAt < REPORT_EVERY_MS) continue;
    report();
    reportedAt = performance.now();
  }
  const happened = [...fixed, ...worked].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return { happened: happened.slice(0, LISTED), total };
}

/** Occasions that no work of the service changes. */
async function fixedOccasions(db: Database, range: TimeRange): Promise<readonly Occasion[]> {
  const lists = await Promise.all([
    codeExpiries(db, range),
    tokenExpiries(db, range, 'access-token-expiry'),
    tokenExpiries(db, range, 'refresh-token-expiry'),
    membershipTurns(db, range, 'membership-start'),
    dropTurns(db, range, 'drop-start'),
    dropTurns(db, range, 'drop-end'),
  ]);
  return lists.flat();
}

/** Waits for work, up to a total time. Work that takes longer continues without the wait. */
class Patience {
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  get isOver(): boolean {
    return this.#leftMs <= 0;
  }

  async waitFor(work: () => Promise<void>): Promise<void> {
    if (this.isOver) return;
    const started = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#leftMs);
    });
    await Promise.race([work(), over]).finally(() => clearTimeout(timer));
    this.#leftMs -= performance.now() - started;
  }
}

function asHappening({ at, ...occasion }: Occasion): Happening {
  return { at: formatTimestamp(at), ...occasion };
}

/** Adds calendar months in UTC. A day that the month does not have becomes its last day. */
function addMonths(instant: number, months: number): number {
  const from = new Date(instant);
  const to = new Date(instant);
  to.setUTCDate(1);
  to.setUTCMonth(from.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return to.getTime();
}

interface MembershipInstant {
  readonly membershipId: string;
  /** `renewal`: the time at which the subscription is charged, an hour before the paid time ends. */
  readonly to: 'end' | 'renewal';
}

/**
 * Returns the instant in milliseconds since the epoch.
 *
 * @throws ControlFailure `not_found` for an unknown membership, `conflict` if it has no such instant ahead.
 */
async function instantOf(
  db: Database,
  { membershipId, to }: MembershipInstant,
  now: number,
): Promise<number> {
  const membership = await db
    .selectFrom('memberships')
    .select(['valid_until', 'subscription_id', 'subscription_cancelled_at'])
    .where('id', '=', membershipId)
    .executeTakeFirst();
  if (membership === undefined) throw unknown('membership', membershipId);
  const { valid_until: end, subscription_id, subscription_cancelled_at } = membership;
  if (end === null) throw new ControlFailure('conflict', 'The membership is for life: it has no end.');
  if (end <= now) throw new ControlFailure('conflict', 'The membership has ended.');
  if (to === 'end') return end;
  const isRenewing = subscription_id !== null && subscription_cancelled_at === null;
  if (!isRenewing) throw new ControlFailure('conflict', 'No subscription renews the membership.');
  return Math.max(now, end - RENEWAL_LEAD_MS);
}
