import { reserveDatabase } from '../platform/database/database-purpose.js';
import { type Database, databaseName, openDatabase } from '../platform/database/open-database.js';
import { waitForDatabase } from '../platform/database/wait-for-database.js';
import type { Logger } from '../platform/logging/logger.js';
import { checkDatabase, type ServerOptions } from './options.js';

/**
 * Opens the database of the options, brings its schema up to date and reserves it for the server's purpose. Waits for a
 * database that cannot be reached if the options contain `waitForDatabase`.
 *
 * @throws Error if the option is missing, the database cannot be opened, or it is reserved for another purpose.
 */
export async function openServiceDatabase(
  options: ServerOptions,
  { logger, now }: { logger: Logger; now: number },
): Promise<Database> {
  const url = checkDatabase(options);
  const open = async () => {
    const db = await openDatabase(url, { logger });
    try {
      await reserveDatabase(db, options.databasePurpose ?? 'service', now);
      return db;
    } catch (error) {
      await db.destroy();
      throw error;
    }
  };
  const signal = options.waitForDatabase;
  if (signal === undefined) return await open();
  return await waitForDatabase(open, { host: databaseName(url), logger, signal });
}
