import * as z from 'zod';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import { asCurl } from './as-curl.js';
import type { RequestLog } from './request-log.js';

const filter = z.strictObject({
  path: z.string().max(300).optional().describe('Text that the path contains.'),
  status: z
    .string()
    .regex(/^[1-5](?:\d\d|xx)$/, 'Use a status such as 404, or a class such as 4xx.')
    .optional()
    .describe('Status, or class such as `4xx`.'),
  client: z.string().max(300).optional().describe('Client id, key name, or id or email of the key’s owner.'),
  text: z.string().max(300).optional().describe('Text anywhere in the entry.'),
  after: z.string().max(40).optional().describe('`next` of the previous page.'),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Entries per page.'),
});

/** Endpoints of the request log. */
export function requestRoutes(log: RequestLog, baseUrl: () => string): readonly ControlRoute[] {
  return [
    controlRoute({
      method: 'GET',
      path: '/requests',
      summary: 'Lists the newest requests without their bodies, newest first.',
      query: filter,
      handle: ({ query }) => log.list(query),
    }),
    controlRoute({
      method: 'GET',
      path: '/requests/{id}',
      summary: 'Returns a request with its bodies and as a curl command. Secrets are placeholders.',
      handle({ params: { id = '' } }) {
        const request = log.find(id);
        return { ...request, curl: asCurl(baseUrl(), request) };
      },
    }),
    controlRoute({
      method: 'DELETE',
      path: '/requests',
      summary: 'Empties the log.',
      handle: () => log.clear(),
    }),
  ];
}
