import { randomUUID } from 'node:crypto';
import { emailField } from '@latchkey/contract';
import type { MembershipProductType, SellerProductType } from '@latchkey/contract/constants';
import { createClientId, createClientSecret, hashSecret } from '../../platform/secrets.js';
import { communityExists, insertCommunity, insertProduct, productExists } from '../catalogue/catalogue.js';
import { endMembership, grantMembership } from '../memberships/memberships.js';
import { type ClientSettings, checkClientSettings } from '../oauth/client-settings.js';
import { findClient, insertClient, setClientSecret, updateClient } from '../oauth/clients.js';
import { hostedCallbackOf } from '../oauth/hosted-callback.js';
import { findUser, findUserByEmail, insertUser } from '../users/users.js';
import { invalidInput, notFound, OperatorError } from './operator-error.js';
import {
  checkId,
  checkInstant,
  checkMessengerUserId,
  checkName,
  checkPrice,
  checkSlug,
} from './operator-input.js';
import type { OperatorNeeds } from './operator-needs.js';
import { createServiceOperator, type ServiceOperator } from './service-operator.js';

/** A user to create. */
export interface CreateUser {
  /** Default: a new UUID. */
  id?: string;
  email: string;
  name?: string;
  messengerUserId?: number;
}

/** A community to create. */
export interface CreateCommunity {
  /** Default: a new UUID. */
  id?: string;
  name: string;
  /** The user who becomes its OWNER. */
  ownerId: string;
}

/** A product to create. */
export interface CreateProduct {
  /** Default: a new UUID. */
  id?: string;
  /** The seller. */
  ownerId: string;
  name: string;
  /** Storefront URL slug; the seller's own products have different ones. */
  slug: string;
  /** Default null, as for older products. */
  type?: SellerProductType | null;
  /** In the currency's minor unit. Default null: not for sale. */
  priceMinor?: number | null;
  /** ISO 4217. Default `EUR`. */
  currency?: string;
}

/** A membership to grant: to a community, for a product, or of a kind that names neither. */
export interface GrantMembership {
  /** Default: a new UUID, or the id of the membership that the user already has for the same thing. */
  id?: string;
  userId: string;
  productType: MembershipProductType;
  communityId?: string;
  productId?: string;
  /** Milliseconds since the epoch. Default now. */
  validFrom?: number;
  /** Milliseconds since the epoch; the first instant without access. Default null: lifetime. */
  validUntil?: number | null;
}

/** A client to register. */
export interface RegisterClient extends ClientSettings {
  /** `oac_` and 24 hex characters. Default: a new one. */
  clientId?: string;
  /** `ocs_` and 48 hex characters, for a confidential client. Default: a new one. */
  clientSecret?: string;
  type: 'public' | 'confidential';
  /** The user who administers it. */
  ownerId: string;
}

/** What to change of a client; what is left out stays as it is. */
export interface UpdateClient extends Partial<ClientSettings> {
  /** A client that becomes confidential gets a new secret, one that becomes public loses it. Tokens stay valid. */
  type?: 'public' | 'confidential';
}

/** A registered client. The secret is told this once, and kept as a hash only. */
export interface RegisteredClient {
  clientId: string;
  clientSecret?: string;
}

/**
 * What whoever runs the service may do, in process. Every call rejects with an `OperatorError` when it is refused:
 * `invalid_input`, `already_exists` or `not_found`.
 */
export interface Operator extends ServiceOperator {
  createUser(user: CreateUser): Promise<{ id: string }>;
  /** Finds the user with an e-mail address. */
  findUser(email: string): Promise<{ id: string; name: string | null }>;
  createCommunity(community: CreateCommunity): Promise<{ id: string }>;
  createProduct(product: CreateProduct): Promise<{ id: string }>;
  /** Grants a membership; the one that the user already has for the same thing gets the new period. */
  grantMembership(membership: GrantMembership): Promise<{ id: string }>;
  /** Ends a membership now. */
  endMembership(id: string): Promise<void>;
  registerClient(client: RegisterClient): Promise<RegisteredClient>;
  updateClient(clientId: string, changes: UpdateClient): Promise<RegisteredClient>;
  /**
   * Gives a confidential client another secret. The old one ends at once; tokens that were issued stay good.
   * Refused with `invalid_input` for a public client, which has none.
   */
  replaceClientSecret(clientId: string): Promise<Required<RegisteredClient>>;
}

export function createOperator(needs: OperatorNeeds): Operator {
  const { baseUrl, clock, db } = needs;
  const requireUser = async (id: string) => {
    if ((await findUser(db, id)) === undefined) throw notFound('user', id);
  };
  return {
    ...createServiceOperator(needs),

    async createUser({ id: chosenId = randomUUID(), name, messengerUserId, ...user }) {
      const id = checkId('id', chosenId);
      const email = emailField.safeParse(user.email);
      if (!email.success) throw invalidInput(`email is "${user.email}", which is not an e-mail address.`);
      const created = await insertUser(
        db,
        {
          id,
          email: email.data,
          name: name === undefined ? null : checkName('name', name),
          messengerUserId: messengerUserId === undefined ? null : checkMessengerUserId(messengerUserId),
        },
        clock.now(),
      );
      if (!created) {
        throw new OperatorError(
          'already_exists',
          `A user has the id ${id}, the address or the messenger account.`,
        );
      }
      return { id };
    },

    async findUser(address) {
      const email = address.trim().toLowerCase();
      const user = await findUserByEmail(db, email);
      if (user === undefined)
        throw new OperatorError('not_found', `There is no user with the address ${email}.`);
      return { id: user.id, name: user.name };
    },

    async createCommunity({ id: chosenId = randomUUID(), name, ownerId }) {
      const community = { id: checkId('id', chosenId), name: checkName('name', name), ownerId };
      await requireUser(ownerId);
      if (!(await insertCommunity(db, community, clock.now()))) {
        throw new OperatorError('already_exists', `A community has the id ${community.id}.`);
      }
      return { id: community.id };
    },

    async createProduct({ id: chosenId = randomUUID(), ownerId, name, slug, type = null, ...sale }) {
      const { priceMinor = null, currency = 'EUR' } = sale;
      const id = checkId('id', chosenId);
      const product = {
        ...{ id, ownerId, name: checkName('name', name), slug: checkSlug(slug), type },
        ...(priceMinor === null ? { priceMinor, currency: null } : checkPrice({ priceMinor, currency })),
      };
      await requireUser(ownerId);
      if (!(await insertProduct(db, product, clock.now()))) {
        throw new OperatorError(
          'already_exists',
          `A product has the id ${id}, or the seller has one with the slug "${product.slug}".`,
        );
      }
      return { id };
    },

    async grantMembership({ id = randomUUID(), validFrom = clock.now(), validUntil = null, ...membership }) {
      const { userId, communityId, productId } = membership;
      await requireUser(userId);
      if (communityId !== undefined && productId !== undefined) {
        throw invalidInput(
          'A membership is for a community or for a product: give communityId or productId.',
        );
      }
      if (communityId !== undefined && !(await communityExists(db, communityId))) {
        throw notFound('community', communityId);
      }
      if (productId !== undefined && !(await productExists(db, productId))) {
        throw notFound('product', productId);
      }
      checkInstant('validFrom', validFrom);
      if (validUntil !== null && checkInstant('validUntil', validUntil) <= validFrom) {
        throw invalidInput('validUntil must be later than validFrom.');
      }
      return {
        id: await grantMembership(
          db,
          { ...membership, id: checkId('id', id), validFrom, validUntil },
          clock.now(),
        ),
      };
    },

    async endMembership(id) {
      if (!(await endMembership(db, id, clock.now()))) throw notFound('membership', id);
    },

    async registerClient({ clientId = createClientId(), clientSecret, type, ownerId, ...settings }) {
      await requireUser(ownerId);
      if (!/^oac_[0-9a-f]{24}$/.test(clientId))
        throw invalidInput('clientId must be oac_ and 24 hex characters.');
      const secret = secretFor(type, clientSecret);
      const inserted = await insertClient(
        db,
        {
          clientId,
          ownerId,
          type,
          secretHash: secret?.hash ?? null,
          ...checkClientSettings(settings, { baseUrl, clientId }),
        },
        clock.now(),
      );
      if (!inserted) throw new OperatorError('already_exists', `A client has the id ${clientId}.`);
      return { clientId, ...(secret && { clientSecret: secret.text }) };
    },

    async updateClient(clientId, { type, ...changes }) {
      const client = await findClient(db, clientId);
      if (client === undefined) throw notFound('client', clientId);
      const settings = checkClientSettings(
        {
          name: client.name,
          description: client.description ?? undefined,
          logoUrl: client.logoUrl ?? undefined,
          scopes: client.scopes,
          redirectUris: client.redirectUris,
          widgetOrigins: client.widgetOrigins,
          hostedCallback: client.redirectUris.includes(hostedCallbackOf(baseUrl, clientId)),
          ...changes,
        },
        { baseUrl, clientId },
      );
      const secret = type === 'confidential' ? createClientSecret() : undefined;
      const changed = await updateClient(
        db,
        { clientId },
        {
          settings,
          type: type && (secret ? { to: 'confidential', newSecretHash: secret.hash } : { to: 'public' }),
        },
      );
      if (changed === undefined) throw notFound('client', clientId);
      // One that was confidential already has kept its secret.
      const isNew = secret !== undefined && changed.secretHash === secret.hash;
      return { clientId, ...(isNew && { clientSecret: secret.text }) };
    },

    async replaceClientSecret(clientId) {
      const { text, hash } = createClientSecret();
      if (await setClientSecret(db, clientId, hash)) return { clientId, clientSecret: text };
      if ((await findClient(db, clientId)) === undefined) throw notFound('client', clientId);
      throw invalidInput(`The client ${clientId} is public, and has no secret to replace.`);
    },
  };
}

function secretFor(type: 'public' | 'confidential', chosen: string | undefined) {
  if (type === 'public') {
    if (chosen !== undefined)
      throw invalidInput('clientSecret is for confidential clients; a public one has none.');
    return undefined;
  }
  if (chosen === undefined) return createClientSecret();
  if (!/^ocs_[0-9a-f]{48}$/.test(chosen))
    throw invalidInput('clientSecret must be ocs_ and 48 hex characters.');
  return { text: chosen, hash: hashSecret(chosen) };
}
