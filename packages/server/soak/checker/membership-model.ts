import type { Interval } from './soak-history.ts';

/**
 * Membership of one buyer, as the specification describes it ("Membership outcome of `POST /membership/provision-external`").
 * It is written from the specification, not from the server's code. A time that no response stated is an interval.
 */
export interface Row {
  from: Interval;
  /** Null for lifetime access. */
  until: Interval | null;
  order: string;
}

/** Stored state: a row, or none. */
export type State = Row | null;

/** Write of the log. Times are milliseconds since the epoch. */
export type Write =
  | {
      kind: 'provision';
      order: string;
      from?: number | undefined;
      until?: number | undefined;
      overlap: string;
    }
  | { kind: 'end-now' };

/** A possible result of a write. */
export interface Outcome {
  state: State;
  /** Status of a provisioning, or the status code of a rejection. */
  result: 'created' | 'extended' | 'replaced' | 'idempotent_return' | 'ended' | 'unchanged' | 409 | 400 | 404;
}

/** Returns every result that a write may have at some time of the interval. */
export function outcomesOf(state: State, write: Write, now: Interval): Outcome[] {
  return write.kind === 'end-now' ? endNow(state, now) : provision(state, write, now);
}

/** Returns true if the row may have expired at some time of the interval. */
function mayHaveExpired({ until }: Row, now: Interval): boolean {
  return until !== null && until.lo <= now.hi;
}

/** Returns true if the row may not have expired yet at some time of the interval. */
function mayRun({ until }: Row, now: Interval): boolean {
  return until === null || until.hi > now.lo;
}

/** Returns true if the state may give access at some time of the interval. */
export function mayBeActive(state: State, now: Interval): boolean {
  return state !== null && state.from.lo <= now.hi && mayRun(state, now);
}

/** Returns true if the state may give no access at some time of the interval. */
export function mayBeInactive(state: State, now: Interval): boolean {
  return state === null || state.from.hi > now.lo || mayHaveExpired(state, now);
}

function provision(state: State, write: Write & { kind: 'provision' }, now: Interval): Outcome[] {
  const from = exactly(write.from) ?? now;
  const until = exactly(write.until) ?? null;
  const { order } = write;
  if (state === null) return granted({ state, row: { from: now, until, order }, result: 'created' });
  if (state.order === order) return [{ state, result: 'idempotent_return' }];
  const outcomes: Outcome[] = [];
  if (mayHaveExpired(state, now))
    outcomes.push(...granted({ state, row: { from, until, order }, result: 'replaced' }));
  if (!mayRun(state, now)) return outcomes;
  if (write.overlap === 'error') outcomes.push({ state, result: 409 });
  else if (write.overlap === 'replace') {
    outcomes.push(...granted({ state, row: { from, until, order }, result: 'extended' }));
  } else {
    const row = { from: state.from, until: later(state.until, until), order };
    outcomes.push(...granted({ state, row, result: 'extended' }));
  }
  return outcomes;
}

/** A window that would end before it starts is rejected, and changes nothing. */
function granted({ state, row, result }: { state: State; row: Row; result: Outcome['result'] }): Outcome[] {
  const { from, until } = row;
  const outcomes: Outcome[] = [];
  if (until === null || until.hi > from.lo) outcomes.push({ state: row, result });
  if (until !== null && until.lo <= from.hi) outcomes.push({ state, result: 400 });
  return outcomes;
}

function endNow(state: State, now: Interval): Outcome[] {
  if (state === null) return [{ state, result: 404 }];
  const outcomes: Outcome[] = [];
  if (mayHaveExpired(state, now)) outcomes.push({ state, result: 'unchanged' });
  if (mayRun(state, now)) {
    const from = { lo: Math.min(state.from.lo, now.lo), hi: Math.min(state.from.hi, now.hi) };
    outcomes.push({ state: { ...state, from, until: now }, result: 'ended' });
  }
  return outcomes;
}

function exactly(time: number | undefined): Interval | undefined {
  return time === undefined ? undefined : { lo: time, hi: time };
}

function later(one: Interval | null, other: Interval | null): Interval | null {
  if (one === null || other === null) return null;
  return { lo: Math.max(one.lo, other.lo), hi: Math.max(one.hi, other.hi) };
}
