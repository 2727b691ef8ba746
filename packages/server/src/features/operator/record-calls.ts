import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { inTransaction } from '../../platform/database/transaction.js';
import { phrase } from '../../platform/language/language.js';
import { grantProvisioning, withdrawProvisioning } from '../api-keys/api-keys.js';
import { insertUser } from '../memberships/claims.js';
import {
  appointOperator,
  changeOperatorRole,
  type OperatorRole,
  removeOperator,
} from '../operator-roles/operator-roles.js';
import { endAllSessions } from '../sessions/sessions.js';
import { turnTwoStepOffAsOperator } from '../two-step/two-step-settings.js';
import { renameUser, wasUserDeleted } from '../users/users.js';
import { DEVELOPER_WRITES } from './developer-writes.js';
import { MEMBER_WRITES } from './member-writes.js';
import { alreadyExists, conflict, OperatorError, parseInput, requireUser } from './operator-checks.js';
import {
  type CreatedRecord,
  type NewSecrets,
  RECORD_KINDS,
  type RecordKind,
  type RecordWrites,
  recordKind,
  type WriteContext,
} from './record-kinds.js';
import {
  countRecords,
  findRecord,
  listRecords,
  type RecordInput,
  type RecordQuery,
  requireRow,
} from './records.js';
import { SELLER_WRITES } from './seller-writes.js';

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

export type RecordCalls = ReturnType<typeof recordCalls>;

export const RECORD_WRITES: RecordWrites = {
  ...SELLER_WRITES,
  ...MEMBER_WRITES,
  ...DEVELOPER_WRITES,
  users: {
    async create({ id: chosen, email, name = null, messengerUserId = null }, { db, clock }) {
      const id = chosen ?? randomUUID();
      // A `sub` must never identify another person.
      if (chosen !== undefined && (await wasUserDeleted(db, id))) {
        throw alreadyExists(
          `The account with the id ${id} was deleted. Apps still know the id, so use a different one.`,
          { id: 'A deleted account had this id.' },
        );
      }
      if (await insertUser(db, { id, email, name, messengerUserId }, clock.now())) return { id };
      const given = {
        'the id': chosen,
        'the email address': email,
        'the messenger account': messengerUserId,
      };
      throw alreadyExists(anotherUser(given));
    },
    async change(id, { name, mayProvision, turnOffTwoStep }, { db, clock, logger }) {
      await requireRow(db, 'users', id);
      if (name !== undefined) await renameUser(db, id, name);
      if (mayProvision === true) await grantProvisioning(db, id, clock.now());
      if (mayProvision === false) await withdrawProvisioning(db, id);
      if (turnOffTwoStep) {
        if (!(await turnTwoStepOffAsOperator(db, id, clock.now())))
          throw conflict(phrase('The user does not have two-step sign-in on.'), 'turnOffTwoStep');
        logger.warn({ userId: id }, 'Two-step sign-in was turned off by the operator');
      }
    },
    async end(userId, { db, clock }) {
      await requireRow(db, 'users', userId);
      await endAllSessions(db, { userId, except: undefined, apps: true }, clock.now());
    },
  },
  operators: {
    async create({ userId, role }, { db, clock }) {
      await requireUser(db, userId);
      if (!(await appointOperator(db, { userId, role }, clock.now()))) {
        throw conflict(phrase('The user already is an operator. Change the role.'), 'userId');
      }
      return { id: userId };
    },
    async change(userId, { role }, { db, clock }) {
      await requireRow(db, 'operators', userId);
      await changeOperatorRole(db, { userId, role: role as OperatorRole }, clock.now());
    },
    async end(userId, { db }) {
      await requireRow(db, 'operators', userId);
      await removeOperator(db, userId);
    },
  },
};

/** Lists only what the caller set: a generated id can't belong to another user. */
function anotherUser(given: Readonly<Record<string, string | number | null | undefined>>): string {
  const parts = Object.entries(given).flatMap(([name, value]) => (value == null ? [] : [`${name} ${value}`]));
  return `Another user has ${parts.join(' or ')}. Use ${parts.length === 1 ? 'a different one' : 'different ones'}.`;
}
