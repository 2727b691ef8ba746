import { OAUTH_SCOPES, PERMISSIONS } from '@latchkey/contract/constants';
import {
  apiKeySchema,
  CLIENT_TYPES,
  clientFields,
  clientIdField,
  webhookSchema,
} from '@latchkey/server/schemas';
import * as z from 'zod';
import {
  type AdminOperation,
  adminOperation,
  communityId,
  idOf,
  name,
  newId,
  ownerId,
  userId,
} from './admin-operation.js';
import { CATALOGUE_OPERATIONS } from './catalogue-operations.js';
import { PEOPLE_OPERATIONS } from './people-operations.js';

const SCOPES = OAUTH_SCOPES.join(', ');

const clientId = clientIdField.meta({ placeholder: 'id', description: 'Client id.' });
const clientType = z.enum(CLIENT_TYPES).meta({ placeholder: 'type' });
const scopes = z.array(z.enum(OAUTH_SCOPES)).min(1).meta({ flag: 'scope', placeholder: 'scope' });
const redirectUris = clientFields.redirectUris.meta({
  flag: 'redirect-uri',
  placeholder: 'url',
  description:
    'URL that may receive authorization codes; matched exactly. https, or http on a loopback address.',
});
const widgetOrigins = clientFields.widgetOrigins.meta({
  flag: 'widget-origin',
  placeholder: 'origin',
  description: 'Origin whose pages may sign users in through the widget.',
});
/** Fields that a client may have, and that a change leaves out. */
const optionalFields = {
  hostedCallback: z
    .boolean()
    .exactOptional()
    .meta({ description: 'Register the callback page of the widget’s popup. The widget needs it.' }),
  description: clientFields.description.meta({
    placeholder: 'text',
    description: 'Description on the consent page.',
  }),
  logoUrl: clientFields.logoUrl.meta({ placeholder: 'url', description: 'Logo on the consent page.' }),
  accent: clientFields.accent.meta({
    placeholder: 'colour',
    description: 'Colour of the sign-in pages, such as #b4541a.',
  }),
};

/** The operator accepts public addresses only. */
const webhook = webhookSchema({ allowLoopback: false });
const url = webhook.shape.url.meta({ placeholder: 'url', description: 'URL that receives the events.' });

/** The commands of `latchkey admin`, in the order of the help: one for each call of the operator. */
export const ADMIN_OPERATIONS: readonly AdminOperation[] = [
  ...PEOPLE_OPERATIONS,
  ...CATALOGUE_OPERATIONS,
  adminOperation({
    name: 'register-client',
    summary: 'Registers a client: an app that signs users in.',
    needsBaseUrl: true,
    values: z.object({
      type: clientType.meta({
        description: 'public for browsers, which cannot keep a secret; confidential for backends.',
      }),
      name,
      ownerId,
      scopes: scopes.meta({ description: `Scopes that the client may request: ${SCOPES}.` }),
      redirectUris: redirectUris.default([]).meta({ defaultText: 'none' }),
      widgetOrigins: widgetOrigins.default([]).meta({ defaultText: 'none' }),
      ...optionalFields,
      clientId: clientId.exactOptional().meta({
        defaultText: 'a new one',
        description: 'Client id: oac_ and 24 hex characters.',
      }),
    }),
    example:
      '--type public --name Shop --owner-id 5eed0000-0000-4000-8000-00000000000d --scope memberships.read --widget-origin https://shop.example --hosted-callback',
    secrets: ['clientSecret'],
    run: (operator, client) => operator.registerClient(client),
    done: (client) => `Registered the ${client.type} client ${client.name}.`,
  }),
  adminOperation({
    name: 'update-client',
    summary: 'Changes a client. Omitted values stay; an empty value empties a list.',
    needsBaseUrl: true,
    values: z.object({
      clientId,
      type: clientType.exactOptional().meta({
        description:
          'New type. A client that becomes confidential gets a secret; one that becomes public loses it.',
      }),
      name: name.exactOptional().meta({ placeholder: 'name', description: 'New name.' }),
      scopes: scopes
        .exactOptional()
        .meta({ description: `All scopes that the client may request from now on: ${SCOPES}.` }),
      redirectUris: redirectUris.exactOptional(),
      widgetOrigins: widgetOrigins.exactOptional(),
      ...optionalFields,
    }),
    example: '--client-id oac_5eed00000000000000000001 --name "New shop" --widget-origin=',
    secrets: ['clientSecret'],
    run: (operator, { clientId: id, ...changes }) => operator.updateClient(id, changes),
    done: (client) => `Changed the client ${client.clientId}.`,
  }),
  adminOperation({
    name: 'replace-client-secret',
    summary: 'Rotates the secret of a confidential client. The old one stops working; tokens stay valid.',
    values: z.object({ clientId }),
    example: '--client-id oac_5eed00000000000000000001',
    secrets: ['clientSecret'],
    run: (operator, client) => operator.replaceClientSecret(client.clientId),
    done: (client) => `Rotated the secret of the client ${client.clientId}.`,
  }),
  adminOperation({
    name: 'verify-client',
    summary: 'Marks a client as verified, so that the consent page shows no warning about its name and logo.',
    values: z.object({ clientId }),
    example: '--client-id oac_5eed00000000000000000001',
    async run(operator, client) {
      const verified = await operator.verifyClient(client.clientId);
      const { name: shownName, description, logoUrl, accent } = verified;
      return { name: shownName, description, logoUrl, accent };
    },
    done: (client) =>
      `Verified the client ${client.clientId}, until its owner changes its name, description, logo or accent. Check that it is the app that you know.`,
  }),
  adminOperation({
    name: 'withdraw-verification',
    summary: 'Withdraws the verification of a client.',
    values: z.object({ clientId }),
    example: '--client-id oac_5eed00000000000000000001',
    run: (operator, client) => operator.withdrawVerification(client.clientId),
    done: (client) => `The client ${client.clientId} is no longer verified.`,
  }),
  adminOperation({
    name: 'create-api-key',
    summary: 'Creates an API key.',
    values: z.object({
      ownerId,
      name,
      permissions: apiKeySchema.shape.permissions.meta({
        flag: 'permission',
        placeholder: 'name',
        description: `Permission of the key: ${PERMISSIONS.join(', ')}. Permissions cannot be changed later.`,
      }),
    }),
    example: '--owner-id 5eed0000-0000-4000-8000-00000000000d --name Funnel --permission MEMBERSHIP_READ',
    secrets: ['key'],
    run: (operator, key) => operator.createApiKey(key),
    done: (key) => `Created the API key ${key.name}.`,
  }),
  adminOperation({
    name: 'revoke-api-key',
    summary: 'Revokes an API key immediately.',
    values: z.object({ id: idOf('Id of the key, not the key itself.'), ownerId }),
    example: '--id 5eed0000-0000-4000-8000-0000000000aa --owner-id 5eed0000-0000-4000-8000-00000000000d',
    run: (operator, key) => operator.revokeApiKey(key),
    done: (key) => `Revoked the API key ${key.id}.`,
  }),
  adminOperation({
    name: 'grant-provisioning',
    summary: 'Allows a vetted partner to create keys with MEMBERSHIP_PROVISION.',
    values: z.object({ userId }),
    example: '--user-id 5eed0000-0000-4000-8000-00000000000d',
    run: (operator, partner) => operator.grantProvisioning(partner.userId),
    done: (partner) => `The user ${partner.userId} can now create keys with MEMBERSHIP_PROVISION.`,
  }),
  adminOperation({
    name: 'withdraw-provisioning',
    summary: 'Withdraws the permission to provision. The keys of the user can no longer provision.',
    values: z.object({ userId }),
    example: '--user-id 5eed0000-0000-4000-8000-00000000000d',
    run: (operator, partner) => operator.withdrawProvisioning(partner.userId),
    done: (partner) =>
      `The keys of the user ${partner.userId} can no longer provision. Other permissions stay.`,
  }),
  adminOperation({
    name: 'create-webhook',
    summary: 'Registers a webhook for the events of a community or a product.',
    // The extension keeps the schema's rule that a webhook is for either a community or a product.
    values: webhook.safeExtend({
      url,
      communityId: communityId
        .exactOptional()
        .meta({ description: 'Id of the community whose events it receives.' }),
      productId: idOf('Id of the product whose events it receives.').exactOptional(),
      ownerId,
      id: newId,
    }),
    example:
      '--owner-id 5eed0000-0000-4000-8000-00000000000d --community-id 5eed0000-0000-4000-8000-000000000001 --url https://shop.example/hooks',
    run: (operator, registration) => operator.createWebhook(registration),
    done: (registration) => `Registered the webhook ${registration.url}.`,
  }),
  adminOperation({
    name: 'save-webhook',
    summary: 'Changes a webhook, prints its secret and sends pending deliveries.',
    values: z.object({
      id: idOf('Webhook’s id.'),
      ownerId,
      url: url.exactOptional().meta({ description: 'New URL that receives the events.' }),
      isActive: z.boolean().exactOptional().meta({
        description: 'False pauses the webhook: it gets no new events, and pending deliveries wait.',
      }),
      rotateSecret: z
        .boolean()
        .default(false)
        .meta({ description: 'Replace the secret; the old one signs no further deliveries.' }),
    }),
    example:
      '--id 5eed0000-0000-4000-8000-0000000000aa --owner-id 5eed0000-0000-4000-8000-00000000000d --is-active=false',
    run: (operator, { id, ownerId: owner, ...changes }) =>
      operator.saveWebhook({ id, ownerId: owner }, changes),
    done: ({ id }) => `Saved the webhook ${id}.`,
  }),
];
