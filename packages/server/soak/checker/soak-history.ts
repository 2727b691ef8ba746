import type {
  BooksEntry,
  CallEntry,
  ClockEntry,
  EndEntry,
  LogEntry,
  MemoryEntry,
  Operation,
  StartEntry,
  WebhookEntry,
} from '../log/log-entries.ts';
import { readEvents, type SoakEvent } from './soak-events.ts';

/** Times of the servers, in milliseconds since the epoch. The exact time is between the two. */
export interface Interval {
  lo: number;
  hi: number;
}

/** A log, indexed for the checks. */
export interface SoakHistory {
  readonly start: StartEntry | undefined;
  readonly end: EndEntry | undefined;
  /** Calls by the time at which they were sent. */
  readonly calls: readonly CallEntry[];
  readonly webhooks: readonly WebhookEntry[];
  /** The events of the webhooks. */
  readonly events: readonly SoakEvent[];
  /** Ids of the charged orders, each once. */
  readonly orders: ReadonlySet<string>;
  readonly memory: readonly MemoryEntry[];
  readonly books: BooksEntry | undefined;
  /** Calls of some operations, by the time at which they were sent. */
  of(first: Operation, ...others: Operation[]): readonly CallEntry[];
  /** Time of the servers between two times of the runner. */
  serverTime(from: number, until: number): Interval;
}

/** Difference by which two readings of one clock may seem reversed, in milliseconds. */
const ROUNDING_MS = 2;

/**
 * Parses a log.
 * @throws SyntaxError for a line that is not JSON.
 */
export function parseLog(text: string): LogEntry[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogEntry);
}

export function createHistory(entries: readonly LogEntry[]): SoakHistory {
  const ofKind = <Kind extends LogEntry['kind']>(kind: Kind) =>
    entries.filter((entry): entry is Extract<LogEntry, { kind: Kind }> => entry.kind === kind);
  const calls = ofKind('call').toSorted((one, other) => one.sent - other.sent);
  const byOperation = Map.groupBy(calls, ({ op }) => op);
  const clock = ofKind('clock').toSorted((one, other) => one.from - other.from);
  const webhooks = ofKind('webhook');
  return {
    start: ofKind('start')[0],
    end: ofKind('end')[0],
    calls,
    webhooks,
    events: readEvents(webhooks),
    orders: new Set(ofKind('charge').map(({ orderId }) => orderId)),
    memory: ofKind('memory'),
    books: ofKind('books')[0],
    of: (first, ...others) =>
      others.length === 0
        ? (byOperation.get(first) ?? [])
        : calls.filter(({ op }) => op === first || others.includes(op)),
    serverTime(from, until) {
      const ahead = aheadBetween(clock, from, until);
      return {
        lo: from + Math.min(...ahead) - ROUNDING_MS,
        hi: until + Math.max(...ahead) + ROUNDING_MS,
      };
    },
  };
}

/** Every difference between the clocks that was possible at some moment of a time span. */
function aheadBetween(clock: readonly ClockEntry[], from: number, until: number): number[] {
  const possible: number[] = [];
  let current = 0;
  for (const { from: changeFrom, until: changeUntil, aheadMs } of clock) {
    // The value before the change was possible until the change was complete.
    if (changeUntil >= from) possible.push(current);
    current = aheadMs;
    if (changeFrom > until) return possible;
  }
  possible.push(current);
  return possible;
}
