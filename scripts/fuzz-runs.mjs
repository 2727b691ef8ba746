// Settings of the property tests. `npm run fuzz` and `npm run test:long` set the variables for a long run or a replay.

/** Seed of the runs in `npm test`. */
const SEED = 20_261;

/**
 * Returns the settings of a fuzzing property for fast-check's `assert`.
 * @param {number} numRuns number of runs in `npm test`
 */
export function fuzzRuns(numRuns) {
  const times = readNumber('LATCHKEY_FUZZ_TIMES');
  const runs = readNumber('LATCHKEY_FUZZ_RUNS') ?? (times === undefined ? undefined : numRuns * times);
  const seed = readNumber('LATCHKEY_FUZZ_SEED');
  // `npm test` repeats the same runs, so that it fails for changes only. The long runs explore others.
  const fixed = seed ?? (runs === undefined ? SEED : undefined);
  return { numRuns: runs ?? numRuns, ...(fixed !== undefined && { seed: fixed }) };
}

function readNumber(name) {
  const text = process.env[name] ?? '';
  if (text === '') return undefined;
  if (!/^-?\d{1,10}$/.test(text)) throw new Error(`${name}: must be a whole number; got "${text}".`);
  return Number(text);
}
