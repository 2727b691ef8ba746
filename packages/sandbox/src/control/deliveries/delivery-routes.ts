import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import * as z from 'zod';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import { type Deliveries, RESEND_EFFECTS } from './deliveries.js';
import { purchaseInput } from './purchase.js';
import { testEventInput } from './test-event.js';

/** Bytes of a pasted delivery, whose body can have 256 kB, written as JSON. */
const PASTED_BYTES_MAX = 1024 * 1024;

const filter = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  after: z
    .uuid()
    .toLowerCase()
    .optional()
    .describe('Event after which the page begins: `next` of the page before.'),
  type: z.enum(WEBHOOK_EVENT_TYPES).optional(),
  status: z
    .enum(['pending', 'delivered', 'failed', 'none'])
    .optional()
    .describe('State of at least one delivery; none for events that no webhook receives.'),
  webhookId: z.uuid().toLowerCase().optional().describe('Webhook with a delivery of the event.'),
  text: z
    .string()
    .max(200)
    .optional()
    .describe('Part of the body or of an endpoint’s URL, or the id of a delivery. Letter case is ignored.'),
});

/** Endpoints of the webhook deliveries. */
export function deliveryRoutes(deliveries: Deliveries): readonly ControlRoute[] {
  return [
    controlRoute({
      method: 'GET',
      path: '/events',
      summary: 'Lists webhook events with their deliveries, newest first, by page and filter.',
      query: filter,
      handle: ({ query }) => deliveries.list(query),
    }),
    controlRoute({
      method: 'GET',
      path: '/events/{id}',
      summary: 'Returns an event with its deliveries.',
      handle: ({ params: { id = '' } }) => deliveries.findEvent(id),
    }),
    controlRoute({
      method: 'POST',
      path: '/events',
      summary: 'Records an event about an object as it is now, and sends it to the webhooks.',
      body: testEventInput,
      handle: ({ body }) => deliveries.sendTest(body),
    }),
    controlRoute({
      method: 'POST',
      path: '/purchases',
      summary: 'Buys a plan or a product for a user: a checkout that is opened and paid, or declined.',
      body: purchaseInput,
      handle: ({ body }) => deliveries.buy(body),
    }),
    controlRoute({
      method: 'GET',
      path: '/deliveries/{id}',
      summary: 'Returns a delivery with the request and the response of every attempt.',
      handle: ({ params: { id = '' } }) => deliveries.find(id),
    }),
    controlRoute({
      method: 'POST',
      path: '/deliveries/{id}/resend',
      summary: 'Sends a delivery again, with the same event id, and waits for the answer.',
      body: z.strictObject({
        as: z
          .enum(RESEND_EFFECTS)
          .optional()
          .describe('duplicate: two copies at once. wrong-signature: signed with another secret.'),
      }),
      handle: ({ params: { id = '' }, body }) => deliveries.resend(id, body.as),
    }),
    controlRoute({
      method: 'POST',
      path: '/signatures',
      summary: 'Checks the signature of a body with the secrets of all webhooks.',
      body: z.strictObject({ body: z.string(), signature: z.string().max(500) }),
      bodyLimit: PASTED_BYTES_MAX,
      handle: ({ body }) => deliveries.verify(body),
    }),
  ];
}
