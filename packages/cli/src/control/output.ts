import { printableLine } from '../command-line/text.js';

const GAP = '  ';
/** Longer cells are cut off. Ids, which people copy, are always shorter. */
const MAX_WIDTH = 100;

/** Returns a table with aligned columns, or a sentence if there are no rows. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
  whenEmpty: string,
): string {
  if (rows.length === 0) return whenEmpty;
  const lines = [headings, ...rows.map((row) => row.map(cell))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => aligned(line, widths)).join('\n');
}

/** Returns one row with fixed widths, for rows that are printed one at a time. */
export function row(cells: readonly (string | number | null)[], widths: readonly number[]): string {
  return aligned(cells.map(cell), widths);
}

function aligned(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((text, column) => text.padEnd(widths[column] ?? 0))
    .join(GAP)
    .trimEnd();
}

function cell(value: string | number | null): string {
  const text = printableLine(String(value ?? '-'));
  return text.length > MAX_WIDTH ? `${text.slice(0, MAX_WIDTH - 1)}…` : text;
}

const UNITS = [
  ['d', 24 * 3600_000],
  ['h', 3600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** Formats a duration: `31d 2h`, `-5m`, `0s`. Leaves out fractions of a second. */
export function durationText(ms: number): string {
  // After an older snapshot is loaded, the clock is behind real time.
  if (ms <= -1_000) return `-${durationText(-ms)}`;
  if (ms < 0) return '0s';
  let left = ms;
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join(' ') || '0s';
}
