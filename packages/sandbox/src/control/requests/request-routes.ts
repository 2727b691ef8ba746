import { REQUIREMENTS, type Requirement } from '@latchkey/contract/requirements';
import * as z from 'zod';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import type { Replays } from './replay-requests.js';
import type { LoggedRequest, RequestLog } from './request-log.js';

const filter = z.strictObject({
  path: z.string().max(300).optional().describe('Text that the path contains.'),
  status: z
    .string()
    .regex(/^[1-5](?:\d\d|xx)$/, 'Use a status such as 404, or a class such as 4xx.')
    .optional()
    .describe('Status, or class such as `4xx`.'),
  client: z.string().max(300).optional().describe('Client id, key name, or id or email of the key’s owner.'),
  endpoint: z
    .string()
    .max(40)
    .optional()
    .describe('Name of the endpoint; `page` for forms of the service’s pages.'),
  failed: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('`true` for failed calls only: a status of 400 or more, or no whole answer.'),
  text: z.string().max(300).optional().describe('Text anywhere in the entry.'),
  after: z.string().max(40).optional().describe('`next` of the previous page.'),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Entries per page.'),
});

/** Request log, as tests and the control API use it. */
export type Requests = Pick<RequestLog, 'list' | 'find' | 'clear'> & Pick<Replays, 'replay'>;

/** Rule of the specification that decided an answer. */
export type DecidingRule = Pick<Requirement, 'id' | 'section' | 'text'>;

/** Returns the rules that decided the answer, with their texts. */
function rulesOf({ requirements }: LoggedRequest): readonly DecidingRule[] {
  return REQUIREMENTS.filter(({ id }) => requirements.includes(id)).map(({ id, section, text }) => ({
    id,
    section,
    text,
  }));
}

export function requestRoutes(log: Requests, baseUrl: () => string): readonly ControlRoute[] {
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
        return { ...request, curl: asCurl(baseUrl(), request), rules: rulesOf(request) };
      },
    }),
    controlRoute({
      method: 'POST',
      path: '/requests/{id}/replay',
      summary: 'Sends a request again as it arrived, with its credentials, and returns its new entry.',
      handle: ({ params: { id = '' } }) => log.replay(id),
    }),
    controlRoute({
      method: 'DELETE',
      path: '/requests',
      summary: 'Empties the log.',
      handle: () => log.clear(),
    }),
  ];
}

/** Returns a request as a curl command. Secrets are placeholders: `$TOKEN` in the header, `[hidden]` elsewhere. */
function asCurl(baseUrl: string, request: LoggedRequest): string {
  const { method, path, authorization, requestBody } = request;
  const address = `${baseUrl}${pathOf(path)}`;
  // Without the option, curl reads brackets and braces as patterns, also those of `[hidden]`.
  const globoff = /[[\]{}]/.test(address) ? '--globoff ' : '';
  const parts = [`curl ${globoff}-X ${method} ${quote(address)}`];
  if (authorization === 'Bearer') parts.push(`-H "Authorization: Bearer $TOKEN"`);
  if (authorization === 'Basic') parts.push(`-u "$CLIENT_ID:$CLIENT_SECRET"`);
  if (requestBody !== null) {
    parts.push(
      `-H ${quote(`Content-Type: ${requestBody.contentType}`)}`,
      `--data-raw ${quote(requestBody.text)}`,
    );
  }
  return parts.join(' \\\n  ');
}

/** Returns the path of a request target, which may name a whole address. That must not extend the host of the sandbox. */
function pathOf(target: string): string {
  return target.startsWith('/')
    ? target
    : target.replace(/^[^/?]*(?:\/\/[^/?]*)?/, '').replace(/^(?!\/)/, '/');
}

/** Quotes a text for a POSIX shell, in which nothing between single quotes has a meaning. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
