import { sql } from 'kysely';
import { hasRowLocks } from '../../src/platform/database/kysely/row-locks.js';
import type { Database } from '../../src/platform/database/open-database.js';

/**
 * Names of columns that can contain an address, a name, a messenger account, a place or the id of a person, or text that contains
 * one.
 */
const CAN_BE_PERSONAL =
  /email|recipient|phone|mailbox|name$|messenger_user|shown_id|browser|network|user_id|owner|caller|actor|_by$|_url$|external|payment_method|body|facts|_headers|^secret$|membership_id|subject_id|details/;

/** Returns the columns that refer to users, or whose name suggests personal data, as `table.column`. */
export async function personalColumns(db: Database): Promise<string[]> {
  const tables = (await db.introspection.getTables()).filter(({ name }) => !name.startsWith('sandbox_'));
  const named = tables.flatMap(({ name, columns }) =>
    columns.filter((column) => CAN_BE_PERSONAL.test(column.name)).map((column) => `${name}.${column.name}`),
  );
  const references = hasRowLocks(db)
    ? await referencesOnPostgres(db)
    : (await Promise.all(tables.map(({ name }) => referencesOnSqlite(db, name)))).flat();
  return [...new Set([...named, ...references])].toSorted();
}

/** Returns the contents of every column, as text. */
export async function contentsByColumn(db: Database): Promise<Map<string, string[]>> {
  const contents = new Map<string, string[]>();
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
      if (value === null) continue;
      const key = `${name}.${column}`;
      contents.set(key, [...(contents.get(key) ?? []), String(value)]);
    }
  }
  return contents;
}

async function referencesOnSqlite(db: Database, table: string): Promise<string[]> {
  const { rows } = await sql<{ table: string; from: string }>`
    select "table", "from" from pragma_foreign_key_list(${table})`.execute(db);
  return rows.filter((row) => row.table === 'users').map(({ from }) => `${table}.${from}`);
}

async function referencesOnPostgres(db: Database): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    select conrelid::regclass || '.' || attname as reference
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
    where contype = 'f' and confrelid = 'users'::regclass`.execute(db);
  return rows.map(({ reference }) => reference);
}
