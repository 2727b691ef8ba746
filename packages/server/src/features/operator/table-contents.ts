import { type Schema, TABLE_NAMES } from '../../migrations/schema.js';
import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import { sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordAudit } from '../audit/audit.js';

export type TableRow = Readonly<Record<string, string | number | null>>;

/** Rows by table, without the tables that belong to the server itself. */
export type TableContents = Readonly<Record<string, readonly TableRow[]>>;

/** Tables of the server rather than its data: its purpose, its names, its released files, its audit log. */
const SERVER_TABLES: ReadonlySet<string> = new Set<keyof Schema>([
  // Keeps what happened when the data is replaced, so it needs no way around its triggers.
  'audit_entries',
  'widget_files',
  'database_use',
  'service_names',
  'migration_kinds',
]);

const DATA_TABLES = TABLE_NAMES.filter((table) => !SERVER_TABLES.has(table));

/** Rows per insert. Even for the widest table, this stays below the parameter limits of both engines. */
const ROWS_PER_INSERT = 200;

/** Reads all data as of one instant. */
export async function readTables(db: Database): Promise<TableContents> {
  return await inTransaction(db, async (transaction) => {
    const contents: Record<string, readonly TableRow[]> = {};
    for (const table of DATA_TABLES)
      contents[table] = await transaction.selectFrom(table).selectAll().execute();
    return contents;
  });
}

/**
 * Replaces all data in one transaction. `replaced` runs in it, after the data is replaced, and may run more than once.
 *
 * @throws Error if a table or a column is unknown, or a row breaks a rule of the schema. Nothing changes then.
 */
export async function replaceTables(
  db: Database,
  contents: TableContents,
  replaced: (transaction: Database) => Promise<void> = async () => undefined,
): Promise<void> {
  const unknown = Object.keys(contents).find((table) => !DATA_TABLES.some((known) => known === table));
  if (unknown !== undefined) throw new Error(`The database has no data table "${unknown}".`);
  await inTransaction(db, async (transaction) => {
    // Deleting thousands of referenced rows takes PostgreSQL longer than a statement of a request may.
    if (hasRowLocks(transaction)) await sql`set local statement_timeout = 0`.execute(transaction);
    for (const table of DATA_TABLES.toReversed()) await transaction.deleteFrom(table).execute();
    await eachInsert(contents, (table, rows) => transaction.insertInto(table).values(rows).execute());
    await recordAudit(transaction, { action: 'data.replace', subjectId: null });
    await replaced(transaction);
  });
}

/**
 * Adds rows in one transaction. Skips rows that break a unique index, so adding rows again changes nothing.
 *
 * @throws Error if a column is unknown, or a row breaks another rule of the schema. Nothing changes then.
 */
export async function addRows(db: Database, contents: TableContents): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await eachInsert(contents, (table, rows) =>
      transaction
        .insertInto(table)
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    await recordAudit(transaction, { action: 'data.add', subjectId: null });
  });
}

/** Referenced tables come first. The engine checks the names and types of the columns. */
async function eachInsert(
  contents: TableContents,
  insert: (table: keyof Schema, rows: never[]) => Promise<unknown>,
): Promise<void> {
  for (const table of DATA_TABLES) {
    const rows = contents[table] ?? [];
    for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
      await insert(table, rows.slice(start, start + ROWS_PER_INSERT) as never[]);
    }
  }
}
