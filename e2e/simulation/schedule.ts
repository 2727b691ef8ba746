/** Choices of one schedule. Each number selects one of the actions that are possible at its step. */
export type Schedule = readonly number[];

/** Action that is possible now. */
export interface Action {
  name: string;
  /** Relative frequency. */
  weight: number;
  run(): Promise<void> | void;
}

/** Seed of the random values of a schedule. */
export function seedOf(schedule: Schedule): number {
  return schedule.reduce((sum, choice) => (sum * 31 + choice) >>> 0, 7);
}

/** Chooses an action by a number of the schedule. */
export function chooseAction(actions: readonly Action[], choice: number): Action | undefined {
  const total = actions.reduce((sum, { weight }) => sum + weight, 0);
  let rest = choice % total;
  return actions.find(({ weight }) => {
    rest -= weight;
    return rest < 0;
  });
}

/** Error of a schedule that violates an invariant. Its message lists the steps. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
  readonly invariant: string;

  constructor(invariant: string, details: string) {
    super(details);
    this.invariant = invariant;
  }
}

/** Random numbers of at least 0 and less than 1 that a number determines (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
