/** Settings that fast-check's `assert` reads. */
export interface FuzzRuns {
  numRuns: number;
  /** Seed of a run to repeat. A failing property prints its seed. */
  seed?: number;
}
/** Returns the settings of a fuzzing property. `numRuns` is the number of runs in `npm test`. */
export declare function fuzzRuns(numRuns: number): FuzzRuns;
