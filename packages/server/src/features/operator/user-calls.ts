import { randomUUID } from 'node:crypto';
import { comparableEmail } from '@latchkey/contract';
import * as z from 'zod';
import type { Needs } from '../../app/services.js';
import { deleteAccount } from '../account-deletion/delete-account.js';
import type { DeletionObstacles, OwnedProperty } from '../account-deletion/deletion-obstacles.js';
import { apiKeySchema, apiKeyTextFieldOf, generateApiKey } from '../api-keys/api-key.js';
import { insertApiKey, mayProvision } from '../api-keys/api-keys.js';
import { idField } from '../fields/fields.js';
import { findClaim, insertUser, proveEmail } from '../memberships/claims.js';
import { exportUser } from '../user-export/export-user.js';
import { userSchema } from '../users/user.js';
import { findUserByEmail, wasUserDeleted } from '../users/users.js';
import {
  alreadyExists,
  invalidInput,
  newIdField,
  notFound,
  OperatorError,
  parseInput,
  requireUser,
} from './operator-checks.js';

const createUserSchema = userSchema.extend({
  /** @default a new UUID */
  id: newIdField,
});
const userIdSchema = z.object({ id: idField });

/** User to create. */
export type CreateUser = z.input<typeof createUserSchema>;

/** User by id or by address, not both. */
export type UserReference =
  | { readonly id: string; readonly email?: undefined }
  | { readonly email: string; readonly id?: undefined };

/** Operator calls for users. */
export function userCalls({ db, clock, logger }: Needs<'db' | 'clock' | 'logger'>) {
  const requireUserByEmail = async (address: string) => {
    const email = comparableEmail(address);
    const user = await findUserByEmail(db, email);
    if (user !== undefined) return user;
    throw new OperatorError('not_found', `There is no user with the email address ${email}.`);
  };
  /** Everything that communities hold for an address that nobody has proved becomes one user's, so that one call deletes it. */
  const unite = async (address: string) => {
    const email = comparableEmail(address);
    const isProven = (await findUserByEmail(db, email)) !== undefined;
    if (!isProven && (await findClaim(db, email)) !== undefined) await proveEmail(db, email, clock.now());
  };
  const requireUserId = async ({ id, email }: UserReference) => {
    if ((id === undefined) === (email === undefined)) {
      throw invalidInput('Pass either the id or the email address of the user.');
    }
    return email === undefined ? parseInput(userIdSchema, { id }).id : (await requireUserByEmail(email)).id;
  };
  return {
    /** Creates a user. The id of a deleted account is rejected, so that a `sub` never names another person. */
    async createUser(settings: CreateUser) {
      const user = parseInput(createUserSchema, settings);
      const { id, email, messengerUserId } = user;
      if (settings.id !== undefined && (await wasUserDeleted(db, id))) {
        throw alreadyExists(
          `The account with the id ${id} was deleted. Apps still know the id, so use a different one.`,
          { id: 'A deleted account had this id.' },
        );
      }
      if (await insertUser(db, user, clock.now())) return { id };
      const given = {
        'the id': settings.id,
        'the email address': email,
        'the messenger account': messengerUserId,
      };
      throw alreadyExists(anotherUser(given));
    },

    /** Finds a user by email address. If nobody has proved it, the oldest one whom a community knows by it. */
    async findUser(email: string) {
      const address = comparableEmail(email);
      const isProven = (await findUserByEmail(db, address)) !== undefined;
      const claim = isProven ? undefined : await findClaim(db, address);
      if (claim !== undefined) return { id: claim, name: null };
      const { id, name } = await requireUserByEmail(address);
      return { id, name };
    },

    /**
     * Deletes the account of a user for good: the personal data, the sessions, and the codes and tokens of all apps. Active memberships
     * end with their events, and nothing is charged afterwards. Payments and memberships stay for the sellers, without personal data.
     * The user receives a mail. Returns the id that the user had. A second call with the id returns the same. The address then belongs to
     * no user, or to a new one, so use the id to repeat a call whose result is unknown.
     *
     * @throws OperatorError `invalid_input` if both the id and the address are given, or neither; `not_found`; `conflict` if the user owns
     *   a community, a product, a client or an API key, or is being charged. The message lists what to do first.
     */
    async deleteUser(user: UserReference) {
      if (user.email !== undefined && user.id === undefined) await unite(user.email);
      const id = await requireUserId(user);
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

    /** Returns everything that the service stores about a user, without secrets and without data of other people. */
    async exportUser(user: UserReference) {
      const id = await requireUserId(user);
      const exported = await exportUser(db, { userId: id }, clock.now());
      if (exported === undefined) throw notFound('user', id, 'id');
      logger.info({ userId: id }, 'The data of an account was exported by the operator');
      return exported;
    },
  };
}

/** Names only what the caller set: a generated id belongs to no other user. */
function anotherUser(given: Readonly<Record<string, string | number | null | undefined>>): string {
  const parts = Object.entries(given).flatMap(([name, value]) => (value == null ? [] : [`${name} ${value}`]));
  return `Another user has ${parts.join(' or ')}. Use ${parts.length === 1 ? 'a different one' : 'different ones'}.`;
}

/** Returns one sentence for each kind of obstacle, with what to do first. */
function obstaclesInWords(obstacles: DeletionObstacles): string[] {
  return [
    ...listed('Hand over the communities', obstacles.communities),
    ...listed('Delete or hand over the products', obstacles.products),
    ...listed('Delete the OAuth clients', obstacles.clients),
    ...listed('Revoke the API keys', obstacles.apiKeys),
    ...(obstacles.isOnlyAdmin ? ['The user is the only operator with the role ADMIN. Appoint another.'] : []),
    ...(obstacles.isCharged ? ['A charge is running. Wait until its result is stored.'] : []),
  ];
}

function listed(instruction: string, owned: readonly OwnedProperty[]): string[] {
  if (owned.length === 0) return [];
  return [`${instruction} first: ${owned.map(({ id, name }) => `"${name}" (${id})`).join(', ')}.`];
}

/** API key to create. */
export interface CreateApiKey extends z.input<typeof apiKeySchema> {
  ownerId: string;
  /**
   * The service's prefix of API keys and 43 characters of base64url.
   *
   * @default a new key
   */
  key?: string;
}

/** Operator calls for API keys. */
export function apiKeyCalls({ db, clock, serviceNames }: Needs<'db' | 'clock' | 'serviceNames'>) {
  const { apiKeyPrefix: prefix } = serviceNames;
  const createApiKeySchema = apiKeySchema.extend({ key: apiKeyTextFieldOf(prefix).optional() });
  return {
    /**
     * Creates an API key. The key's text can't be read again, because only its hash is stored. For `MEMBERSHIP_PROVISION`, change the
     * user to `mayProvision` first.
     */
    async createApiKey({ ownerId, ...input }: CreateApiKey) {
      const { name, permissions, key: chosen } = parseInput(createApiKeySchema, input);
      await requireUser(db, ownerId, 'ownerId');
      if (permissions.includes('MEMBERSHIP_PROVISION') && !(await mayProvision(db, ownerId))) {
        const message = 'MEMBERSHIP_PROVISION is for vetted partners. Grant provisioning to the owner first.';
        throw invalidInput(`permissions: ${message}`, { permissions: message });
      }
      const { text, hash } = generateApiKey(prefix, chosen);
      const id = randomUUID();
      const stored = { id, ownerId, name, permissions, prefix, ending: text.slice(-4), hash };
      if (await insertApiKey(db, stored, clock.now())) return { id, key: text };
      throw alreadyExists('Another API key has this text. Use a different one.');
    },
  };
}
