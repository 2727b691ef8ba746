import * as z from 'zod';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import type { SandboxData } from './data.js';
import { recordRoutes } from './record-routes.js';
import { defined } from './writes/fields.js';
import { membershipGrant } from './writes/membership-writes.js';

export function dataRoutes(data: SandboxData): readonly ControlRoute[] {
  return [
    ...recordRoutes(data),
    controlRoute({
      method: 'POST',
      path: '/memberships',
      summary: 'Grants a membership of a community or product to a user.',
      body: membershipGrant,
      handle: ({ body }) => data.grantMembership(defined(body)),
    }),
    controlRoute({
      method: 'POST',
      path: '/memberships/{id}/end',
      summary: 'Ends a membership now.',
      handle: ({ params: { id = '' } }) => data.endMembership(id),
    }),
    controlRoute({
      method: 'GET',
      path: '/mail',
      summary: 'Lists the mail, newest first, without HTML.',
      query: z.strictObject({ to: z.string().max(300).optional().describe('Address of the recipient.') }),
      handle: ({ query }) => ({ mail: data.mail(query.to) }),
    }),
    controlRoute({
      method: 'GET',
      path: '/mail/{id}',
      summary: 'Returns a message: text, HTML and images.',
      handle: ({ params: { id = '' } }) => data.findMail(id),
    }),
    controlRoute({
      method: 'GET',
      path: '/messenger',
      summary: 'Lists the communities with a messenger bot, and the newest requests to join their chats.',
      handle: () => data.messenger(),
    }),
  ];
}
