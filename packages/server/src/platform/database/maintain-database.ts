import type { ServiceNamesOption } from '@latchkey/contract/constants';
import { parseServiceNames } from '../service-names.js';
import { migrate, type SchemaStatus, schemaStatus } from './migrate.js';
import { connectDatabase, type Database } from './open-database.js';
import { recordServiceNames, replaceServiceNames } from './recorded-service-names.js';

/** Options of {@link migrateDatabase}. */
export interface MigrateOptions {
  /**
   * Names of the service, as in `startServer`.
   *
   * @default the names do not change
   */
  serviceNames?: ServiceNamesOption;
  /**
   * True to replace other names that the database has. API keys of another prefix stop working. Stop all servers first:
   * they use the names that they started with.
   *
   * @default false
   */
  replaceServiceNames?: boolean;
}

/**
 * Migrates a database to the newest schema. Servers may use the database meanwhile.
 *
 * @param url database URL, in the format of the option `database` of `startServer`.
 * @throws Error if the option `serviceNames` is invalid, or the database has other names.
 * @returns the names of the applied migrations; empty if the schema was up to date.
 */
export async function migrateDatabase(
  url: string,
  { serviceNames, replaceServiceNames: mayReplace = false }: MigrateOptions = {},
): Promise<readonly string[]> {
  if (serviceNames !== undefined) parseServiceNames(serviceNames);
  return await thenClose(await connectDatabase(url, { purpose: 'migrations' }), async (db) => {
    const applied = await migrate(db);
    if (serviceNames === undefined) return applied;
    await (mayReplace ? replaceServiceNames : recordServiceNames)(db, serviceNames);
    return applied;
  });
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
