import { AsyncLocalStorage } from 'node:async_hooks';
import { DAY_MS, formatTimestamp, HOUR_MS } from '@latchkey/contract/constants';
import { type Database, RENEWAL_LEAD_MS } from '@latchkey/server/extension';
import type { SimulatedBank } from '../../payments/simulated-bank.js';
import type { Services } from '../../services/services.js';
import { ControlFailure, unknown } from '../access/control-failure.js';
import { CLOCK_PRESETS, type ClockPresetName } from '../routes/routes.js';
import { findPreset } from './occasions.js';
import { type Happening, passTime } from './pass-time.js';

export const MAX_AHEAD_MS = 10 * 365 * DAY_MS;

/** The sandbox's time. */
export interface ClockReading {
  /** Time by the service's clock, ISO 8601. */
  readonly serviceTime: string;
  /** Time by the clock that the service's clock runs ahead of, ISO 8601. */
  readonly realTime: string;
  readonly aheadMs: number;
}

/** A point in time that the clock can be moved to. */
export interface ClockPreset {
  readonly preset: ClockPresetName;
  /** ISO 8601; null if nothing of this kind is ahead. */
  readonly at: string | null;
  readonly label: string | null;
}

export interface ClockMove extends ClockReading {
  readonly from: string;
  /** Everything that happened, in order. At most 1,000 entries. */
  readonly happened: readonly Happening[];
  /** Length of the whole list. */
  readonly total: number;
}

/** The sandbox's clock. The data follows each move as if the time had passed. Moves run one after another. */
export class Timeline {
  readonly #services: Services;
  readonly #inOrder: InOrder;
  readonly #bank: SimulatedBank;
  #last: ClockMove | undefined;

  constructor(services: Services, inOrder: InOrder, bank: SimulatedBank) {
    this.#services = services;
    this.#bank = bank;
    this.#inOrder = inOrder;
  }

  read(): ClockReading {
    const { clock, realClock } = this.#services;
    return {
      serviceTime: formatTimestamp(clock.now()),
      realTime: formatTimestamp(realClock.now()),
      aheadMs: clock.ahead(),
    };
  }

  /** Lists the points in time that the data offers. */
  async presets(): Promise<readonly ClockPreset[]> {
    const presets = CLOCK_PRESETS.map(async (preset) => {
      const found = await findPreset(this.#services.db, preset, this.#range);
      return { preset, at: found ? formatTimestamp(found.at) : null, label: found?.label ?? null };
    });
    return await Promise.all(presets);
  }

  /** Moves the clock forward by milliseconds. */
  advance(ms: number): Promise<ClockMove> {
    return this.#move((now) => now + ms);
  }

  /** Moves the clock forward to a time: milliseconds since the epoch, or ISO 8601. */
  moveTo(instant: number | string): Promise<ClockMove> {
    return this.#move(() => (typeof instant === 'number' ? instant : Date.parse(instant)));
  }

  /** Moves the clock forward to a preset's time. */
  moveToPreset(preset: ClockPresetName): Promise<ClockMove> {
    return this.#move(async () => {
      const found = await findPreset(this.#services.db, preset, this.#range);
      if (found === undefined) throw new ControlFailure('conflict', `The data contain no ${preset} ahead.`);
      return found.at;
    });
  }

  /** Moves the clock forward by calendar months, in UTC. From the 31st it moves to the last day of a shorter month. */
  advanceMonths(months: number): Promise<ClockMove> {
    return this.#move((now) => addMonths(now, months));
  }

  /** Moves the clock forward by a number and a unit, such as `31d` or `1mo`. */
  advanceBy(duration: string): Promise<ClockMove> {
    const count = Number.parseInt(duration, 10);
    const unit = duration.replace(/^\d+/, '');
    return unit === 'mo'
      ? this.advanceMonths(count)
      : this.advance(count * UNIT_MS[unit as keyof typeof UNIT_MS]);
  }

  /**
   * Moves the clock forward to the end or the next renewal of one membership.
   *
   * @throws ControlFailure `not_found` for an unknown membership, `conflict` if it has no such time ahead.
   */
  moveToMembership(target: MembershipInstant): Promise<ClockMove> {
    return this.#move((now) => instantOf(this.#services.db, target, now));
  }

  /** The newest move since the last reset or snapshot. */
  lastMove(): ClockMove | undefined {
    return this.#last;
  }

  forget(): void {
    this.#last = undefined;
  }

  get #range() {
    const { clock, realClock } = this.#services;
    return { from: clock.now(), to: realClock.now() + MAX_AHEAD_MS };
  }

  #move(target: (now: number) => number | Promise<number>): Promise<ClockMove> {
    return this.#inOrder(async () => {
      const { clock, hub } = this.#services;
      const to = await target(clock.now());
      checkTarget(to, this.#range);
      const from = formatTimestamp(clock.now());
      // Reports twice a second during a long move, and after it.
      const report = () => hub.publish('clock', this.read());
      const { happened, total } = await passTime(this.#services, { target: to, bank: this.#bank, report });
      const reading = this.read();
      hub.publish('clock', reading);
      this.#last = { ...reading, from, happened, total };
      return this.#last;
    });
  }
}

function checkTarget(target: number, { from, to }: { from: number; to: number }): void {
  if (target >= from && target <= to) return;
  const problem =
    target > to
      ? 'The clock can be at most ten years ahead.'
      : 'The clock moves forward only. Reset the sandbox to go back to the real time.';
  throw new ControlFailure('invalid_input', problem);
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
  /** `renewal`: when the subscription is charged, an hour before the paid time ends. */
  readonly to: 'end' | 'renewal';
}

/**
 * Returns the time, in milliseconds since the epoch.
 *
 * @throws ControlFailure `not_found` for an unknown membership, `conflict` if it has no such time ahead.
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

const UNIT_MS = { s: 1_000, m: 60_000, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS } as const;

export type InOrder = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a queue for work on all data and the clock. Work that begins inside other work runs at once, or it would wait
 * for itself.
 */
export function createInOrder(): InOrder {
  const inside = new AsyncLocalStorage<true>();
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    if (inside.getStore()) return work();
    const result = last.then(() => inside.run(true, work));
    last = result.catch(() => undefined);
    return result;
  };
}
