import * as z from 'zod';
import type { Needs } from '../../app/services.js';
import { hashSecret, type NewSecret } from '../../platform/secrets.js';
import {
  type ClientSettings,
  clientIdField,
  clientSecretField,
  clientSettingsSchema,
  hostedCallbackOf,
} from '../clients/client-settings.js';
import {
  createClientId,
  createClientSecret,
  findClient,
  insertClient,
  type OAuthClient,
  setClientSecret,
  setVerification,
  updateClient,
} from '../clients/clients.js';
import { createWebhookSecret, registerWebhook } from '../webhooks/registration/register-webhook.js';
import { endpointUrlField, webhookSchema, webhookSecretField } from '../webhooks/registration/webhook.js';
import { saveWebhook } from '../webhooks/registration/webhooks.js';
import {
  alreadyExists,
  invalidInput,
  newIdField,
  notFound,
  parseInput,
  requireUser,
} from './operator-checks.js';
import type { RECORDS } from './record-kinds.js';

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
  type: OAuthClient['type'];
  /** User who administers the client. */
  ownerId: string;
}

/** Registered client. The secret can't be read again, because only its hash is stored. */
export interface RegisteredClient {
  clientId: string;
  clientSecret?: string;
}

/** Operator calls for OAuth clients. */
export function clientCalls({ db, clock, baseUrl }: Needs<'db' | 'clock' | 'baseUrl'>) {
  return {
    async registerClient(client: RegisterClient): Promise<RegisteredClient> {
      const { clientId: chosenId, clientSecret, type, ownerId, ...settings } = client;
      await requireUser(db, ownerId, 'ownerId');
      const clientId = chosenId === undefined ? createClientId() : parseClientId(chosenId);
      const secret = secretFor(type, clientSecret);
      const stored = parseInput(clientSettingsSchema({ baseUrl, clientId }), settings);
      const fixed = { clientId, ownerId, type, secretHash: secret?.hash ?? null, verifiedAt: null };
      if (!(await insertClient(db, { ...fixed, ...stored }, clock.now()))) {
        throw alreadyExists(`Another client has the id ${clientId}. Use a different one.`);
      }
      return { clientId, ...(secret && { clientSecret: secret.text }) };
    },
  };
}

/**
 * Changes a client. A client that becomes confidential gets a new secret. A client that becomes public loses it. Tokens stay valid.
 * The verification is given and withdrawn by the operator alone, and ends when the owner changes what users see.
 *
 * @param changes null removes what a client has.
 */
export async function changeClient(
  { db, clock, baseUrl }: Needs<'db' | 'clock' | 'baseUrl'>,
  clientId: string,
  { verified, replaceSecret, type, ...changes }: ClientChanges,
): Promise<RegisteredClient> {
  const client = await findClient(db, clientId);
  if (client === undefined) throw notFound('client', clientId);
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const settings = parseInput(clientSettingsSchema({ baseUrl, clientId }), {
    ...settingsOf(client, baseUrl),
    ...Object.fromEntries(given.map(([name, value]) => [name, value ?? undefined])),
  });
  const secret = type === 'confidential' ? createClientSecret() : undefined;
  const newType =
    type &&
    (secret ? { to: 'confidential' as const, newSecretHash: secret.hash } : { to: 'public' as const });
  const changed = await updateClient(db, { clientId }, { settings, type: newType });
  if (changed === undefined) throw notFound('client', clientId);
  if (verified !== undefined) await setVerification(db, clientId, verified ? clock.now() : null);
  if (replaceSecret) {
    const { text, hash } = createClientSecret();
    if (await setClientSecret(db, { clientId }, hash)) return { clientId, clientSecret: text };
    throw invalidInput(`The client ${clientId} is public and has no secret.`);
  }
  // A client that already was confidential keeps its secret.
  const isNew = secret !== undefined && changed.secretHash === secret.hash;
  return { clientId, ...(isNew && { clientSecret: secret.text }) };
}

type ClientChanges = z.output<(typeof RECORDS)['clients']['change']['body']>;

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

function secretFor(type: OAuthClient['type'], chosen: string | undefined): NewSecret | undefined {
  if (type === 'public') {
    if (chosen === undefined) return undefined;
    throw invalidInput('clientSecret: Leave it out. A public client has no secret.');
  }
  if (chosen === undefined) return createClientSecret();
  if (clientSecretField.safeParse(chosen).success) return { text: chosen, hash: hashSecret(chosen) };
  throw invalidInput('clientSecret: Enter ocs_ and 48 hex characters.');
}

/** Webhook to register, for a community or for a product of its owner. */
export interface RegisterWebhook extends z.input<ReturnType<typeof webhookSchema>> {
  /** @default a new UUID */
  id?: string;
  ownerId: string;
  /**
   * 64 hex characters in lower case.
   *
   * @default a new secret
   */
  secret?: string;
}

/** Operator calls for webhooks (spec, "Events", 1). */
export function webhookCalls({ db, clock, webhookPolicy }: Needs<'db' | 'clock' | 'webhookPolicy'>) {
  const registrationSchema = webhookSchema(webhookPolicy).safeExtend({
    id: newIdField,
    secret: webhookSecretField.optional(),
  });
  return {
    /** Registers a webhook. The secret signs its deliveries. */
    async createWebhook({ ownerId, ...input }: RegisterWebhook) {
      const webhook = parseInput(registrationSchema, input);
      const result = await registerWebhook(db, { ...webhook, ownerId }, clock.now());
      switch (result.kind) {
        case 'registered':
          return { id: result.id, secret: result.secret };
        case 'not-owner':
          throw webhook.communityId === undefined
            ? notFound('product of this owner', webhook.productId ?? '', 'productId')
            : notFound('community where this user is OWNER', webhook.communityId, 'communityId');
        case 'id-taken':
          throw alreadyExists(`Another webhook has the id ${webhook.id}. Use a different one.`);
        case 'too-many':
          throw invalidInput(
            result.of === 'subject'
              ? `The owner already has ${result.max} webhooks for this community or product. Delete one first.`
              : `The owner already has ${result.max} webhooks. Delete one first.`,
          );
      }
    },
  };
}

/**
 * Changes a webhook and returns its secret. If the webhook is active afterwards, a pause ends and pending deliveries are sent. The old
 * secret of a rotation no longer signs deliveries.
 */
export async function changeWebhook(
  { db, clock, webhookPolicy }: Needs<'db' | 'clock' | 'webhookPolicy'>,
  key: { id: string; ownerId: string },
  { url, isActive, rotateSecret }: z.output<(typeof RECORDS)['webhooks']['change']['body']>,
) {
  const urlSchema = z.object({ url: endpointUrlField(webhookPolicy) });
  const checked = {
    url: url === undefined ? undefined : parseInput(urlSchema, { url }).url,
    isActive,
    secret: rotateSecret ? createWebhookSecret() : undefined,
  };
  const saved = await saveWebhook(db, key, checked, clock.now());
  if (saved === undefined) throw notFound('webhook', key.id);
  return saved;
}
