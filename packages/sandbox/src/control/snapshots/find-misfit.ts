import type { Database, TableContents } from '@latchkey/server/extension';

/** Last instant that the service can write, in milliseconds since the epoch: the end of the year 9999. */
const LAST_INSTANT = 253_402_300_799_999;

/** Columns with a list as JSON text. */
const LISTS: ReadonlySet<string> = new Set([
  'oauth_clients.redirect_uris',
  'oauth_clients.widget_origins',
  'oauth_clients.scopes',
  'api_keys.permissions',
]);

/** Column with the body of a webhook event. */
const EVENT_BODY = 'webhook_events.body';

/** Columns that end so hold times. */
const TIME_NAME = /_(?:at|from|until)$/;

/**
 * Returns a sentence about the first value that does not fit its column; `undefined` if all do. SQLite stores any value in
 * any column, and the service would fail later.
 */
export async function findMisfit(db: Database, contents: TableContents): Promise<string | undefined> {
  const tables = await db.introspection.getTables();
  for (const [table, rows] of Object.entries(contents)) {
    const columns = tables.find(({ name }) => name === table)?.columns ?? [];
    const checks = columns.map(
      ({ name, dataType }) => [name, wantedBy(`${table}.${name}`, dataType)] as const,
    );
    for (const [index, row] of rows.entries()) {
      const misfit = checks.find(([name, wanted]) => !fits(row[name] ?? null, wanted));
      if (misfit !== undefined) return `${table}[${index}].${misfit[0]}: expected ${misfit[1]}.`;
    }
  }
  return undefined;
}

type Wanted =
  | 'a text'
  | 'an object as JSON'
  | 'a list of texts as JSON'
  | 'a time in milliseconds'
  | 'a whole number';

function wantedBy(column: string, dataType: string): Wanted {
  if (column === EVENT_BODY) return 'an object as JSON';
  if (!/int/i.test(dataType)) return LISTS.has(column) ? 'a list of texts as JSON' : 'a text';
  return TIME_NAME.test(column) ? 'a time in milliseconds' : 'a whole number';
}

/** The engine itself checks which columns can be null. */
function fits(value: string | number | null, wanted: Wanted): boolean {
  if (value === null) return true;
  if (typeof value === 'string') {
    if (wanted === 'an object as JSON') return isObject(parsed(value));
    return wanted === 'a text' || (wanted === 'a list of texts as JSON' && isList(parsed(value)));
  }
  if (wanted === 'a time in milliseconds')
    return Number.isSafeInteger(value) && value >= 0 && value <= LAST_INSTANT;
  return wanted === 'a whole number' && Number.isSafeInteger(value);
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
