import type { ServiceNamesOption } from '@latchkey/contract/constants';
import type * as z from 'zod';
import { type Clock, systemClock } from '../../platform/clock.js';
import { connectDatabase } from '../../platform/database/open-database.js';
import {
  checkCompatible,
  checkComplete,
  schemaStatus,
} from '../../platform/database/schema/schema-status.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { checkBaseUrl } from '../../platform/http/web-origin.js';
import { defaultLogger, type Logger } from '../../platform/logging/logger.js';
import { actingAs } from '../audit/audit.js';
import { type NamedCalls, namedCalls, type OperatorServices } from './named-calls.js';
import { OperatorError, parseInput } from './operator-checks.js';
import { RECORD_KINDS, RECORDS, type RecordKind, recordKind } from './record-kinds.js';
import { type CreatedRecord, type NewSecrets, RECORD_WRITES, type WriteContext } from './record-writes.js';
import { countRecords, findRecord, listRecords, type RecordInput, type RecordQuery } from './records.js';
import { recordServiceNames } from './service-names.js';

/** Administrative calls of the service, in process. Each rejects with an `OperatorError` if it fails. */
export interface Operator extends NamedCalls, ReturnType<typeof recordCalls> {}

export function createOperator(needs: OperatorServices): Operator {
  return asOperator(needs, { ...namedCalls(needs), ...recordCalls(needs) });
}

/** Returns the same calls. The audit log ascribes their changes to the operator. */
function asOperator<Calls extends object>({ clock }: OperatorServices, calls: Calls): Calls {
  const ascribed = Object.entries(calls as Record<string, (...input: unknown[]) => unknown>).map(
    ([name, call]) => [name, (...input: unknown[]) => actingAs('operator', clock, () => call(...input))],
  );
  return Object.fromEntries(ascribed) as Calls;
}

/** Operator calls for the records of every kind. Each write is one transaction, or joins the one of `db`. */
export function recordCalls(services: OperatorServices) {
  const { baseUrl, clock, logger, serviceNames, webhookPolicy } = services;
  const write = <Result>(work: (context: WriteContext) => Promise<Result>) =>
    inTransaction(services.db, (db) => {
      const operator = namedCalls({ baseUrl, clock, db, logger, serviceNames, webhookPolicy });
      return work({ baseUrl, clock, db, logger, operator, webhookPolicy });
    });
  return {
    /** Lists a page of records without their secrets, oldest first. */
    list: (kind: RecordKind, query: RecordQuery = {}) => listRecords(services, kind, query),

    /**
     * Counts the records of each kind.
     *
     * @param max where to stop counting.
     */
    async counts(max?: number) {
      const counts = RECORD_KINDS.map(async (kind) => [kind, await countRecords(services.db, kind, {}, max)]);
      return Object.fromEntries(await Promise.all(counts)) as Readonly<Record<RecordKind, number>>;
    },

    /**
     * Returns a record without its secrets, the names of the records that it mentions, and what belongs to it.
     *
     * @param id its id. That of a role is the id of its community, `~` and the id of its user.
     */
    find: (kind: RecordKind, id: string) => findRecord(services, kind, id),

    /** Creates a record, with its secret if it has one. Secrets can't be read again. */
    async create(kind: RecordKind, input: RecordInput): Promise<CreatedRecord> {
      const fields = parseInput(RECORDS[kind].create.body as z.ZodType, input);
      return await write((context) => RECORD_WRITES[kind].create(fields as never, context));
    },

    /**
     * Changes a record. Omitted fields stay unchanged. Returns new secrets, if the change makes some.
     *
     * @throws OperatorError `not_supported` if the service never changes such a record.
     */
    async change(kind: RecordKind, id: string, changes: RecordInput): Promise<NewSecrets> {
      const { change } = RECORD_WRITES[kind];
      const body = recordKind(kind).change?.body ?? notSupported(kind, 'changes');
      const fields = parseInput(body, changes);
      return (await write(async (context) => change?.(id, fields as never, context))) ?? {};
    },

    /**
     * Ends a record as the service does: deletes, archives, revokes or expires it.
     *
     * @throws OperatorError `not_supported` if the service never ends such a record.
     */
    async end(kind: RecordKind, id: string): Promise<void> {
      const end = RECORD_WRITES[kind].end ?? notSupported(kind, 'ends');
      await write((context) => end(id, context));
    },
  };
}

function notSupported(kind: RecordKind, verb: 'changes' | 'ends'): never {
  throw new OperatorError('not_supported', `The service never ${verb} ${kind}.`);
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
