import { type Kysely, PostgresAdapter, sql } from '../../kysely/kysely.js';

/** Options of {@link createIndexConcurrently}. */
export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** Condition of a partial index, as SQL. */
  readonly where?: string;
}

/**
 * Creates an index while the table is read and written. For migrations with `transaction: 'none'`: an index that a crash left
 * invalid is created again. In a new database and on SQLite it creates an ordinary index.
 */
export async function createIndexConcurrently(
  db: Kysely<unknown>,
  { name, table, columns, where }: ConcurrentIndex,
): Promise<void> {
  const list = sql.join(columns.map((column) => sql.ref(column)));
  const target = sql`${sql.ref(name)} on ${sql.table(table)} (${list}) ${where === undefined ? sql`` : sql`where ${sql.raw(where)}`}`;
  if (db.isTransaction || !(db.getExecutor().adapter instanceof PostgresAdapter)) {
    await sql`create index if not exists ${target}`.execute(db);
    return;
  }
  const { rows } = await sql`select 1 from pg_index
    where indexrelid = to_regclass(${name}) and not indisvalid`.execute(db);
  if (rows.length > 0) await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db);
  await sql`create index concurrently if not exists ${target}`.execute(db);
}
