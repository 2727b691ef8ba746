import * as z from 'zod';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import { consumerField, forwardInput, listenerInput } from './listener-input.js';
import type { Listeners } from './listeners.js';

export function listenerRoutes(listeners: Listeners): readonly ControlRoute[] {
  return [
    controlRoute({
      method: 'GET',
      path: '/listeners',
      summary: 'Lists the listeners, and how many deliveries each has not forwarded.',
      handle: async () => ({ listeners: await listeners.list() }),
    }),
    controlRoute({
      method: 'POST',
      path: '/listeners',
      summary: 'Creates a listener, or continues one with another filter.',
      body: listenerInput,
      handle: ({ body }) => listeners.open(body),
    }),
    controlRoute({
      method: 'DELETE',
      path: '/listeners/{name}',
      summary: 'Removes a listener.',
      handle: ({ params: { name = '' } }) => listeners.remove(name),
    }),
    controlRoute({
      method: 'GET',
      path: '/listeners/{name}/deliveries',
      summary: 'Lists signed requests that the listener has not forwarded, oldest first.',
      query: z.strictObject({
        consumer: consumerField,
        limit: z.coerce.number().int().min(1).max(100).default(20),
      }),
      handle: async ({ params: { name = '' }, query }) => ({
        deliveries: await listeners.waiting(name, query),
      }),
    }),
    controlRoute({
      method: 'POST',
      path: '/listeners/{name}/deliveries/{id}',
      summary: 'Logs an attempt to forward a delivery, which is done unless the listener retries.',
      body: forwardInput,
      handle: ({ params: { name = '', id = '' }, body }) => listeners.record(name, id, body),
    }),
  ];
}
