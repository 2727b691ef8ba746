import * as z from 'zod';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import type { Deliveries } from './deliveries.js';

/** Bytes of a pasted delivery, whose body can have 256 kB, written as JSON. */
const PASTED_BYTES_MAX = 1024 * 1024;

/** Endpoints of the webhook deliveries. */
export function deliveryRoutes(deliveries: Deliveries): readonly ControlRoute[] {
  return [
    controlRoute({
      method: 'GET',
      path: '/events',
      summary: 'Lists the newest webhook events with their deliveries, newest first.',
      query: z.strictObject({ limit: z.coerce.number().int().min(1).max(500).default(50) }),
      handle: async ({ query }) => ({ events: await deliveries.list(query.limit) }),
    }),
    controlRoute({
      method: 'POST',
      path: '/events',
      summary: 'Records an event about the present state of a membership, and sends it to the webhooks.',
      body: z.strictObject({
        type: z.enum(['membership.created', 'membership.updated']),
        membershipId: z.uuid().toLowerCase(),
      }),
      handle: ({ body }) => deliveries.sendTest(body),
    }),
    controlRoute({
      method: 'GET',
      path: '/deliveries/{id}',
      summary: 'Returns a delivery with its request and all attempts.',
      handle: ({ params: { id = '' } }) => deliveries.find(id),
    }),
    controlRoute({
      method: 'POST',
      path: '/deliveries/{id}/resend',
      summary: 'Sends a delivery again, with the same event id, and waits for the answer.',
      handle: ({ params: { id = '' } }) => deliveries.resend(id),
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
