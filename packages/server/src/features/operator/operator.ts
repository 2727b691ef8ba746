import type { ServiceNamesOption } from '@latchkey/contract/constants';
import { type Clock, systemClock } from '../../platform/clock.js';
import { connectDatabase } from '../../platform/database/open-database.js';
import { checkSchema, schemaStatus } from '../../platform/database/schema/schema-status.js';
import { checkBaseUrl } from '../../platform/http/web-origin.js';
import { defaultLogger, type Logger } from '../../platform/logging/logger.js';
import { actingAs } from '../audit/audit.js';
import { type NamedCalls, namedCalls } from './named-calls.js';
import type { RecordCalls } from './record-calls.js';
import type { WriteContext } from './record-kinds.js';
import { recordServiceNames } from './service-names.js';

/** Administrative calls of the service, in process. Each rejects with an `OperatorError` if it fails. */
export interface Operator extends NamedCalls, RecordCalls {}

export function createOperator(needs: WriteContext): Operator {
  const calls = loadedCalls(needs);
  return asOperator(needs, { ...namedCalls(needs, calls.create), ...calls });
}

/** Returns the same calls, with the operator as the author of their changes in the audit log. */
function asOperator<Calls extends object>({ clock }: WriteContext, calls: Calls): Calls {
  const ascribed = Object.entries(calls as Record<string, (...input: unknown[]) => unknown>).map(
    ([name, call]) => [name, (...input: unknown[]) => actingAs('operator', clock, () => call(...input))],
  );
  return Object.fromEntries(ascribed) as Calls;
}

const RECORD_CALLS = ['list', 'counts', 'find', 'create', 'change', 'end'] as const;

/** Returns the calls for records. Their code is loaded at the first call; most servers start without it. */
function loadedCalls(services: WriteContext): RecordCalls {
  const calls = RECORD_CALLS.map((name) => [
    name,
    async (...input: unknown[]) => {
      const { recordCalls } = await import('./record-calls.js');
      return await (recordCalls(services)[name] as (...input: unknown[]) => unknown)(...input);
    },
  ]);
  return Object.fromEntries(calls) as RecordCalls;
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
  /** Receives a line about each change that weakens an account's security. @default JSON lines on standard error */
  logger?: Logger;
}

/** An operator with a separate database connection. */
export interface OpenedOperator {
  readonly operator: Operator;
  /** Closes the database. */
  close(): Promise<void>;
}

/**
 * Opens an operator without starting a server, for scripts and command lines. Servers can use the database at the same
 * time.
 *
 * @throws Error if an option is invalid, the database has other names, or this version doesn't work with its schema.
 *   Opening never migrates.
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
    checkSchema(await schemaStatus(db));
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
