import { type CallEntry, isUnknown } from '../log/log-entries.ts';
import {
  mayBeActive,
  mayBeInactive,
  type Outcome,
  outcomesOf,
  type State,
  type Write,
} from './membership-model.ts';
import type { Interval, SoakHistory } from './soak-history.ts';
import type { Report } from './violation.ts';

/**
 * Milliseconds after which a write without a response is no longer applied. A server process that lost its caller still
 * finishes the request, within the limits of its database statements.
 */
const UNKNOWN_FOR_MS = 20_000;

/** The possible states after a write. */
interface Phase {
  write: CallEntry;
  states: State[];
}

/** Checks for each member that all responses fit one history of the row, and that every read fits the row. */
export function checkMemberships(history: SoakHistory, report: Report): void {
  const calls = history.of('provision', 'end-now', 'check-messenger', 'memberships');
  for (const [subject, own] of Map.groupBy(calls, (call) => call.subject)) {
    const writes = own.filter(({ op }) => op === 'provision' || op === 'end-now');
    const reads = own.filter(({ op }) => op === 'check-messenger' || op === 'memberships');
    checkMember({ history, subject, writes, reads, report });
  }
}

interface MemberCheck {
  history: SoakHistory;
  subject: string;
  writes: readonly CallEntry[];
  reads: readonly CallEntry[];
  report: Report;
}

function checkMember({ history, subject, writes, reads, report }: MemberCheck): void {
  const unknown = writes.filter(isUnknown);
  const phases: Phase[] = [];
  let states: State[] = [null];
  let membershipId: unknown;
  for (const write of writes) {
    const before = withUnknown(history, { states, unknown, until: write.done, from: write.sent });
    if (isUnknown(write)) states = before;
    else {
      const now = history.serverTime(write.sent, write.done);
      const after = before.flatMap((state) => outcomesOf(state, writeOf(write), now)).filter(fits(write));
      if (after.length === 0) report('acknowledged write is kept', contradiction(write, before));
      states = after.length === 0 ? before : distinct(after.map(({ state }) => exactState(state, write)));
      const id = write.op === 'provision' ? write.output?.membershipId : undefined;
      if (id !== undefined && membershipId !== undefined && id !== membershipId) {
        report('acknowledged write is kept', `${subject}: the membership ${membershipId} became ${id}.`);
      }
      membershipId ??= id;
    }
    phases.push({ write, states });
  }
  for (const read of reads) {
    if (read.status !== 200) continue;
    const possible = statesDuring(history, { read, phases, unknown });
    checkRead({ read, possible, now: history.serverTime(read.sent, read.done), membershipId, report });
  }
}

/** The possible states at some moment of a read: those around every write in flight, and those before. */
function statesDuring(
  history: SoakHistory,
  { read, phases, unknown }: { read: CallEntry; phases: readonly Phase[]; unknown: readonly CallEntry[] },
): State[] {
  const states: State[] = [];
  let lastBefore = phases.length - 1;
  // The phases are in order. Most reads are near the newest one that began before them.
  while (lastBefore >= 0 && (phases[lastBefore] as Phase).write.sent > read.done) lastBefore -= 1;
  for (; lastBefore >= 0; lastBefore -= 1) {
    const phase = phases[lastBefore] as Phase;
    states.push(...phase.states);
    if (phase.write.done < read.sent) break;
  }
  if (lastBefore < 0) states.push(null);
  return withUnknown(history, { states, unknown, from: read.sent, until: read.done });
}

/** Adds the states that result if writes without a response are applied, in any order and number. */
function withUnknown(
  history: SoakHistory,
  {
    states,
    unknown,
    from,
    until,
  }: { states: readonly State[]; unknown: readonly CallEntry[]; from: number; until: number },
): State[] {
  const pending = new Map<string, { write: Write; now: Interval }>();
  for (const entry of unknown) {
    if (entry.sent > until || entry.done + UNKNOWN_FOR_MS < from) continue;
    const write = writeOf(entry);
    const key = JSON.stringify(write);
    const sent = pending.get(key)?.now.lo ?? Number.POSITIVE_INFINITY;
    const now = history.serverTime(entry.sent, until);
    pending.set(key, { write, now: { lo: Math.min(sent, now.lo), hi: now.hi } });
  }
  return closureOf(states, [...pending.values()]);
}

/** Applies the pending writes until no new state results. */
function closureOf(states: readonly State[], pending: readonly { write: Write; now: Interval }[]): State[] {
  let possible = byKey(states);
  let fresh = [...possible.values()];
  while (fresh.length > 0 && pending.length > 0) {
    const applied = fresh.flatMap((state) =>
      pending.flatMap(({ write, now }) => outcomesOf(state, write, now).map((outcome) => outcome.state)),
    );
    const known = possible;
    possible = byKey(fewOf([...byKey([...known.values(), ...applied]).values()]));
    fresh = [...possible].flatMap(([key, state]) => (known.has(key) ? [] : [state]));
  }
  return [...possible.values()];
}

function writeOf({ op, input }: CallEntry): Write {
  if (op === 'end-now') return { kind: 'end-now' };
  const {
    externalOrderId,
    validFrom,
    validUntil,
    onOverlap = 'extend',
  } = input as Record<string, string | undefined>;
  return {
    kind: 'provision',
    order: String(externalOrderId),
    from: timeOf(validFrom),
    until: timeOf(validUntil),
    overlap: onOverlap,
  };
}

/** Returns a filter for the outcomes that a response fits. */
function fits({ op, status, output = {} }: CallEntry) {
  return ({ state, result }: Outcome): boolean => {
    if (op === 'end-now')
      return status === 303
        ? result === 'ended' || result === 'unchanged'
        : status === 401 || result === status;
    if (status !== 200) return result === status;
    if (result !== output.status || state === null) return false;
    const from = timeOf(output.validFrom);
    const until = timeOf(output.validUntil);
    if (from === undefined || !isWithin(from, state.from)) return false;
    return until === undefined ? state.until === null : state.until !== null && isWithin(until, state.until);
  };
}

/** The response of a provisioning states the row exactly. */
function exactState(state: State, { op, status, output = {} }: CallEntry): State {
  if (op !== 'provision' || status !== 200 || state === null) return state;
  const [from, until] = [timeOf(output.validFrom), timeOf(output.validUntil)];
  return {
    ...state,
    from: from === undefined ? state.from : { lo: from, hi: from },
    until: until === undefined ? null : { lo: until, hi: until },
  };
}

interface ReadCheck {
  read: CallEntry;
  possible: readonly State[];
  now: Interval;
  membershipId: unknown;
  report: Report;
}

function checkRead({ read, possible, now, membershipId, report }: ReadCheck): void {
  const { output = {}, subject, op } = read;
  const listed = (output.memberships as { id: string }[] | undefined)?.find(({ id }) => id === membershipId);
  const isActive = op === 'memberships' ? listed !== undefined : output.isActive === true;
  const isPossible = possible.some((state) =>
    isActive ? mayBeActive(state, now) : mayBeInactive(state, now),
  );
  if (!isPossible) {
    const wrong = isActive ? 'had access outside its window' : 'had no access inside its window';
    const rule = 'access follows the membership';
    report(
      rule,
      `${subject} ${wrong}: ${op} at ${read.sent} (server time ${span(now)}). Possible rows: ${rows(possible)}`,
    );
  }
  const shownId = op === 'memberships' ? listed?.id : output.membershipId;
  if (isActive && membershipId !== undefined && shownId !== membershipId) {
    report(
      'access follows the membership',
      `${subject}: ${op} shows the membership ${shownId}, not ${membershipId}.`,
    );
  }
}

function contradiction(
  { subject, op, input, status, output, sent }: CallEntry,
  before: readonly State[],
): string {
  const [asked, got] = [JSON.stringify(input), JSON.stringify(output ?? {})];
  return `${subject}: ${op} ${asked} at ${sent} returned ${status} ${got}. Possible rows before: ${rows(before)}`;
}

/** Number of states up to which they are kept apart. */
const MAX_STATES = 16;

/** Merges many states into one for each order, with the widest times. That allows more than each of them, never less. */
function fewOf(states: State[]): State[] {
  if (states.length <= MAX_STATES) return states;
  const groups = Map.groupBy(states, (state) => state && `${state.order} ${state.until === null}`);
  return [...groups.values()].map((group) =>
    group.reduce((one, other) =>
      one === null || other === null
        ? one
        : {
            order: one.order,
            from: widest(one.from, other.from),
            until: one.until && other.until && widest(one.until, other.until),
          },
    ),
  );
}

function widest(one: Interval, other: Interval): Interval {
  return { lo: Math.min(one.lo, other.lo), hi: Math.max(one.hi, other.hi) };
}

function distinct(states: readonly State[]): State[] {
  return [...byKey(states).values()];
}

function byKey(states: readonly State[]): Map<string, State> {
  return new Map(states.map((state) => [keyOf(state), state]));
}

function keyOf(state: State): string {
  if (state === null) return '';
  const { order, from, until } = state;
  return `${order} ${from.lo} ${from.hi} ${until?.lo} ${until?.hi}`;
}

function timeOf(text: unknown): number | undefined {
  return typeof text === 'string' ? Date.parse(text) : undefined;
}

function isWithin(time: number, { lo, hi }: Interval): boolean {
  return time >= lo && time <= hi;
}

function rows(states: readonly State[]): string {
  const shown = states.slice(0, 4).map((state) => {
    if (state === null) return 'none';
    return `${state.order} ${span(state.from)}..${state.until === null ? 'for life' : span(state.until)}`;
  });
  return shown.join(' | ') + (states.length > shown.length ? ` | ${states.length - shown.length} more` : '');
}

function span({ lo, hi }: Interval): string {
  const text = (time: number) => new Date(time).toISOString();
  return lo === hi ? text(lo) : `[${text(lo)}, ${text(hi)}]`;
}
