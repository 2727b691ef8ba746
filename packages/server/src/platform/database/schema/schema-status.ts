import { type Kysely, sql } from '../kysely/kysely.js';
import type { Migration } from './migrations/migration.js';
import { MIGRATIONS, type Migrations } from './migrations.js';
import type { Schema } from './schema.js';

const POSTGRES_UNDEFINED_TABLE = '42P01';

/** Migrations of a database, compared with those of this version of the service. Names in order. */
export interface SchemaStatus {
  /** Migrations that the database has. */
  applied: readonly string[];
  /** Expand migrations that the database lacks. */
  pending: readonly string[];
  /** Contract migrations that the database lacks. They run on request only. */
  pendingContract: readonly string[];
  /** Migrations that this version does not have, because they are of a newer one. */
  unknown: readonly string[];
  /** Unknown migrations after which this version does not work: they removed what it uses, or changed what is written. */
  incompatible: readonly string[];
}

/**
 * Reads the migrations of a database, without changes.
 *
 * @throws Error if the database is from before the first release: it has other migrations, and not the first one.
 */
export async function schemaStatus(
  db: Kysely<Schema>,
  migrations: Migrations = MIGRATIONS,
): Promise<SchemaStatus> {
  const recorded = await recordedMigrations(db);
  const known = Object.keys(migrations);
  const missing = known.filter((name) => !recorded.includes(name));
  const isExpand = (name: string) => migrations[name]?.kind === 'expand';
  const applied = known.filter((name) => recorded.includes(name));
  const unknown = recorded.filter((name) => !known.includes(name));
  if (applied.length === 0 && unknown.length > 0)
    throw new Error(
      `Its schema is from before the first release (it starts with the migration ${unknown[0]}), and no version can migrate it. Create the database again. SQLite: stop the service, and delete the file and its -wal and -shm files. PostgreSQL: drop the database, and create it with the same owner. Then start the service, or run "latchkey migrate".`,
    );
  return {
    applied,
    pending: missing.filter(isExpand),
    pendingContract: missing.filter((name) => !isExpand(name)),
    unknown,
    incompatible: unknown.length === 0 ? [] : await incompatibleMigrations(db, { known, unknown }),
  };
}

/**
 * Rejects a database on which this version does not work.
 *
 * @throws Error if a newer version has applied a contract migration after which this version does not work.
 */
export function checkCompatible({ incompatible }: SchemaStatus): void {
  if (incompatible.length === 0) return;
  throw new Error(
    `The database has the migrations ${incompatible.join(', ')} of a newer version of the service, after which this version does not work. Run that version or a later one. Only a backup from before these migrations works with this version.`,
  );
}

/**
 * Rejects a database that lacks expand migrations of this version.
 *
 * @throws Error naming the missing migrations.
 */
export function checkComplete({ pending }: SchemaStatus): void {
  if (pending.length === 0) return;
  throw new Error(
    `The database lacks the migrations ${pending.join(', ')}. Run "latchkey migrate" of this version first.`,
  );
}

/** Creates the table of the applied migrations. It has the name and the columns of Kysely's `Migrator`. */
export async function createMigrationRecords(db: Kysely<Schema>): Promise<void> {
  await sql`create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
}

/** Records a migration as applied, in the transaction that applies it. */
export async function recordMigration(
  db: Kysely<Schema>,
  name: string,
  { migration, now }: { migration: Migration; now: number },
): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date(now).toISOString()})`.execute(
    db,
  );
  const worksFrom = migration.kind === 'contract' ? (migration.worksFrom ?? name) : null;
  await db
    .insertInto('migration_kinds')
    .values({ name, kind: migration.kind, works_from: worksFrom })
    .execute();
}

async function recordedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await ifTableExists(
    sql<{ name: string }>`select name from kysely_migration order by name`.execute(db),
  );
  return rows.map(({ name }) => name);
}

/** A migration that no table describes may have removed something. */
async function incompatibleMigrations(
  db: Kysely<Schema>,
  { known, unknown }: { known: readonly string[]; unknown: readonly string[] },
): Promise<string[]> {
  const { rows } = await ifTableExists(
    sql<{ name: string; kind: string; works_from: string | null }>`
      select name, kind, works_from from migration_kinds`.execute(db),
  );
  const works = rows.filter(
    ({ kind, works_from }) => kind === 'expand' || (works_from !== null && known.includes(works_from)),
  );
  return unknown.filter((name) => !works.some((row) => row.name === name));
}

async function ifTableExists<Row>(result: Promise<{ rows: Row[] }>): Promise<{ rows: Row[] }> {
  try {
    return await result;
  } catch (error) {
    if (isMissingTable(error)) return { rows: [] };
    throw error;
  }
}

function isMissingTable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === POSTGRES_UNDEFINED_TABLE || error.message.startsWith('no such table');
}
