import * as z from 'zod';
import { sandboxTool } from '../frame/sandbox-tool.js';

const request = z.looseObject({ id: z.string() });

const listRequests = sandboxTool({
  name: 'list_requests',
  title: 'Read the request log',
  description:
    'Lists the newest calls to the service, newest first: method, path, caller, status, duration, and the ids of the rules that decided the answer. Secrets are hidden.',
  effect: 'reads',
  input: z.object({
    path: z.string().max(300).optional().describe('Text that the path contains.'),
    status: z
      .string()
      .regex(/^[1-5](?:\d\d|xx)$/, 'must be a status such as 404, or a class such as 4xx')
      .optional()
      .describe('Status (404) or class (4xx).'),
    client: z
      .string()
      .max(300)
      .optional()
      .describe('Client id, key name, or id or email of the key’s owner.'),
    text: z.string().max(300).optional().describe('Text anywhere in a request or its answer.'),
    limit: z.int().min(1).max(500).default(20),
    after: z.string().max(40).optional().describe('Value of next of the page before.'),
  }),
  output: z.looseObject({ requests: z.array(request), next: z.string().nullable() }),
  run: (query, sandbox) => sandbox.get('/requests', query),
});

const getRequest = sandboxTool({
  name: 'get_request',
  title: 'Read one request',
  description: 'Returns one call with both bodies, the rules that decided the answer, and a curl command.',
  effect: 'reads',
  input: z.object({
    id: z
      .string()
      .regex(/^req_\d{1,15}$/, 'must be an id such as req_12')
      .describe('Id, such as req_12.'),
  }),
  output: request,
  ifUnknown: 'Call list_requests for the ids. The log keeps the newest requests only.',
  run: ({ id }, sandbox) => sandbox.get(`/requests/${id}`),
});

/** Tools of the request log. */
export const logTools = [listRequests, getRequest];
