import { webhookSchema } from '@latchkey/server/schemas';
import * as z from 'zod';
import { adminOperation } from './admin-operation.js';
import { communityId, idOf, newId, ownerId } from './ids.js';

/** The operator accepts public addresses only. */
const webhook = webhookSchema({ allowLoopback: false });
const url = webhook.shape.url.meta({ placeholder: 'url', description: 'URL that receives the events.' });

// The extension keeps the schema's rule that a webhook is for either a community or a product.
const newWebhook = webhook.safeExtend({
  url,
  communityId: communityId
    .exactOptional()
    .meta({ description: 'Id of the community whose events it receives.' }),
  productId: idOf('Id of the product whose events it receives.').exactOptional(),
  ownerId,
  id: newId,
});

export const createWebhook = adminOperation({
  name: 'create-webhook',
  summary: 'Registers a webhook for the events of a community or a product.',
  values: newWebhook,
  example:
    '--owner-id 5eed0000-0000-4000-8000-00000000000d --community-id 5eed0000-0000-4000-8000-000000000001 --url https://shop.example/hooks',
  run: async (operator, registration) => ({
    message: `Registered the webhook ${registration.url}.`,
    facts: await operator.createWebhook(registration),
  }),
});

const webhookChanges = z.object({
  id: idOf('Webhook’s id.'),
  ownerId,
  url: url.exactOptional().meta({ description: 'New URL that receives the events.' }),
  isActive: z
    .boolean()
    .exactOptional()
    .meta({ description: 'False pauses the webhook: it gets no new events, and pending deliveries wait.' }),
  rotateSecret: z
    .boolean()
    .default(false)
    .meta({ description: 'Replace the secret; the old one signs no further deliveries.' }),
});

export const saveWebhook = adminOperation({
  name: 'save-webhook',
  summary: 'Changes a webhook, prints its secret and sends pending deliveries.',
  values: webhookChanges,
  example:
    '--id 5eed0000-0000-4000-8000-0000000000aa --owner-id 5eed0000-0000-4000-8000-00000000000d --is-active=false',
  run: async (operator, { id, ownerId: owner, ...changes }) => ({
    message: `Saved the webhook ${id}.`,
    facts: await operator.saveWebhook({ id, ownerId: owner }, changes),
  }),
});
