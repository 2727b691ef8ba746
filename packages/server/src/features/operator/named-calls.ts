import { comparableEmail } from '@latchkey/contract';
import * as z from 'zod';
import type { Needs } from '../../app/services.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { deleteAccount } from '../account-deletion/delete-account.js';
import type { DeletionObstacles, OwnedProperty } from '../account-deletion/deletion-obstacles.js';
import type { ClientSettings } from '../clients/client.resource.js';
import type { RoleHolder } from '../communities/role-change.js';
import { idField } from '../fields/fields.js';
import { findClaim, proveEmail } from '../memberships/claims.js';
import { exportUser } from '../user-export/export-user.js';
import { findUserByEmail } from '../users/users.js';
import { invalidInput, notFound, OperatorError, parseInput } from './operator-checks.js';
import type { CreatedRecord, RECORDS, RecordKind } from './record-kinds.js';
import type { RecordInput } from './records.js';

const userIdSchema = z.object({ id: idField });

/** Settings of a new record; the id defaults to a new UUID. Null and undefined mean that a setting is omitted. */
type New<Kind extends RecordKind> = Nullable<z.input<(typeof RECORDS)[Kind]['create']['body']>>;

type Nullable<Settings> = {
  [Name in keyof Settings]: undefined extends Settings[Name] ? Settings[Name] | null : Settings[Name];
};

type CreateApiKey = New<'keys'> & {
  /** The service's prefix of API keys and 43 characters of base64url. @default a new key */
  key?: string;
};

type RegisterWebhook = New<'webhooks'> & {
  /** 64 hex characters in lower case. @default a new secret */
  secret?: string;
};

/** Client to register. The hosted callback is off by default. */
export type RegisterClient = Omit<New<'clients'>, 'scopes'> & {
  scopes: ClientSettings['scopes'];
  /** `ocs_` and 48 hex characters, for a confidential client. @default a new secret */
  clientSecret?: string;
};

/** A registered client. The secret can't be read later: only its hash is stored. */
export interface RegisteredClient {
  clientId: string;
  clientSecret?: string;
}

/** An inactive role gives no access. */
interface AssignRole extends Omit<RoleHolder, 'isActive'>, Partial<Pick<RoleHolder, 'isActive'>> {
  communityId: string;
}

type UserReference =
  | { readonly id: string; readonly email?: undefined }
  | { readonly email: string; readonly id?: undefined };

/** Calls with their own names, for scripts and tests. */
export interface NamedCalls extends ReturnType<typeof namedCalls> {}

export function namedCalls(
  { db, clock, logger }: Needs<'db' | 'clock' | 'logger'>,
  create: (kind: RecordKind, input: RecordInput, secret?: string) => Promise<CreatedRecord>,
) {
  const creates =
    <Kind extends RecordKind>(kind: Kind) =>
    async (settings: New<Kind>): Promise<{ id: string }> =>
      await create(kind, given(settings));
  /** Returns the oldest claim to an unproven address. */
  const claimOf = async (address: string, reader = db) => {
    const email = comparableEmail(address);
    return (await findUserByEmail(reader, email)) === undefined ? await findClaim(reader, email) : undefined;
  };
  const requireUserByEmail = async (address: string, reader = db) => {
    const email = comparableEmail(address);
    const user = await findUserByEmail(reader, email);
    if (user !== undefined) return user;
    throw new OperatorError('not_found', `There is no user with the email address ${email}.`);
  };
  const requireUserId = async ({ id, email }: UserReference, reader = db) => {
    if ((id === undefined) === (email === undefined)) {
      throw invalidInput('Pass either the id or the email address of the user.');
    }
    return email === undefined
      ? parseInput(userIdSchema, { id }).id
      : (await requireUserByEmail(email, reader)).id;
  };
  /** Deletes an account, or nothing at all. */
  const deleteWhole = async (transaction: Database, user: UserReference) => {
    const now = clock.now();
    // Everything that communities hold for an unproven address becomes one user, which can then be deleted.
    const { email } = user;
    const isClaimed = email !== undefined && user.id === undefined && (await claimOf(email, transaction));
    if (isClaimed) await proveEmail(transaction, comparableEmail(email), now);
    const id = await requireUserId(user, transaction);
    const result = await deleteAccount(transaction, { userId: id, deletedBy: { who: 'operator' } }, now);
    switch (result.kind) {
      case 'deleted':
        return { id, isNew: result.isNew };
      case 'blocked':
        throw new OperatorError(
          'conflict',
          `The account can't be deleted yet. ${obstaclesInWords(result.obstacles).join(' ')}`,
        );
      case 'unknown':
        throw notFound('user', id, 'id');
    }
  };
  return {
    /** Creates a user. Rejects the id of a deleted account: a `sub` must never identify another person. */
    createUser: creates('users'),

    createCommunity: creates('communities'),

    createProduct: creates('products'),

    createPricingPlan: creates('plans'),

    createDropSlot: creates('drops'),

    /**
     * Grants a membership. An existing membership of the same community or product gets the new period and keeps its
     * id. It begins now and lasts for life, unless `validFrom` and `validUntil` say otherwise. A grant that changes
     * nothing records no event.
     */
    grantMembership: creates('memberships'),

    /**
     * Creates an API key. The key can't be read later: only its hash is stored. For `MEMBERSHIP_PROVISION`, first set
     * `mayProvision` for the user.
     */
    async createApiKey({ key: chosen, ...settings }: CreateApiKey) {
      return (await create('keys', settings, chosen)) as { id: string; key: string };
    },

    /** Registers a webhook (spec, "Events", 1). The secret signs its deliveries. */
    async createWebhook({ secret: chosen, ...settings }: RegisterWebhook) {
      return (await create('webhooks', given(settings), chosen)) as { id: string; secret: string };
    },

    async registerClient({ clientSecret: chosen, ...settings }: RegisterClient): Promise<RegisteredClient> {
      const client = { hostedCallback: false, ...given(settings) };
      const { id: _, ...registered } = await create('clients', client, chosen);
      return registered as unknown as RegisteredClient;
    },

    /**
     * Assigns a role to a user, or changes the user's role. Nobody becomes OWNER next to other owners without accepting
     * it: the user becomes an ADMIN, and is invited as OWNER on behalf of an existing one. Only a community without an
     * active owner gets one at once, so ask the person first.
     *
     * @throws OperatorError `conflict` if the user can't be invited, or is the only active owner and would no longer be
     *   one.
     */
    async assignRole({ isActive = true, ...role }: AssignRole) {
      // Most servers start without this code.
      const { assign } = await import('./seller-writes.js');
      await inTransaction(db, (transaction) => assign(transaction, { ...role, isActive }, clock.now()));
    },

    /** Finds a user by email address. If nobody has proved the address, returns the oldest claim to it. */
    async findUser(email: string) {
      const claim = await claimOf(email);
      if (claim !== undefined) return { id: claim, name: null };
      const { id, name } = await requireUserByEmail(email);
      return { id, name };
    },

    /**
     * Deletes a user's account for good: the personal data, the sessions, and the codes and tokens of all apps. Active
     * memberships end with their events, and nothing is charged afterwards. Payments and memberships stay for the
     * sellers, without personal data. The user receives an email.
     *
     * Returns the id that the user had; a second call with the id returns the same. The address then belongs to no
     * user, or to a new one. To repeat a call with an unknown result, use the id.
     *
     * @throws OperatorError `invalid_input` if both the id and the address are given, or neither; `not_found`;
     *   `conflict` if the user owns a community, a product, a client or an API key, or is being charged. The message
     *   lists what to do first.
     */
    async deleteUser(user: UserReference) {
      const { id, isNew } = await inTransaction(db, (transaction) => deleteWhole(transaction, user), {
        isolation: 'read committed',
      });
      if (isNew) logger.warn({ userId: id }, 'An account was deleted by the operator');
      return { id };
    },

    /** Returns everything that the service stores about a user, without secrets and without other people's data. */
    async exportUser(user: UserReference) {
      const id = await requireUserId(user);
      const exported = await exportUser(db, { userId: id }, clock.now());
      if (exported === undefined) throw notFound('user', id, 'id');
      logger.info({ userId: id }, 'The data of an account was exported by the operator');
      return exported;
    },
  };
}

function given(settings: object): RecordInput {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => (value ?? null) !== null));
}

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
