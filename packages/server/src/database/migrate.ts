import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { signIn } from './migrations/0001-sign-in.js';
import { service } from './migrations/0002-service.js';
import type { Schema } from './schema.js';

/** Every migration, in the order of their names. A released one is never edited: what changes comes as a new one. */
const MIGRATIONS = { '0001-sign-in': signIn, '0002-service': service };

/** Brings the database to the newest schema; several processes may try at once. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw new Error('The database could not be brought to the newest schema.', { cause: error });
  }
}
