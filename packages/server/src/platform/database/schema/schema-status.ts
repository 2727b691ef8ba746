import { type Kysely, sql } from 'kysely';
import type { Migration } from '../../../migrations/migration.js';
import { MIGRATIONS, type Migrations } from '../../../migrations/migrations.js';
import type { Schema } from '../../../migrations/schema.js';
import type { Logger } from '../../logging/logger.js';
import { hasRowLocks } from '../kysely/row-locks.js';

const POSTGRES_UNDEFINED_TABLE = '42P01';

/** The migrations of a database, compared with this version's. Names in order. */
export interface SchemaStatus {
  /** Migrations that the database has. */
  applied: readonly string[];
  /** Expand migrations that the database lacks. */
  pending: readonly string[];
  /** Contract migrations that the database lacks. They run on request only. */
  pendingContract: readonly string[];
  /** Migrations from a newer version, which this one doesn't have. */
  unknown: readonly string[];
  /** Unknown migrations after which this version doesn't work: they removed something it uses, or changed what is written. */
  incompatible: readonly string[];
}

/**
 * Reads the migrations of a database. Changes nothing.
 *
 * @throws Error if the database is from before the first release: it has migrations, but not the first one.
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

/** `mayLack`: pending expand migrations will be applied. @throws Error that lists the missing or newer migrations. */
export function checkSchema(status: SchemaStatus, options: { mayLack?: boolean } = {}): void {
  const problem = problemOf(status, options);
  if (problem !== undefined) throw new Error(problem);
}

function problemOf({ incompatible, pending }: SchemaStatus, { mayLack = false } = {}): string | undefined {
  if (incompatible.length > 0)
    return `The database has the migrations ${incompatible.join(', ')} of a newer version of the service, after which this version does not work. Run that version or a later one. Only a backup from before these migrations works with this version.`;
  if (pending.length > 0 && !mayLack)
    return `The database lacks the migrations ${pending.join(', ')}. Run "latchkey migrate" of this version first.`;
  return undefined;
}

/** Creates the table of the applied migrations, with the name and columns that Kysely's `Migrator` uses. */
export async function createMigrationRecords(db: Kysely<Schema>): Promise<void> {
  await sql`create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
}

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

/** A migration that isn't described in the table may have removed something. */
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
    const { code, message = '' } = Object(error) as { code?: unknown; message?: string };
    if (code === POSTGRES_UNDEFINED_TABLE || message.startsWith('no such table')) return { rows: [] };
    throw error;
  }
}

const SERVICE = 'latchkey';

/** Name of the service's connections in PostgreSQL. Contains the newest migration of the process's version. */
export const APPLICATION_NAME = `${SERVICE} ${Object.keys(MIGRATIONS).at(-1)}`;

/**
 * Lists the newest migration of each earlier version that is connected to a PostgreSQL database. A process without a
 * connection isn't found, but its background work connects every few seconds. SQLite doesn't list its connections.
 */
export async function olderProcesses(db: Kysely<Schema>, worksFrom: string): Promise<string[]> {
  if (!hasRowLocks(db)) return [];
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${`${SERVICE} `})
    order by 1`.execute(db);
  return rows.map(({ name }) => name.slice(SERVICE.length + 1)).filter((newest) => newest < worksFrom);
}

/** How long a result is used, in milliseconds. Load balancers call `/readyz` about every second. */
const RESULT_MS = 5_000;

/**
 * Creates the watch of a process that has started: its schema fits at first. That can change:
 * `latchkey migrate --contract` of the next version can remove what this version uses, and a restored backup can lack
 * it. Each change of the result is logged.
 */
export function createSchemaWatch({ db, logger }: { db: Kysely<Schema>; logger: Logger }) {
  let result = true;
  let readAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<boolean> | undefined;

  async function read(): Promise<boolean> {
    const status = await schemaStatus(db);
    readAt = performance.now();
    const problem = problemOf(status);
    const fits = problem === undefined;
    if (fits === result) return fits;
    result = fits;
    const newestOfThisVersion = Object.keys(MIGRATIONS).at(-1);
    if (fits) {
      logger.info({ newestOfThisVersion }, 'This version works on the schema of the database again');
    } else {
      logger.error(
        { migrations: [...status.incompatible, ...status.pending], newestOfThisVersion },
        `This process no longer works on the schema, and is not ready. ${problem}`,
      );
    }
    return fits;
  }

  return {
    /** At most five seconds old. If the schema can't be read, the last result stays. Never rejects. */
    async fits() {
      if (performance.now() - readAt < RESULT_MS) return result;
      pending ??= read()
        .catch(() => result)
        .finally(() => {
          pending = undefined;
        });
      return await pending;
    },
  };
}

export type SchemaWatch = ReturnType<typeof createSchemaWatch>;
