import { randomUUID } from 'node:crypto';
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
import { alreadyExists, conflict, requireUser } from './operator-checks.js';
import type { RecordWrites } from './record-kinds.js';
import { requireRow } from './records.js';
import { SELLER_WRITES } from './seller-writes.js';

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
      return undefined;
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
      return undefined;
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
