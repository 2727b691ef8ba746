import { type Generated, type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * A change of the schema. Processes of the previous and the next version run on the database while it's applied.
 *
 * - `expand` only adds to the schema, so the previous version continues to work: tables, columns that may be null or
 *   have a default, indexes, constraints that all existing writers keep.
 * - `contract` removes what this version doesn't use, so earlier versions may not work after it. It runs on request
 *   only, when none of their processes is left. An expand migration must not depend on a contract migration: it can run
 *   before it.
 */
export type Migration = Step & ({ readonly kind: 'expand' } | ContractKind);

interface ContractKind {
  readonly kind: 'contract';
  /**
   * Name of the oldest migration that a version must contain to work after this one.
   *
   * @default the name of this migration
   */
  readonly worksFrom?: string;
}

interface Step {
  /**
   * `none` for statements that can't run in a transaction, such as `create index concurrently`, and for changing rows
   * in batches. A crash can interrupt such a migration anywhere, so it must be repeatable.
   *
   * @default "one": the migration is applied completely or not at all
   */
  readonly transaction?: 'one' | 'none';
  up(db: Kysely<unknown>): Promise<void>;
}

/**
 * Creates an index while the table is read and written, for migrations with `transaction: 'none'`. An index that a
 * crash left invalid is created again. In a new database and on SQLite, it creates an ordinary index.
 *
 * @param index.where condition of a partial index, as SQL.
 */
export async function createIndexConcurrently(
  db: Kysely<unknown>,
  {
    name,
    table,
    columns,
    where,
  }: { name: string; table: string; columns: readonly string[]; where?: string },
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

/** SQL of a column of a narrower type than its SQL says. */
type Narrowed<Type> = string & { readonly type: Type };

/** States the type of a column's values where {@link TableTypes} can't know it. */
export function column<Type>(sql: string): Narrowed<Type> {
  return sql as Narrowed<Type>;
}

/**
 * Types of tables for Kysely, from the SQL of their columns: `text` is a string, or one of the values that a check
 * lists, and any other type a number.
 */
export type TableTypes<Tables> = {
  -readonly [Table in keyof Tables]: {
    -readonly [Name in keyof Tables[Table]]: ColumnType<Tables[Table][Name]>;
  };
};

type ColumnType<Sql> =
  Sql extends Narrowed<infer Type>
    ? Type
    : Sql extends `${string} default ${string}`
      ? Generated<Value<Sql>>
      : Sql extends `${string}not null${string}` | `${string}primary key${string}`
        ? Value<Sql>
        : Value<Sql> | null;

type Value<Sql> = Sql extends `${string} in (${infer List}))`
  ? Listed<List>
  : Sql extends `text${string}`
    ? string
    : number;

type Listed<List> = List extends `'${infer First}', ${infer Rest}`
  ? First | Listed<Rest>
  : List extends `'${infer Last}'`
    ? Last
    : never;
