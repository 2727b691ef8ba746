import { checkBaseUrl } from '../../app/options.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import { newerSchema, schemaStatus } from '../../platform/database/migrate.js';
import { connectDatabase } from '../../platform/database/open-database.js';
import { createOperator, type Operator } from './operator.js';

/** What {@link openOperator} works on. */
export interface OpenOperatorOptions {
  /** As the option `database` of `startServer` takes it. */
  database: string;
  /** The running service's own origin: clients' hosted callbacks lie there. */
  baseUrl: string;
  /** Default: the machine's clock. */
  clock?: Clock;
}

/** An operator on a database that servers may be running on. */
export interface OpenedOperator {
  readonly operator: Operator;
  /** Closes the database. */
  close(): Promise<void>;
}

/**
 * Opens an operator without starting a server: for scripts and command lines beside running servers.
 *
 * @throws Error when an option is wrong, or the database's schema is not the one of this version: it is never brought up
 *   to date on the way.
 */
export async function openOperator({
  database,
  clock = systemClock,
  ...options
}: OpenOperatorOptions): Promise<OpenedOperator> {
  const baseUrl = checkBaseUrl(options.baseUrl);
  const db = await connectDatabase(database, { mustExist: true });
  try {
    const { pending, unknown } = await schemaStatus(db);
    if (unknown.length > 0) throw newerSchema(unknown);
    if (pending.length > 0) {
      throw new Error(
        `The database lacks ${pending.join(', ')}: bring it up to date with "latchkey migrate" first, or start a server on it.`,
      );
    }
    return {
      operator: createOperator({ baseUrl, clock, db, webhookPolicy: { allowLoopback: false } }),
      close: () => db.destroy(),
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
