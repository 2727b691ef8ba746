import { OAUTH_SCOPES, PERMISSIONS, type Permission } from '@latchkey/contract/constants';
import { deleteClient, deleteWebhook } from '@latchkey/server/extension';
import * as z from 'zod';
import { requireRow } from '../records/records.js';
import {
  accentText,
  defined,
  flag,
  idText,
  nameText,
  newId,
  recordWrites,
  refused,
} from './record-writes.js';

const addresses = z.array(z.string('Enter an address.'), 'Enter a list of addresses.');
const clientFields = z.strictObject({
  type: z.enum(['public', 'confidential'], 'Choose public or confidential.'),
  name: nameText,
  description: z.string().optional(),
  logoUrl: z.string().optional(),
  accent: accentText.optional(),
  scopes: z.array(z.enum(OAUTH_SCOPES, `Choose from ${OAUTH_SCOPES.join(', ')}.`)).describe('OAuth scopes'),
  redirectUris: addresses,
  widgetOrigins: addresses,
  hostedCallback: z.boolean(),
});
const { scopes, hostedCallback } = clientFields.shape;

export const clientWrites = recordWrites({
  create: {
    summary: 'Registers a client. The answer has the secret of a confidential client, this once.',
    body: z.strictObject({
      clientId: z.string().optional().describe('oac_ and 24 hex characters, by default new.'),
      ownerId: idText,
      ...clientFields.shape,
      scopes: scopes.default([...OAUTH_SCOPES]),
      redirectUris: addresses.default([]),
      widgetOrigins: addresses.default([]),
      hostedCallback: hostedCallback.default(true).describe('Registers the widget’s hosted callback too.'),
    }),
    async run(client, { operator }) {
      const { clientId, clientSecret } = await operator.registerClient(defined(client));
      return { id: clientId, clientId, ...(clientSecret !== undefined && { clientSecret }) };
    },
  },
  edit: {
    summary: 'Changes a client. The answer has a new secret, if the change makes one.',
    body: clientFields.partial().extend({
      verified: flag.describe('The operator knows the owner.'),
      replaceSecret: z.literal(true, 'Enter true or nothing.').optional(),
    }),
    async run(id, { verified, replaceSecret, ...changes }, { operator }) {
      const changed = await operator.updateClient(id, defined(changes));
      if (verified === true) await operator.verifyClient(id);
      if (verified === false) await operator.withdrawVerification(id);
      return replaceSecret ? await operator.replaceClientSecret(id) : changed;
    },
  },
  end: {
    summary: 'Deletes a client with its codes, tokens and consents.',
    async run(clientId, { db }) {
      const { owner_id } = await requireRow(db, 'clients', clientId);
      await deleteClient(db, { clientId, ownerId: String(owner_id) });
    },
  },
});

/** Writes of API keys. The service never changes a key. */
export const keyWrites = recordWrites({
  create: {
    summary: 'Creates an API key. The answer has its text, this once.',
    body: z.strictObject({
      ownerId: idText,
      name: nameText,
      permissions: z
        .array(z.enum(PERMISSIONS, `Choose from ${PERMISSIONS.join(', ')}.`), 'Choose permissions.')
        .describe('MEMBERSHIP_PROVISION needs an owner who may provision.'),
    }),
    run: (key, { operator }) => operator.createApiKey(key as typeof key & { permissions: Permission[] }),
  },
  end: {
    summary: 'Revokes an API key at once.',
    async run(id, { db, operator }) {
      const { owner_id, revoked_at } = await requireRow(db, 'keys', id);
      if (revoked_at !== null) throw refused('The key is already revoked.');
      await operator.revokeApiKey({ id, ownerId: String(owner_id) });
    },
  },
});

export const webhookWrites = recordWrites({
  create: {
    summary: 'Registers a webhook for a community or a product. The answer has its secret.',
    body: z.strictObject({
      id: newId,
      ownerId: idText.describe('OWNER of the community, or seller of the product.'),
      communityId: idText.optional(),
      productId: idText.optional(),
      url: z.string('Enter an address.'),
    }),
    run: (webhook, { operator }) => operator.createWebhook(defined(webhook)),
  },
  edit: {
    summary: 'Changes a webhook, and returns its secret. Saving ends a pause and sends what waits.',
    body: z.strictObject({
      url: z.string('Enter an address.').optional(),
      isActive: flag,
      rotateSecret: flag,
    }),
    async run(id, changes, { db, operator }) {
      const { owner_id } = await requireRow(db, 'webhooks', id);
      return await operator.saveWebhook({ id, ownerId: String(owner_id) }, defined(changes));
    },
  },
  end: {
    summary: 'Deletes a webhook with its deliveries.',
    async run(id, { db }) {
      const { owner_id } = await requireRow(db, 'webhooks', id);
      await deleteWebhook(db, { id, ownerId: String(owner_id) });
    },
  },
});
