/** Matches what spreadsheets evaluate as a formula. Some do so even after spaces or in full-width characters. */
const FORMULA_START = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * Formats rows as CSV (RFC 4180). Puts an apostrophe before anything that spreadsheets would evaluate as a formula,
 * such as `=1+1@example.com`.
 */
export function csvLines(rows: readonly (readonly (string | null)[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(text: string | null): string {
  if (text === null) return '';
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  // Where the comma is the decimal sign, spreadsheets split at semicolons and tabs.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
