import { type ControlRoute, controlRoute } from '../access/control-route.js';
import { faultInput } from './fault.js';
import type { Faults } from './fault-list.js';

export function faultRoutes(faults: Faults): readonly ControlRoute[] {
  return [
    controlRoute({
      method: 'GET',
      path: '/faults',
      summary: 'Lists the faults, and how many calls or webhook deliveries each has changed.',
      handle: () => ({ faults: faults.list() }),
    }),
    controlRoute({
      method: 'POST',
      path: '/faults',
      summary: 'Adds a fault. The first fault that matches a call or a webhook delivery changes it.',
      body: faultInput,
      handle: ({ body }) => faults.add(body),
    }),
    controlRoute({
      method: 'DELETE',
      path: '/faults/{id}',
      summary: 'Removes a fault.',
      handle: ({ params: { id = '' } }) => faults.remove(id),
    }),
    controlRoute({
      method: 'DELETE',
      path: '/faults',
      summary: 'Removes all faults.',
      handle: () => faults.clear(),
    }),
  ];
}
