import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Needs, Services } from '../../app/services.js';
import { deleteAccount } from '../account-deletion/delete-account.js';
import type { DeletionObstacles, OwnedProperty } from '../account-deletion/deletion-obstacles.js';
import { idField } from '../fields/identifiers.js';
import { endAllSessions } from '../sessions/sessions.js';
import { turnTwoStepOffAsOperator } from '../two-step/two-step-settings.js';
import { wasUserDeleted } from '../users/deleted-users.js';
import { userSchema } from '../users/user.js';
import { findUserByEmail, insertUser } from '../users/users.js';
import { alreadyExists, invalidInput, notFound, OperatorError } from './operator-error.js';
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
  /** Creates a user. The id of a deleted account is rejected, so that a `sub` never names another person. */
  createUser(user: CreateUser): Promise<{ id: string }>;
  /** Finds a user by email address. */
  findUser(email: string): Promise<{ id: string; name: string | null }>;
  /** Ends all sessions of a user at the service, for example after a theft. Returns the user's id. */
  endSessions(user: EndSessions): Promise<{ id: string }>;
  /**
   * Deletes the account of a user for good: the personal data, the sessions, and the codes and tokens of all apps. Active memberships
   * end with their events, and nothing is charged afterwards. Payments and memberships stay for the sellers, without personal data.
   * The user receives a mail. Returns the id that the user had. A second call with the id returns the same.
   *
   * @throws OperatorError `invalid_input` if both the id and the address are given, or neither; `not_found`; `conflict` if the user owns
   *   a community, a product, a client or an API key, or is being charged. The message lists what to do first.
   */
  deleteUser(user: DeleteUser): Promise<{ id: string }>;
  /** Turns two-step sign-in off for a user without the app and the recovery codes. The user receives a mail. */
  turnOffTwoStep(user: { email: string }): Promise<{ id: string }>;
}

/** User whose sessions end. */
export interface EndSessions {
  email: string;
  /**
   * True to revoke the codes and tokens of all apps too. Consents stay.
   *
   * @default false
   */
  apps?: boolean;
}

/**
 * User to delete, by id or by address, not both. After the deletion, the address belongs to no user, or to a new one. So use the id to
 * repeat a call whose result is unknown.
 */
export type DeleteUser =
  | { readonly id: string; readonly email?: undefined }
  | { readonly email: string; readonly id?: undefined };

const userIdSchema = z.object({ id: idField });

const createUserSchema = userSchema.extend({ id: idField });

export function createUserOperator({ db, clock, logger }: Needs<'db' | 'clock' | 'logger'>): UserOperator {
  return {
    async createUser({ id, ...settings }) {
      const user = parseInput(createUserSchema, { id: id ?? randomUUID(), ...settings });
      if (id !== undefined && (await wasUserDeleted(db, user.id))) {
        throw alreadyExists(
          `The account with the id ${user.id} was deleted. Apps still know the id, so use a different one.`,
          { id: 'A deleted account had this id.' },
        );
      }
      if (!(await insertUser(db, user, clock.now()))) {
        const { email, messengerUserId } = user;
        throw alreadyExists(
          anotherUser({ 'the id': id, 'the email address': email, 'the messenger account': messengerUserId }),
        );
      }
      return { id: user.id };
    },

    async findUser(address) {
      const { id, name } = await requireUserByEmail(db, address);
      return { id, name };
    },

    async endSessions({ email, apps = false }) {
      const { id } = await requireUserByEmail(db, email);
      await endAllSessions(db, { userId: id, except: undefined, apps }, clock.now());
      return { id };
    },

    async deleteUser({ id: givenId, email }) {
      if ((givenId === undefined) === (email === undefined)) {
        throw invalidInput('Pass either the id or the email address of the user.');
      }
      const id =
        email === undefined
          ? parseInput(userIdSchema, { id: givenId }).id
          : (await requireUserByEmail(db, email)).id;
      const result = await deleteAccount(db, { userId: id, deletedBy: { who: 'operator' } }, clock.now());
      switch (result.kind) {
        case 'deleted':
          if (result.isNew) logger.warn({ userId: id }, 'An account was deleted by the operator');
          return { id };
        case 'blocked':
          throw new OperatorError(
            'conflict',
            `The account can't be deleted yet. ${obstaclesInWords(result.obstacles).join(' ')}`,
          );
        case 'unknown':
          throw notFound('user', id, 'id');
      }
    },

    async turnOffTwoStep({ email }) {
      const { id } = await requireUserByEmail(db, email);
      if (!(await turnTwoStepOffAsOperator(db, id, clock.now()))) {
        throw new OperatorError('not_found', `The user ${email} does not have two-step sign-in on.`);
      }
      logger.warn({ userId: id }, 'Two-step sign-in was turned off by the operator');
      return { id };
    },
  };
}

async function requireUserByEmail(db: Services['db'], address: string) {
  const email = address.trim().toLowerCase();
  const user = await findUserByEmail(db, email);
  if (user !== undefined) return user;
  throw new OperatorError('not_found', `There is no user with the email address ${email}.`);
}

/** Names only what the caller set: a generated id belongs to no other user. */
function anotherUser(given: Readonly<Record<string, string | number | null | undefined>>): string {
  const parts = Object.entries(given).flatMap(([name, value]) => (value == null ? [] : [`${name} ${value}`]));
  return `Another user has ${parts.join(' or ')}. Use ${parts.length === 1 ? 'a different one' : 'different ones'}.`;
}

/** Returns one sentence for each kind of obstacle, with what to do first. */
function obstaclesInWords({
  communities,
  products,
  clients,
  apiKeys,
  isCharged,
}: DeletionObstacles): string[] {
  return [
    ...listed('Hand over the communities', communities),
    ...listed('Delete or hand over the products', products),
    ...listed('Delete the OAuth clients', clients),
    ...listed('Revoke the API keys', apiKeys),
    ...(isCharged ? ['A charge is running. Wait until its result is stored.'] : []),
  ];
}

function listed(instruction: string, owned: readonly OwnedProperty[]): string[] {
  if (owned.length === 0) return [];
  return [`${instruction} first: ${owned.map(({ id, name }) => `"${name}" (${id})`).join(', ')}.`];
}
