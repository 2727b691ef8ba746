import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { phrase } from '../../platform/language/language.js';
import { hashSecret, type NewSecret } from '../../platform/secrets.js';
import { apiKeyTextFieldOf, generateApiKey } from '../api-keys/api-key.resource.js';
import { insertApiKey, mayProvision, revokeApiKey } from '../api-keys/api-keys.js';
import {
  type ClientSettings,
  clientSecretField,
  clientSettingsSchema,
  hostedCallbackOf,
} from '../clients/client.resource.js';
import {
  createClientId,
  createClientSecret,
  deleteClient,
  findClient,
  insertClient,
  type OAuthClient,
  setClientSecret,
  setVerification,
  updateClient,
} from '../clients/clients.js';
import { endpointUrlField, webhookSecretField } from '../webhooks/registration/webhook.resource.js';
import {
  createWebhookSecret,
  deleteWebhook,
  registerWebhook,
  saveWebhook,
} from '../webhooks/registration/webhooks.js';
import {
  alreadyExists,
  conflict,
  invalidInput,
  notFound,
  parseInput,
  requireCommunity,
  requireUser,
  wrong,
} from './operator-checks.js';
import type { Changed, NewSecrets, RecordWrites, WriteContext } from './record-kinds.js';
import { requireRow } from './records.js';

export const DEVELOPER_WRITES: RecordWrites<'clients' | 'keys' | 'webhooks'> = {
  clients: {
    async create(
      { clientId = createClientId(), ownerId, type, ...settings },
      { db, clock, baseUrl },
      chosen,
    ) {
      await requireUser(db, ownerId, 'ownerId');
      const secret = secretFor(type, chosen);
      const stored = parseInput(clientSettingsSchema({ baseUrl, clientId }), settings);
      const fixed = { clientId, ownerId, type, secretHash: secret?.hash ?? null, verifiedAt: null };
      if (!(await insertClient(db, { ...fixed, ...stored }, clock.now())))
        throw alreadyExists(`Another client has the id ${clientId}. Use a different one.`);
      return { id: clientId, clientId, ...(secret && { clientSecret: secret.text }) };
    },
    change: (id, changes, context) => changeClient(context, id, changes),
    async end(clientId, { db }) {
      const { owner_id } = await requireRow(db, 'clients', clientId);
      await deleteClient(db, { clientId, ownerId: String(owner_id) });
    },
  },
  keys: {
    async create({ ownerId, name, permissions }, { db, clock, serviceNames }, chosen) {
      const { apiKeyPrefix: prefix } = serviceNames;
      parseInput(z.object({ key: apiKeyTextFieldOf(prefix).optional() }), { key: chosen });
      await requireUser(db, ownerId, 'ownerId');
      if (permissions.includes('MEMBERSHIP_PROVISION') && !(await mayProvision(db, ownerId)))
        throw wrong(
          'permissions',
          'MEMBERSHIP_PROVISION is for vetted partners. Grant provisioning to the owner first.',
        );
      const { text, hash } = generateApiKey(prefix, chosen);
      const id = randomUUID();
      const stored = { id, ownerId, name, permissions, prefix, ending: text.slice(-4), hash };
      if (await insertApiKey(db, stored, clock.now())) return { id, key: text };
      throw alreadyExists('Another API key has this text. Use a different one.');
    },
    async end(id, { db, clock }) {
      const { owner_id, revoked_at } = await requireRow(db, 'keys', id);
      if (revoked_at !== null) throw conflict(phrase('The key is already revoked.'));
      await revokeApiKey(db, { id, ownerId: String(owner_id) }, clock.now());
    },
  },
  webhooks: {
    async create({ id = randomUUID(), ...webhook }, { db, clock, webhookPolicy }, chosen) {
      const checks = z.object({
        url: endpointUrlField(webhookPolicy),
        secret: webhookSecretField.optional(),
      });
      const checked = parseInput(checks, { url: webhook.url, secret: chosen });
      if (webhook.communityId !== undefined) await requireCommunity(db, webhook.communityId);
      const result = await registerWebhook(db, { ...webhook, ...checked, id }, clock.now());
      switch (result.kind) {
        case 'registered':
          return { id, secret: result.secret };
        case 'not-owner':
          throw webhook.communityId === undefined
            ? notFound('product of this owner', webhook.productId ?? '', 'productId')
            : notFound('community where this user is OWNER', webhook.communityId, 'communityId');
        case 'id-taken':
          throw alreadyExists(`Another webhook has the id ${id}. Use a different one.`);
        case 'too-many':
          throw invalidInput(
            result.of === 'subject'
              ? `The owner already has ${result.max} webhooks for this community or product. Delete one first.`
              : `The owner already has ${result.max} webhooks. Delete one first.`,
          );
      }
    },
    async change(id, changes, context) {
      const { owner_id } = await requireRow(context.db, 'webhooks', id);
      return await changeWebhook(context, { id, ownerId: String(owner_id) }, changes);
    },
    async end(id, { db }) {
      const { owner_id } = await requireRow(db, 'webhooks', id);
      await deleteWebhook(db, { id, ownerId: String(owner_id) });
    },
  },
};

/**
 * A client that becomes confidential gets a new secret, and one that becomes public loses it. Tokens stay valid. Only
 * the operator gives and withdraws the verification, and it ends when the owner changes what users see.
 */
async function changeClient(
  { db, clock, baseUrl }: WriteContext,
  clientId: string,
  { verified, replaceSecret, type, ...changes }: Changed<'clients'>,
): Promise<NewSecrets & { clientId: string }> {
  const client = await findClient(db, clientId);
  if (client === undefined) throw notFound('client', clientId);
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const hostedCallback = client.redirectUris.includes(hostedCallbackOf(baseUrl, clientId));
  const after = Object.entries({ ...client, hostedCallback, ...Object.fromEntries(given) });
  const set = Object.fromEntries(after.filter(([, value]) => value !== null)) as unknown as ClientSettings;
  const settings = parseInput(clientSettingsSchema({ baseUrl, clientId }), set);
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

function secretFor(type: OAuthClient['type'], chosen: string | undefined): NewSecret | undefined {
  if (type === 'public') {
    if (chosen === undefined) return undefined;
    throw invalidInput('clientSecret: Leave it out. A public client has no secret.');
  }
  if (chosen === undefined) return createClientSecret();
  if (clientSecretField.safeParse(chosen).success) return { text: chosen, hash: hashSecret(chosen) };
  throw invalidInput('clientSecret: Enter ocs_ and 48 hex characters.');
}

/** If the webhook is active afterwards, a pause ends and pending deliveries are sent. Rotation ends the old secret. */
export async function changeWebhook(
  { db, clock, webhookPolicy }: Pick<WriteContext, 'db' | 'clock' | 'webhookPolicy'>,
  key: { id: string; ownerId: string },
  { url, isActive, rotateSecret }: Changed<'webhooks'>,
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
