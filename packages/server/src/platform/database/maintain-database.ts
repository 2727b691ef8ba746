import { migrate, type SchemaStatus, schemaStatus } from './migrate.js';
import { connectDatabase, type Database } from './open-database.js';

/**
 * Migrates a database to the newest schema. Servers may use the database meanwhile.
 *
 * @param url database URL, in the format of the option `database` of `startServer`.
 * @returns the names of the applied migrations; empty if the schema was up to date.
 */
export async function migrateDatabase(url: string): Promise<readonly string[]> {
  return await thenClose(await connectDatabase(url, { purpose: 'migrations' }), migrate);
}

/**
 * Compares the schema of a database with the schema of this version. Changes nothing.
 *
 * @throws Error if the database does not exist.
 */
export async function readSchemaStatus(url: string): Promise<SchemaStatus> {
  return await thenClose(await connectDatabase(url, { mustExist: true }), schemaStatus);
}

async function thenClose<Result>(db: Database, work: (db: Database) => Promise<Result>): Promise<Result> {
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
