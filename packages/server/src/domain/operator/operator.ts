import type { ServiceNamesOption } from '@latchkey/contract/constants';
import type { Needs } from '../../app/services.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import { connectDatabase } from '../../platform/database/open-database.js';
import {
  checkCompatible,
  checkComplete,
  schemaStatus,
} from '../../platform/database/schema/schema-status.js';
import { checkBaseUrl } from '../../platform/http/web-origin.js';
import { defaultLogger, type Logger } from '../../platform/logging/logger.js';
import { clientCalls, webhookCalls } from './developer-calls.js';
import { catalogueCalls, communityCalls, membershipCalls } from './seller-calls.js';
import { recordServiceNames } from './service-names.js';
import { apiKeyCalls, userCalls } from './user-calls.js';

/** Administrative calls of the service, in process. Each rejects with an `OperatorError` if it fails. */
export interface Operator
  extends ReturnType<typeof userCalls>,
    ReturnType<typeof communityCalls>,
    ReturnType<typeof catalogueCalls>,
    ReturnType<typeof membershipCalls>,
    ReturnType<typeof clientCalls>,
    ReturnType<typeof apiKeyCalls>,
    ReturnType<typeof webhookCalls> {}

export function createOperator(
  needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger' | 'serviceNames' | 'webhookPolicy'>,
): Operator {
  return {
    ...userCalls(needs),
    ...communityCalls(needs),
    ...catalogueCalls(needs),
    ...membershipCalls(needs),
    ...clientCalls(needs),
    ...apiKeyCalls(needs),
    ...webhookCalls(needs),
  };
}

/** Options of {@link openOperator}. */
export interface OpenOperatorOptions {
  /** Database URL, in the format of the option `database` of `startServer`. */
  database: string;
  /** Origin of the running service. Clients' hosted callbacks are below it. */
  baseUrl: string;
  /**
   * Names of the service, as in `startServer`. Only needed before the first server has used the database.
   *
   * @default the names that the database has
   */
  serviceNames?: ServiceNamesOption;
  /** @default the system clock */
  clock?: Clock;
  /**
   * Receives a line about each change that weakens the security of an account.
   *
   * @default JSON lines on the standard error
   */
  logger?: Logger;
}

/** Operator with its own database connection. */
export interface OpenedOperator {
  readonly operator: Operator;
  /** Closes the database. */
  close(): Promise<void>;
}

/**
 * Opens an operator without starting a server, for scripts and command lines. Servers may use the database meanwhile.
 *
 * @throws Error if an option is invalid, or the database has other names, or this version does not work on its schema. Opening
 *   never migrates.
 */
export async function openOperator({
  database,
  serviceNames,
  clock = systemClock,
  logger = defaultLogger,
  ...options
}: OpenOperatorOptions): Promise<OpenedOperator> {
  const baseUrl = checkBaseUrl(options.baseUrl);
  const db = await connectDatabase(database, { mustExist: true });
  try {
    const status = await schemaStatus(db);
    checkCompatible(status);
    checkComplete(status);
    const names = await recordServiceNames(db, serviceNames);
    const webhookPolicy = { allowLoopback: false };
    return {
      operator: createOperator({ baseUrl, serviceNames: names, clock, db, logger, webhookPolicy }),
      close: () => db.destroy(),
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
