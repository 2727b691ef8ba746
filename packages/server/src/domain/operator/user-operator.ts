import { randomUUID } from 'node:crypto';
import { idField } from '../fields/identifiers.js';
import { userSchema } from '../users/user.js';
import { findUserByEmail, insertUser } from '../users/users.js';
import { alreadyExists, OperatorError } from './operator-error.js';
import type { OperatorNeeds } from './operator-needs.js';
import { parseInput } from './parse-input.js';

/** User to create. */
export interface CreateUser {
  /** @default a new UUID */
  id?: string;
  email: string;
  name?: string;
  messengerUserId?: number;
}

/** Operator calls for users. */
export interface UserOperator {
  createUser(user: CreateUser): Promise<{ id: string }>;
  /** Finds a user by email address. */
  findUser(email: string): Promise<{ id: string; name: string | null }>;
}

const createUserSchema = userSchema.extend({ id: idField });

export function createUserOperator({ db, clock }: Pick<OperatorNeeds, 'db' | 'clock'>): UserOperator {
  return {
    async createUser({ id, ...settings }) {
      const user = parseInput(createUserSchema, { id: id ?? randomUUID(), ...settings });
      if (!(await insertUser(db, user, clock.now()))) {
        const { email, messengerUserId } = user;
        throw alreadyExists(
          anotherUser({ 'the id': id, 'the email address': email, 'the messenger account': messengerUserId }),
        );
      }
      return { id: user.id };
    },

    async findUser(address) {
      const email = address.trim().toLowerCase();
      const user = await findUserByEmail(db, email);
      if (user === undefined) {
        throw new OperatorError('not_found', `There is no user with the email address ${email}.`);
      }
      return { id: user.id, name: user.name };
    },
  };
}

/** Names only what the caller set: a generated id belongs to no other user. */
function anotherUser(given: Readonly<Record<string, string | number | null | undefined>>): string {
  const parts = Object.entries(given).flatMap(([name, value]) => (value == null ? [] : [`${name} ${value}`]));
  return `Another user has ${parts.join(' or ')}. Use ${parts.length === 1 ? 'a different one' : 'different ones'}.`;
}
