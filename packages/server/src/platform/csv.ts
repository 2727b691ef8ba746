/**
 * Matches what spreadsheets evaluate as a formula: at the start of a cell, and after a semicolon, a tab or a line break,
 * where they split cells if the comma is the decimal sign. Some do so even after spaces or in full-width characters.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=(?:(?![\t\r\n])[\s\p{Cf}])*[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu;

/** As RFC 4180, with an apostrophe before what spreadsheets would evaluate as a formula, such as `=1+1@example.com`. */
export function csvLines(rows: readonly (readonly (string | null)[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

export async function* csvOf<Row>(
  batches: AsyncIterable<readonly Row[]>,
  columns: Readonly<Record<string, (row: Row) => string | null>>,
): AsyncGenerator<string> {
  yield csvLines([Object.keys(columns)]);
  const cells = Object.values(columns);
  for await (const rows of batches) yield csvLines(rows.map((row) => cells.map((cell) => cell(row))));
}

function csvCell(text: string | null): string {
  if (text === null) return '';
  const safe = text.replace(FORMULA, "'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
