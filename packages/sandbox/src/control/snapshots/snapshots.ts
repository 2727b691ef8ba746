import { replaceTables } from '@latchkey/server/extension';
import type { SimulatedBank } from '../../payments/simulated-bank.js';
import type { ScenarioName } from '../../scenario/scenario-names.js';
import type { Scenarios } from '../../scenario/scenarios.js';
import type { Services } from '../../services/services.js';
import { ControlFailure, parseInput, unknown } from '../access/control-failure.js';
import type { Listeners } from '../deliveries/listeners.js';
import type { InOrder } from '../timeline/timeline.js';
import { MAX_AHEAD_MS, type Timeline } from '../timeline/timeline.js';
import { restoreSnapshot, type Snapshot, snapshotSchema, takeSnapshot } from './snapshot.js';

/** A stored snapshot without its content. */
export interface SnapshotEntry {
  readonly name: string;
  /** Time by the service's clock, ISO 8601. */
  readonly serviceTime: string;
  readonly rows: number;
}

const MAX_SNAPSHOTS = 20;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

interface SnapshotOptions {
  readonly inOrder: InOrder;
  readonly timeline: Timeline;
  readonly listeners: Listeners;
  readonly scenarios: Scenarios;
  readonly bank: SimulatedBank;
  seed(): Promise<void>;
  /** Empties what is kept outside the database. */
  forget(): void;
}

/**
 * The sandbox's resets and snapshots. Snapshots are kept in memory until the process ends. Saves, loads and resets run
 * one after another.
 */
export class Snapshots {
  readonly #services: Services;
  readonly #options: SnapshotOptions;
  readonly #stored = new Map<string, Snapshot>();
  readonly #seedMore: (() => Promise<void>)[] = [];

  constructor(services: Services, options: SnapshotOptions) {
    this.#services = services;
    this.#options = options;
  }

  list(): readonly SnapshotEntry[] {
    return [...this.#stored].map(([name, snapshot]) => entryOf(name, snapshot));
  }

  /** Stores all data and the time under a name. Replaces a snapshot with this name. */
  save(name: string): Promise<SnapshotEntry> {
    return this.#options.inOrder(async () =>
      this.#store(name, await takeSnapshot(this.#services, this.#options.bank.store)),
    );
  }

  /** Replaces all data and the time. Drops mail, request log and faults. */
  load(name: string): Promise<void> {
    const { clock, realClock } = this.#services;
    return this.#options.inOrder(async () => {
      const snapshot = this.export(name);
      const time = Date.parse(snapshot.serviceTime);
      if (time - realClock.now() > MAX_AHEAD_MS) {
        throw new ControlFailure('conflict', 'The time of the snapshot is more than ten years ahead.');
      }
      const { listeners, bank } = this.#options;
      const restart = await listeners.restart(time);
      await restoreSnapshot(this.#services, snapshot, { restart, store: bank.store });
      clock.setAhead(time - realClock.now());
      this.#forget();
      this.#announce();
    });
  }

  /** Returns a snapshot as one value, for a file. */
  export(name: string): Snapshot {
    const snapshot = this.#stored.get(name);
    if (snapshot === undefined) throw unknown('snapshot', name);
    return snapshot;
  }

  /** Stores a snapshot from a file under a name. */
  import(name: string, snapshot: unknown): SnapshotEntry {
    return this.#store(name, parseInput(snapshotSchema, snapshot));
  }

  remove(name: string): void {
    this.export(name);
    this.#stored.delete(name);
  }

  /** Deletes all data, sets the clock to real time and starts with a scenario. Stored snapshots stay. */
  reset(scenario: ScenarioName = 'sample-data'): Promise<void> {
    const { inOrder, listeners, seed, scenarios, bank } = this.#options;
    return inOrder(async () => {
      const { db, clock, realClock } = this.#services;
      const restart = await listeners.restart(realClock.now());
      const empty = await bank.store.replacement([]);
      await replaceTables(db, {}, async (transaction) => {
        await restart(transaction);
        await empty(transaction);
      });
      clock.setAhead(0);
      this.#forget();
      try {
        if (scenario === 'empty') return;
        await seed();
        for (const more of this.#seedMore) await more();
        await scenarios.add(scenario);
      } finally {
        // Pages now re-read the data, so all of it must be there.
        this.#announce();
      }
    });
  }

  /** Calls a function after each reset with sample data, for example to register more clients. */
  onReset(seedMore: () => Promise<void>): void {
    this.#seedMore.push(seedMore);
  }

  #store(name: string, snapshot: Snapshot): SnapshotEntry {
    if (!NAME.test(name))
      throw new ControlFailure('invalid_input', 'name: Use letters, digits, ".", "_" or "-".');
    if (!this.#stored.has(name) && this.#stored.size >= MAX_SNAPSHOTS) {
      throw new ControlFailure(
        'conflict',
        `At most ${MAX_SNAPSHOTS} snapshots are stored. Remove one first.`,
      );
    }
    this.#stored.set(name, snapshot);
    return entryOf(name, snapshot);
  }

  #forget(): void {
    this.#options.timeline.forget();
    this.#options.forget();
  }

  /** Notifies the followers of the sandbox that all data was replaced. */
  #announce(): void {
    this.#services.hub.publish('reset', this.#options.timeline.read());
  }
}

function entryOf(name: string, { serviceTime, tables }: Snapshot): SnapshotEntry {
  return { name, serviceTime, rows: Object.values(tables).reduce((sum, rows) => sum + rows.length, 0) };
}
