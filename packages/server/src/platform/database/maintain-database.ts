import type { ServiceNamesOption } from '@latchkey/contract/constants';
import type { Logger } from '../logging/logger.js';
import { parseServiceNames } from '../service-names.js';
import { connectDatabase, type Database } from './open-database.js';
import { recordServiceNames, replaceServiceNames } from './recorded-service-names.js';
import { migrate } from './schema/migrate.js';
import { type SchemaStatus, schemaStatus } from './schema/schema-status.js';

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
  /**
   * True to run pending contract migrations too. Earlier versions do not work after them, so none of their processes may
   * be left. On PostgreSQL the call rejects if it finds one.
   *
   * @default false
   */
  contract?: boolean;
  /**
   * Log of migrations that wait for a table.
   *
   * @default a logger to standard error
   */
  logger?: Logger;
}

/**
 * Applies the pending expand migrations of a database. Servers of this version and of the previous one may use the database
 * meanwhile. A new database gets the contract migrations too.
 *
 * @param url database URL, in the format of the option `database` of `startServer`.
 * @throws Error if the option `serviceNames` is invalid, the database has other names, or this version does not work after the
 *   migrations of a newer one.
 * @returns the names of the applied migrations; empty if none was pending.
 */
export async function migrateDatabase(
  url: string,
  { serviceNames, replaceServiceNames: mayReplace = false, ...options }: MigrateOptions = {},
): Promise<readonly string[]> {
  if (serviceNames !== undefined) parseServiceNames(serviceNames);
  return await thenClose(await connectDatabase(url, { purpose: 'migrations' }), async (db) => {
    const applied = await migrate(db, options);
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
