// Results of a benchmark as JSON, for `npm run bench`.
import { writeFileSync } from 'node:fs';

/**
 * The middle and the spread of the rounds of one figure.
 *
 * @param {readonly number[]} rounds one figure for each round
 * @returns {{ median: number, min: number, max: number, rounds: number }}
 */
export function spread(rounds) {
  const sorted = rounds.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)];
  return { median, min: sorted[0], max: sorted.at(-1), rounds: sorted.length };
}

/** `0.84 (0.80 to 0.91)` */
export function spreadText({ median, min, max }, digits = 2) {
  return `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
}

/**
 * Writes the figures of a benchmark.
 *
 * @param {string | undefined} file value of the option `--json`; without it, nothing is written
 * @param {Record<string, ReturnType<typeof spread>>} figures by the names in scripts/bench/budgets.mjs
 */
export function writeFigures(file, figures) {
  if (file !== undefined) writeFileSync(file, JSON.stringify(figures));
}
