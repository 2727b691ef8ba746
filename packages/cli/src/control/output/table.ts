import { printableLine } from '../../command-line/printable.js';

const GAP = '  ';
/** Longer cells are cut off. Ids, which people copy, are shorter. */
const MAX_WIDTH = 100;

/** A table with aligned columns, or a sentence if it has no rows. */
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

/** One row with fixed widths, for rows that are printed one at a time. */
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
