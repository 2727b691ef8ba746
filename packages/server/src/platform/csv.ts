/** Matches text that spreadsheets evaluate as a formula. */
const FORMULA_START = /^[=+\-@\t\r\n]/;

/**
 * Formats rows as CSV (RFC 4180). An apostrophe precedes text that spreadsheets would evaluate as a formula, such as
 * `=1+1@example.com`.
 */
export function csvLines(rows: readonly (readonly (string | null)[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(text: string | null): string {
  if (text === null) return '';
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
