import { reserveDatabase } from '../platform/database/database-purpose.js';
import { type Database, databaseName, openDatabase } from '../platform/database/open-database.js';
import { recordServiceNames, replaceServiceNames } from '../platform/database/recorded-service-names.js';
import { waitForDatabase } from '../platform/database/wait-for-database.js';
import type { Logger } from '../platform/logging/logger.js';
import { checkDatabase, type ServerOptions } from './options.js';

/**
 * Opens the database of the options, brings its schema up to date and reserves it for the server's purpose and names. Waits for a
 * database that cannot be reached if the options contain `waitForDatabase`.
 *
 * @throws Error if the option is missing, the database cannot be opened, or it is reserved for another purpose or other names.
 */
export async function openServiceDatabase(
  options: ServerOptions,
  { logger, now }: { logger: Logger; now: number },
): Promise<Database> {
  const url = checkDatabase(options);
  const open = async () => {
    const db = await openDatabase(url, { logger, migrate: options.migrate ?? true });
    try {
      await reserveDatabase(db, options.databasePurpose ?? 'service', now);
      await settleServiceNames(db, options, logger);
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

async function settleServiceNames(
  db: Database,
  { serviceNames = {}, replaceServiceNames: mayReplace = false }: ServerOptions,
  logger: Logger,
): Promise<void> {
  if (!mayReplace) return void (await recordServiceNames(db, serviceNames));
  const { names, replaced } = await replaceServiceNames(db, serviceNames);
  if (replaced === undefined) return;
  logger.warn({ names, replaced }, 'The service has new names. API keys of another prefix no longer work.');
}
