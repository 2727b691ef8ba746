import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { signIn } from './migrations/0001-sign-in.js';
import { service } from './migrations/0002-service.js';
import type { Schema } from './schema.js';

/** Every migration, in the order of their names. A released one is never edited: what changes comes as a new one. */
const MIGRATIONS = { '0001-sign-in': signIn, '0002-service': service };

/** How a database stands to the schema that this version of the service works with. Names of migrations, in order. */
export interface SchemaStatus {
  /** What the database has. */
  applied: readonly string[];
  /** What this version brings and the database has not. */
  pending: readonly string[];
  /** What the database has and this version does not know: a newer version has migrated it. */
  unknown: readonly string[];
}

/**
 * Brings the database to the newest schema; several processes may try at once.
 * @returns the names of the migrations that this call applied.
 * @throws Error when a newer version has migrated the database, or a migration fails; nothing of it is kept then.
 */
export async function migrate(db: Kysely<Schema>): Promise<string[]> {
  const { error, results = [] } = await migratorOf(db).migrateToLatest();
  if (error !== undefined) {
    const { unknown } = await schemaStatus(db);
    if (unknown.length > 0) throw newerSchema(unknown);
    throw new Error('The database could not be brought to the newest schema.', { cause: error });
  }
  return results.map(({ migrationName }) => migrationName);
}

/** Tells how the database stands, and changes nothing. */
export async function schemaStatus(db: Kysely<Schema>): Promise<SchemaStatus> {
  const known = await migratorOf(db).getMigrations();
  const applied = known.flatMap(({ name, executedAt }) => (executedAt === undefined ? [] : [name]));
  const names = known.map(({ name }) => name);
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const recorded = tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)
    ? await (db as Kysely<unknown> as Kysely<{ kysely_migration: { name: string } }>)
        .selectFrom(DEFAULT_MIGRATION_TABLE)
        .select('name')
        .orderBy('name')
        .execute()
    : [];
  return {
    applied,
    pending: names.filter((name) => !applied.includes(name)),
    unknown: recorded.map(({ name }) => name).filter((name) => !names.includes(name)),
  };
}

export function newerSchema(unknown: readonly string[]): Error {
  return new Error(
    `The database has migrations that this version does not know (${unknown.join(', ')}): a newer version of the service has brought it up to date. Run that version or a later one.`,
  );
}

function migratorOf(db: Kysely<Schema>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
}
