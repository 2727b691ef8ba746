import { setTimeout as pause } from 'node:timers/promises';
import { startVirtualUsers } from './flows/virtual-users.ts';
import { isAcknowledged, type LogEntry } from './log/log-entries.ts';
import { createRandom } from './log/random.ts';
import { openLog } from './log/soak-log.ts';
import { type FaultPace, injectFaults } from './world/faults.ts';
import { type Engine, startWorld, type World } from './world/world.ts';

export interface SoakOptions {
  engine: Engine;
  seed: number;
  /** Duration of the load, in milliseconds. */
  durationMs: number;
  logPath: string;
  /**
   * Number of acknowledged calls below which the load continues after `durationMs`, because the machine is slow.
   * @default 0
   */
  minimumCalls?: number;
  /** @default 6 */
  members?: number;
  /** Number of server processes. @default 2 on PostgreSQL, 1 on SQLite */
  processes?: number;
  /** Replaces the faults. The load continues for `durationMs` after it. */
  disturb?: (world: World) => Promise<void>;
  /** @default 1.5 to 6 seconds */
  pace?: FaultPace;
  /** Milliseconds between two samples of the memory. @default 5000 */
  memoryEveryMs?: number;
  /** Receives a line about each phase. */
  report?: (line: string) => void;
}

const HOUR_MS = 3_600_000;
/** Rounds of the drain without any delivery after which events count as lost. */
const DRAIN_STALLED_ROUNDS = 30;
const DRAIN_PAUSE_MS = 600;

/** Runs the load with faults, reads the final state, and waits for the last events. Everything is in the log afterwards. */
export async function runSoak(options: SoakOptions): Promise<void> {
  const { engine, seed, durationMs, logPath, members = 6, report = () => undefined } = options;
  const { pace = { min: 1_500, max: 6_000 }, memoryEveryMs = 5_000, minimumCalls = 0, disturb } = options;
  const random = createRandom(seed);
  const arrived = createArrivals();
  const acknowledged = createCallCount(minimumCalls);
  const file = openLog(logPath);
  const log = {
    ...file,
    append(entry: LogEntry) {
      arrived.note(entry);
      acknowledged.note(entry);
      file.append(entry);
    },
  };
  const world = await startWorld(engine, log, { random, size: options.processes });
  try {
    const receivers = world.receivers.map(({ name }) => name);
    log.append({ kind: 'start', at: Date.now(), seed, engine, receivers });
    const stop = new AbortController();
    const users = startVirtualUsers({ world, random, members, seed, signal: stop.signal });
    const background = [
      disturb?.(world) ?? injectFaults(world, { random: random.fork(10), pace, signal: stop.signal }),
      sampleMemory(world, memoryEveryMs, stop.signal),
    ];
    const limit = disturb === undefined ? [pause(durationMs).then(() => acknowledged.reached)] : [];
    await Promise.race([...limit, ...background.map((work) => work.then(() => pause(durationMs)))]);
    stop.abort();
    await Promise.all(background);
    report('The faults have ended. Waiting for the virtual users.');
    await users.ended;
    report('Reading the final state.');
    await users.readBack();
    for (const receiver of world.receivers) receiver.heal();
    const rounds = await drain(world, receivers, arrived);
    report(`All pending events were delivered after ${rounds} moves of the clock.`);
    log.append({ kind: 'books', at: Date.now(), ...(await world.readBooks()) });
    const { logged, exits } = world.processes;
    log.append({ kind: 'end', at: Date.now(), logged: { ...logged }, exits: [...exits] });
  } finally {
    await world.close();
    await file.close();
  }
}

/** Counts acknowledged calls. `reached` resolves when there are as many as the minimum. */
function createCallCount(minimum: number): { note(entry: LogEntry): void; reached: Promise<void> } {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let count = 0;
  if (minimum === 0) resolve();
  return {
    note(entry) {
      if (entry.kind !== 'call' || !isAcknowledged(entry)) return;
      count += 1;
      if (count >= minimum) resolve();
    },
    reached,
  };
}

async function sampleMemory(world: World, everyMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const sample of await world.processes.memory()) {
      world.log.append({ kind: 'memory', at: Date.now(), ...sample });
    }
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Moves the clock past the longest wait between two attempts, which is six hours, until every endpoint has accepted the same
 * events and no more arrive. Returns the number of moves.
 */
async function drain(world: World, receivers: readonly string[], arrived: Arrivals): Promise<number> {
  let quiet = 0;
  for (let round = 1; ; round += 1) {
    const before = arrived.count();
    // Deliveries that never fail need no move. Many moves would end credentials and pause endpoints.
    if (quiet > 0 || round === 1) await world.moveClock(7 * HOUR_MS);
    await pause(DRAIN_PAUSE_MS);
    quiet = arrived.count() === before ? quiet + 1 : 0;
    if (quiet >= DRAIN_STALLED_ROUNDS || (quiet >= 2 && arrived.areEqual(receivers))) return round;
  }
}

interface Arrivals {
  note(entry: LogEntry): void;
  count(): number;
  /** True if all endpoints have accepted the same events. */
  areEqual(receivers: readonly string[]): boolean;
}

function createArrivals(): Arrivals {
  const accepted = new Map<string, Set<string>>();
  let count = 0;
  return {
    note(entry) {
      if (entry.kind !== 'webhook') return;
      count += 1;
      const { receiver, eventId, answered } = entry;
      if (answered === null || answered >= 300) return;
      const ids = accepted.get(receiver) ?? new Set();
      accepted.set(receiver, ids.add(eventId));
    },
    count: () => count,
    areEqual(receivers) {
      const sets = receivers.map((name) => accepted.get(name) ?? new Set<string>());
      const [first] = sets;
      return first !== undefined && sets.every((ids) => ids.symmetricDifference(first).size === 0);
    },
  };
}
