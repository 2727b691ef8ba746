import type { Needs } from '../../app/services.js';
import { createClientId, createClientSecret, hashSecret, type NewSecret } from '../../platform/secrets.js';
import { setClientSecret } from '../oauth/client-secrets.js';
import {
  type ClientSettings,
  clientIdField,
  clientSecretField,
  clientSettingsSchema,
} from '../oauth/client-settings.js';
import {
  type ClientAppearance,
  findClient,
  insertClient,
  type OAuthClient,
  setVerification,
  updateClient,
} from '../oauth/clients.js';
import { hostedCallbackOf } from '../oauth/hosted-callback.js';
import { alreadyExists, invalidInput, notFound } from './operator-error.js';
import { parseInput } from './parse-input.js';
import { requireUser } from './require-entity.js';

/** Client to register. */
export interface RegisterClient extends ClientSettings {
  /**
   * `oac_` and 24 hex characters.
   *
   * @default a new id
   */
  clientId?: string;
  /**
   * `ocs_` and 48 hex characters, for a confidential client.
   *
   * @default a new secret
   */
  clientSecret?: string;
  type: 'public' | 'confidential';
  /** User who administers the client. */
  ownerId: string;
}

/** Changes of a client. Omitted fields stay unchanged. */
export interface UpdateClient extends Partial<ClientSettings> {
  /** A client that becomes confidential gets a new secret. A client that becomes public loses it. Tokens stay valid. */
  type?: 'public' | 'confidential';
}

/** Registered client. The secret can't be read again, because only its hash is stored. */
export interface RegisteredClient {
  clientId: string;
  clientSecret?: string;
}

/** Operator calls for OAuth clients. */
export interface ClientOperator {
  registerClient(client: RegisterClient): Promise<RegisteredClient>;
  updateClient(clientId: string, changes: UpdateClient): Promise<RegisteredClient>;
  /**
   * Replaces the secret of a confidential client. The old secret stops working immediately; issued tokens stay valid.
   *
   * @throws OperatorError `invalid_input` for a public client, which has no secret.
   */
  replaceClientSecret(clientId: string): Promise<Required<RegisteredClient>>;
  /**
   * Marks a client as verified: the operator has checked its owner, its name and its logo. The consent page marks all other
   * clients as not verified. The verification ends when the owner changes the name, the description, the logo
   * or the accent colour.
   *
   * @returns what was verified. The owner may have changed it just before.
   */
  verifyClient(clientId: string): Promise<ClientAppearance>;
  /** Withdraws the verification of a client. Does nothing if the client is not verified. */
  withdrawVerification(clientId: string): Promise<void>;
}

export function createClientOperator({
  db,
  clock,
  baseUrl,
}: Needs<'db' | 'clock' | 'baseUrl'>): ClientOperator {
  return {
    async registerClient({ clientId: chosenId, clientSecret, type, ownerId, ...settings }) {
      await requireUser(db, ownerId, 'ownerId');
      const clientId = chosenId === undefined ? createClientId() : parseClientId(chosenId);
      const secret = secretFor(type, clientSecret);
      const stored = parseInput(clientSettingsSchema({ baseUrl, clientId }), settings);
      const client = {
        clientId,
        ownerId,
        type,
        secretHash: secret?.hash ?? null,
        verifiedAt: null,
        ...stored,
      };
      if (!(await insertClient(db, client, clock.now()))) {
        throw alreadyExists(`Another client has the id ${clientId}. Use a different one.`);
      }
      return { clientId, ...(secret && { clientSecret: secret.text }) };
    },

    async updateClient(clientId, { type, ...changes }) {
      const client = await findClient(db, clientId);
      if (client === undefined) throw notFound('client', clientId);
      const settings = parseInput(clientSettingsSchema({ baseUrl, clientId }), {
        ...settingsOf(client, baseUrl),
        ...changes,
      });
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
      // A client that already was confidential keeps its secret.
      const isNew = secret !== undefined && changed.secretHash === secret.hash;
      return { clientId, ...(isNew && { clientSecret: secret.text }) };
    },

    async replaceClientSecret(clientId) {
      const { text, hash } = createClientSecret();
      if (await setClientSecret(db, clientId, hash)) return { clientId, clientSecret: text };
      if ((await findClient(db, clientId)) === undefined) throw notFound('client', clientId);
      throw invalidInput(`The client ${clientId} is public and has no secret.`);
    },

    async verifyClient(clientId) {
      const verified = await setVerification(db, clientId, clock.now());
      if (verified === undefined) throw notFound('client', clientId);
      return verified;
    },

    async withdrawVerification(clientId) {
      if ((await setVerification(db, clientId, null)) === undefined) throw notFound('client', clientId);
    },
  };
}

function settingsOf(client: OAuthClient, baseUrl: string): ClientSettings {
  const { name, description, logoUrl, accent, scopes, redirectUris, widgetOrigins, clientId } = client;
  return {
    name,
    description: description ?? undefined,
    logoUrl: logoUrl ?? undefined,
    accent: accent ?? undefined,
    scopes,
    redirectUris,
    widgetOrigins,
    hostedCallback: redirectUris.includes(hostedCallbackOf(baseUrl, clientId)),
  };
}

function parseClientId(clientId: string): string {
  const parsed = clientIdField.safeParse(clientId);
  if (parsed.success) return parsed.data;
  throw invalidInput(`clientId: Enter oac_ and 24 hex characters. Received "${clientId}".`);
}

function secretFor(type: 'public' | 'confidential', chosen: string | undefined): NewSecret | undefined {
  if (type === 'public') {
    if (chosen === undefined) return undefined;
    throw invalidInput('clientSecret: Leave it out. A public client has no secret.');
  }
  if (chosen === undefined) return createClientSecret();
  if (clientSecretField.safeParse(chosen).success) return { text: chosen, hash: hashSecret(chosen) };
  throw invalidInput('clientSecret: Enter ocs_ and 48 hex characters.');
}
