import { OAUTH_SCOPES } from '@latchkey/contract/constants';
import { CLIENT_TYPES, clientFields, clientIdField } from '@latchkey/server/schemas';
import * as z from 'zod';
import { adminOperation } from './admin-operation.js';
import { ownerId } from './ids.js';
import { name } from './names.js';

const SCOPES = OAUTH_SCOPES.join(', ');

const clientId = clientIdField.meta({ placeholder: 'id', description: 'Client id.' });
const clientType = z.enum(CLIENT_TYPES).meta({ placeholder: 'type' });
const scopes = z.array(z.enum(OAUTH_SCOPES)).min(1).meta({ flag: 'scope', placeholder: 'scope' });
const description = clientFields.description.meta({
  placeholder: 'text',
  description: 'Description on the consent page.',
});
const logoUrl = clientFields.logoUrl.meta({ placeholder: 'url', description: 'Logo on the consent page.' });
const accent = clientFields.accent.meta({
  placeholder: 'colour',
  description: 'Colour of the sign-in pages, such as #b4541a.',
});
const hostedCallback = z
  .boolean()
  .exactOptional()
  .meta({ description: 'Register the callback page of the widget’s popup. The widget needs it.' });
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

const newClient = z.object({
  type: clientType.meta({
    description: 'public for browsers, which cannot keep a secret; confidential for backends.',
  }),
  name,
  ownerId,
  scopes: scopes.meta({ description: `Scopes that the client may request: ${SCOPES}.` }),
  redirectUris: redirectUris.default([]).meta({ defaultText: 'none' }),
  widgetOrigins: widgetOrigins.default([]).meta({ defaultText: 'none' }),
  hostedCallback,
  description,
  logoUrl,
  accent,
  clientId: clientId.exactOptional().meta({
    defaultText: 'a new one',
    description: 'Client id: oac_ and 24 hex characters.',
  }),
});

export const registerClient = adminOperation({
  name: 'register-client',
  summary: 'Registers a client: an app that signs users in.',
  needsBaseUrl: true,
  values: newClient,
  example:
    '--type public --name Shop --owner-id 5eed0000-0000-4000-8000-00000000000d --scope memberships.read --widget-origin https://shop.example --hosted-callback',
  run: async (operator, client) => ({
    message: `Registered the ${client.type} client ${client.name}.`,
    facts: { ...(await operator.registerClient(client)) },
    secrets: ['clientSecret'],
  }),
});

export const verifyClient = adminOperation({
  name: 'verify-client',
  summary: 'Marks a client as verified, so that the consent page shows no warning about its name and logo.',
  values: z.object({ clientId }),
  example: '--client-id oac_5eed00000000000000000001',
  run: async (operator, { clientId: id }) => {
    const { name, description, logoUrl, accent: colour } = await operator.verifyClient(id);
    return {
      message: `Verified the client ${id}, until its owner changes its name, description, logo or accent. Check that it is the app that you know.`,
      facts: { name, description, logoUrl, accent: colour },
    };
  },
});

export const withdrawVerification = adminOperation({
  name: 'withdraw-verification',
  summary: 'Withdraws the verification of a client.',
  values: z.object({ clientId }),
  example: '--client-id oac_5eed00000000000000000001',
  run: async (operator, { clientId: id }) => {
    await operator.withdrawVerification(id);
    return { message: `The client ${id} is no longer verified.` };
  },
});

const clientChanges = z.object({
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
  hostedCallback,
  description,
  logoUrl,
  accent,
});

export const updateClient = adminOperation({
  name: 'update-client',
  summary: 'Changes a client. Omitted values stay; an empty value empties a list.',
  needsBaseUrl: true,
  values: clientChanges,
  example: '--client-id oac_5eed00000000000000000001 --name "New shop" --widget-origin=',
  run: async (operator, { clientId: id, ...changes }) => ({
    message: `Changed the client ${id}.`,
    facts: { ...(await operator.updateClient(id, changes)) },
    secrets: ['clientSecret'],
  }),
});

export const replaceClientSecret = adminOperation({
  name: 'replace-client-secret',
  summary: 'Rotates the secret of a confidential client. The old one stops working; tokens stay valid.',
  values: z.object({ clientId }),
  example: '--client-id oac_5eed00000000000000000001',
  run: async (operator, { clientId: id }) => ({
    message: `Rotated the secret of the client ${id}.`,
    facts: { ...(await operator.replaceClientSecret(id)) },
    secrets: ['clientSecret'],
  }),
});
