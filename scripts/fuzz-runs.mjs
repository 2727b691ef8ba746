// Settings of the property tests that fuzz a parser. `npm run fuzz` sets the variables for a long run or a replay.

/** Seed of the runs in `npm test`. */
const SEED = 20_261;

/**
 * Returns the settings of a fuzzing property for fast-check's `assert`.
 * @param {number} numRuns number of runs in `npm test`
 */
export function fuzzRuns(numRuns) {
  const runs = readNumber('LATCHKEY_FUZZ_RUNS');
  const seed = readNumber('LATCHKEY_FUZZ_SEED');
  // `npm test` repeats the same runs, so that it fails for changes only. `npm run fuzz` explores others.
  const fixed = seed ?? (runs === undefined ? SEED : undefined);
  return { numRuns: runs ?? numRuns, ...(fixed !== undefined && { seed: fixed }) };
}

function readNumber(name) {
  const text = process.env[name] ?? '';
  if (text === '') return undefined;
  if (!/^-?\d{1,10}$/.test(text)) throw new Error(`${name}: must be a whole number; got "${text}".`);
  return Number(text);
}
