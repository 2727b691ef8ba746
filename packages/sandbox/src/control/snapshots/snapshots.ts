import type { Clock } from '@latchkey/server';
import { type Database, replaceTables } from '@latchkey/server/extension';
import type { SandboxClock } from '../../clock/sandbox-clock.js';
import type { ScenarioName } from '../../scenario/scenarios.js';
import { ControlFailure, unknown } from '../access/control-failure.js';
import { parseInput } from '../access/parse-input.js';
import type { InOrder } from '../timeline/in-order.js';
import { MAX_AHEAD_MS } from '../timeline/timeline.js';
import {
  restoreSnapshot,
  type Snapshot,
  type SnapshotContext,
  snapshotSchema,
  takeSnapshot,
} from './snapshot.js';

/** Stored snapshot without its content. */
export interface SnapshotEntry {
  readonly name: string;
  /** Time of the service, ISO 8601. */
  readonly serviceTime: string;
  readonly rows: number;
}

/** Resets and snapshots of the sandbox. Snapshots are kept in memory until the process ends. */
export interface Snapshots {
  list(): readonly SnapshotEntry[];
  /** Stores all data and the time under a name. Replaces a snapshot with this name. */
  save(name: string): Promise<SnapshotEntry>;
  /** Replaces all data and the time. Mail, request log and faults are dropped. */
  load(name: string): Promise<void>;
  /** Returns a snapshot as one value, for a file. */
  export(name: string): Snapshot;
  /** Stores a snapshot from a file under a name. */
  import(name: string, snapshot: unknown): SnapshotEntry;
  remove(name: string): void;
  /** Deletes all data, sets the clock to the real time and begins with a scenario. Stored snapshots stay. */
  reset(scenario?: ScenarioName): Promise<void>;
  /** Calls a function after each reset with sample data, for example to register more clients. */
  onReset(seedMore: () => Promise<void>): void;
}

/** Parts of the sandbox that snapshots need. */
export interface SnapshotNeeds {
  readonly clock: SandboxClock;
  readonly realClock: Clock;
  context(): SnapshotContext;
  /** Writes the sample data. */
  seed(): Promise<void>;
  /** Writes the data of a scenario beside the sample data. */
  addScenario(name: ScenarioName): Promise<void>;
  /** Lets listeners begin at an instant, in the transaction that replaces the data. */
  restartListeners(now: number): Promise<(transaction: Database) => Promise<void>>;
  /** Empties what is kept outside of the database. */
  forget(): void;
  /** Notifies the followers of the sandbox that all data were replaced. */
  announce(): void;
  /** Queue of moves, snapshots and resets. */
  readonly inOrder: InOrder;
}

/** Maximum number of stored snapshots. */
const MAX_SNAPSHOTS = 20;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Creates the snapshots of a sandbox. Saves, loads and resets run one after another. */
export function createSnapshots(needs: SnapshotNeeds): Snapshots {
  const { clock, realClock, context, seed, addScenario, forget, announce, inOrder } = needs;
  const stored = new Map<string, Snapshot>();
  const seedMore: (() => Promise<void>)[] = [];
  const find = (name: string) => {
    const snapshot = stored.get(name);
    if (snapshot === undefined) throw unknown('snapshot', name);
    return snapshot;
  };
  const store = (name: string, snapshot: Snapshot) => {
    if (!NAME.test(name))
      throw new ControlFailure('invalid_input', 'name: Use letters, digits, ".", "_" or "-".');
    if (!stored.has(name) && stored.size >= MAX_SNAPSHOTS) {
      throw new ControlFailure(
        'conflict',
        `At most ${MAX_SNAPSHOTS} snapshots are stored. Remove one first.`,
      );
    }
    stored.set(name, snapshot);
    return entryOf(name, snapshot);
  };
  return {
    list: () => [...stored].map(([name, snapshot]) => entryOf(name, snapshot)),
    save: (name) => inOrder(async () => store(name, await takeSnapshot(context(), clock.now()))),
    load: (name) =>
      inOrder(async () => {
        const snapshot = find(name);
        const aheadMs = Date.parse(snapshot.serviceTime) - realClock.now();
        if (aheadMs > MAX_AHEAD_MS) {
          throw new ControlFailure('conflict', 'The time of the snapshot is more than ten years ahead.');
        }
        const restart = await needs.restartListeners(Date.parse(snapshot.serviceTime));
        await restoreSnapshot(context(), snapshot, restart);
        clock.setAhead(Date.parse(snapshot.serviceTime) - realClock.now());
        forget();
        announce();
      }),
    export: find,
    import: (name, snapshot) => store(name, parseInput(snapshotSchema, snapshot)),
    remove(name) {
      find(name);
      stored.delete(name);
    },
    reset: (scenario = 'sample-data') =>
      inOrder(async () => {
        await replaceTables(context().db, {}, await needs.restartListeners(realClock.now()));
        clock.setAhead(0);
        forget();
        try {
          if (scenario === 'empty') return;
          await seed();
          for (const more of seedMore) await more();
          await addScenario(scenario);
        } finally {
          // Pages read the data again now, so all of them must be there.
          announce();
        }
      }),
    onReset: (more) => void seedMore.push(more),
  };
}

function entryOf(name: string, { serviceTime, tables }: Snapshot): SnapshotEntry {
  return { name, serviceTime, rows: Object.values(tables).reduce((sum, rows) => sum + rows.length, 0) };
}
