import { migrate, type SchemaStatus, schemaStatus } from './migrate.js';
import { connectDatabase, type Database } from './open-database.js';

/**
 * Brings a database to the newest schema, beside running servers too.
 *
 * @param url as the option `database` of `startServer` takes it.
 * @returns the names of the migrations that were applied; none when it was up to date.
 */
export async function migrateDatabase(url: string): Promise<readonly string[]> {
  return await briefly(await connectDatabase(url, { purpose: 'migrations' }), migrate);
}

/**
 * Tells how a database stands to the schema of this version, and changes nothing in it.
 * @throws Error when there is none.
 */
export async function readSchemaStatus(url: string): Promise<SchemaStatus> {
  return await briefly(await connectDatabase(url, { mustExist: true }), schemaStatus);
}

async function briefly<Result>(db: Database, work: (db: Database) => Promise<Result>): Promise<Result> {
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
