import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../log/random.ts';
import type { World } from './world.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Fault that a soak injects. */
export interface Fault {
  name: string;
  /** Relative frequency. */
  weight: number;
  /** Injects the fault and resolves when it is over. Returns what the log states about it. */
  inject(world: World, random: Random): Promise<unknown>;
}

/** Faults of every engine. */
const COMMON: readonly Fault[] = [
  {
    name: 'client connections cut',
    weight: 4,
    async inject({ processes }, random) {
      const index = random.between(0, processes.size - 1);
      processes.proxy(index).cut();
      return { index };
    },
  },
  {
    name: 'client connections stalled',
    weight: 2,
    async inject({ processes }, random) {
      const index = random.between(0, processes.size - 1);
      const ms = random.between(200, 2_000);
      processes.proxy(index).stall(ms);
      await pause(ms);
      return { index, ms };
    },
  },
  {
    name: 'clock forward',
    weight: 4,
    async inject(world, random) {
      const ms = random.chance(0.15)
        ? random.between(MINUTE_MS, 2 * HOUR_MS)
        : random.between(SECOND_MS, 10 * MINUTE_MS);
      await world.moveClock(ms);
      return { ms };
    },
  },
  {
    name: 'clock back',
    weight: 1,
    async inject(world, random) {
      const ms = -random.between(100, 3_000);
      await world.moveClock(ms);
      return { ms };
    },
  },
  {
    name: 'process killed',
    weight: 3,
    async inject({ processes }, random) {
      // The first process of several is never killed, so that its memory is measured over the whole run.
      const index = processes.size - 1;
      await processes.kill(index);
      await pause(random.between(0, 1_000));
      await processes.start(index);
      return { index };
    },
  },
];

/** Faults of PostgreSQL. */
const POSTGRES: readonly Fault[] = [
  {
    name: 'database connections cut',
    weight: 4,
    async inject({ postgres }) {
      postgres?.proxy.cut();
    },
  },
  {
    name: 'database crashed',
    weight: 2,
    async inject({ postgres }, random) {
      const ms = random.between(0, 1_500);
      await postgres?.server.crash();
      await pause(ms);
      await postgres?.server.restart();
      return { ms };
    },
  },
];

/** Pause between two faults, in milliseconds. */
export interface FaultPace {
  min: number;
  max: number;
}

/** Injects one fault after the other until the signal aborts. */
export async function injectFaults(
  world: World,
  { random, pace, signal }: { random: Random; pace: FaultPace; signal: AbortSignal },
): Promise<void> {
  const faults = world.postgres === undefined ? COMMON : [...COMMON, ...POSTGRES];
  const deck = faults.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
  while (!signal.aborted) {
    await pause(random.between(pace.min, pace.max));
    if (signal.aborted) return;
    const { name, inject } = random.pick(deck);
    const at = Date.now();
    const details = await inject(world, random);
    world.log.append({ kind: 'fault', at, fault: name, ...(details !== undefined && { details }) });
  }
}
