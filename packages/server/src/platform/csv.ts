/** What makes a spreadsheet read a cell as a formula. */
const FORMULA_START = /^[=+\-@\t\r\n]/;

/**
 * Writes rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it, which
 * tells spreadsheets that it is text: an address such as `=1+1@example.com` is nobody's program.
 */
export function csvLines(rows: readonly (readonly (string | null)[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(text: string | null): string {
  if (text === null) return '';
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
