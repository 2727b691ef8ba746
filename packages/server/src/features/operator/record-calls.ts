import type * as z from 'zod';
import { inTransaction } from '../../platform/database/transaction.js';
import { OperatorError, parseInput } from './operator-checks.js';
import {
  type CreatedRecord,
  type NewSecrets,
  RECORD_KINDS,
  type RecordKind,
  recordKind,
  type WriteContext,
} from './record-kinds.js';
import { RECORD_WRITES } from './record-writes.js';
import { countRecords, findRecord, listRecords, type RecordInput, type RecordQuery } from './records.js';

/** Operator calls for the records of every kind. Each write is one transaction, or joins the transaction of `db`. */
export function recordCalls(services: WriteContext) {
  const write = <Result>(
    work: (context: WriteContext) => Promise<Result>,
    options?: Parameters<typeof inTransaction>[2],
  ) => inTransaction(services.db, (db) => work({ ...services, db }), options);
  return {
    /** Lists a page of records without their secrets, oldest first. */
    list: (kind: RecordKind, query: RecordQuery = {}) => listRecords(services, kind, query),

    /**
     * Counts the records of each kind.
     *
     * @param max where counting stops.
     */
    async counts(max?: number) {
      const counts = RECORD_KINDS.map(async (kind) => [kind, await countRecords(services.db, kind, {}, max)]);
      return Object.fromEntries(await Promise.all(counts)) as Readonly<Record<RecordKind, number>>;
    },

    /**
     * Returns a record without its secrets, the names of the records that it mentions, and what belongs to it.
     *
     * @param id its id. A role's id is the id of its community, `~` and the id of its user.
     */
    find: (kind: RecordKind, id: string) => findRecord(services, kind, id),

    /**
     * Creates a record, with its secret if it has one. Secrets can't be read later.
     *
     * @param secret its secret. Default: a new one.
     */
    async create(kind: RecordKind, input: RecordInput, secret?: string): Promise<CreatedRecord> {
      const fields = parseInput(recordKind(kind).create.body as z.ZodType, input);
      // A new user gets what others have just stored for the address, which a serializable transaction wouldn't see.
      const options = kind === 'users' ? ({ isolation: 'read committed' } as const) : {};
      return await write((context) => RECORD_WRITES[kind].create(fields as never, context, secret), options);
    },

    /**
     * Changes a record. Omitted fields stay unchanged. Returns new secrets if the change creates any.
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

/** Calls for the records of every kind. */
export type RecordCalls = ReturnType<typeof recordCalls>;
