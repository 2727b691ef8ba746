import leven, { closestMatch } from 'leven';

/** Characters that end a line, give a terminal a command or change the direction of text, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Makes one line safe to print. Each unprintable character becomes its JSON escape, so JSON keeps its meaning. */
export function printableLine(text: string): string {
  return text.replaceAll(UNPRINTABLE, escaped);
}

export function printable(text: string): string {
  return text.split('\n').map(printableLine).join('\n');
}

/** Returns a character as it is written in JSON, such as `\u001b`. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Longer values are cut off in messages. */
const MAX_LENGTH = 80;
const URL_PASSWORD = /(:\/\/[^/@\s]*:)\S*@/g;

/** Returns a value in quotes for messages: without passwords, and cut off if it's long. */
export function quoted(text: string): string {
  const masked = withoutPasswords(text);
  return printableLine(
    JSON.stringify(masked.length > MAX_LENGTH ? `${masked.slice(0, MAX_LENGTH)}…` : masked),
  );
}

/** Masks passwords in URLs: a value may have been meant for another flag. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(URL_PASSWORD, '$1•••@');
}

const INDENT = '  ';

export function columns(rows: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${INDENT}${name.padEnd(width)}${INDENT}${text}`).join('\n');
}

/** Returns a database for people: the file, or host and name, without user, password and options. */
export function databaseText(url: string): string {
  if (url.startsWith('sqlite:')) return `SQLite ${url.slice('sqlite:'.length)}`;
  const { host, pathname } = new URL(url);
  return `PostgreSQL ${host}${pathname}`;
}

/** Names that differ by more edits aren't typing errors. */
const MAX_EDITS = 3;

/** Returns the name that a mistyped one resembles most, if one is close enough. */
export function suggestion(mistyped: string, names: readonly string[]): string | undefined {
  const closest = closestMatch(mistyped, names, { maxDistance: MAX_EDITS });
  // Three edits turn any short name into any other.
  return closest !== undefined && leven(mistyped, closest) <= closest.length / 2 ? closest : undefined;
}

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
