import type { LoggedRequest, RequestFilter, RequestPage, RequestSummary } from '@latchkey/sandbox';
import * as z from 'zod';
import { columns, printableLine } from '../command-line/text.js';
import { type ControlContext, controlCommand } from './control-command.js';
import { followChanges, stopSignal, unlessAborted } from './follow.js';
import { row } from './output.js';

type ReadPage = (page: Pick<RequestFilter, 'after' | 'limit'>) => Promise<RequestPage>;

const FILTERS = 'Filters';
/** Columns: id, time, status, method, duration. The path and the caller come last, so that they need no width. */
const WIDTHS = [9, 24, 6, 6, 9, 28];

const filterSettings = z.object({
  follow: z
    .boolean()
    .default(false)
    .meta({ description: 'Print new requests as they arrive, until Ctrl-C.' }),
  limit: z
    .int()
    .min(1)
    .max(500)
    .default(20)
    .meta({ placeholder: 'number', description: 'Number of past requests to print.' }),
  path: z
    .string()
    .exactOptional()
    .meta({ group: FILTERS, placeholder: 'text', description: 'Text that the path contains.' }),
  status: z
    .string()
    .regex(/^[1-5](?:\d\d|xx)$/, 'must be a status such as 404, or a class such as 4xx')
    .exactOptional()
    .meta({ group: FILTERS, placeholder: 'status', description: 'Status (404) or class (4xx).' }),
  client: z.string().exactOptional().meta({
    group: FILTERS,
    placeholder: 'caller',
    description: 'Client id, key name, or id or email of the key’s owner.',
  }),
  endpoint: z.string().exactOptional().meta({
    group: FILTERS,
    placeholder: 'name',
    description: 'Name of the endpoint, such as token; page for forms of pages.',
  }),
  failed: z.boolean().exactOptional().meta({ group: FILTERS, description: 'Failed requests only.' }),
  search: z
    .string()
    .exactOptional()
    .meta({ group: FILTERS, placeholder: 'text', description: 'Text anywhere in a request or its answer.' }),
});

/** `latchkey logs` */
export const logsList = controlCommand({
  name: 'logs',
  summary: 'Lists the requests to a sandbox, or follows them; shows one: show; sends one again: replay.',
  settings: filterSettings,
  examples: [
    'latchkey logs --follow',
    'latchkey logs --status 4xx --path /oauth',
    'latchkey logs show req_12',
  ],
  notes: 'The oldest request comes first. Tokens, codes, secrets and keys appear as [hidden].',
  async run({ follow, limit, search, ...filter }, context) {
    const signal = follow ? stopSignal() : undefined;
    const read: ReadPage = (page) =>
      context.client.get('/requests', 'requests', { ...filter, text: search, ...page }, signal);
    const page = await unlessAborted(read({ limit }), signal);
    if (page === undefined) return;
    for (const request of page.requests.toReversed()) showRequest(request, context);
    if (signal) await followRequests(read, { newest: page.requests[0], signal }, context);
    else if (page.requests.length === 0) context.note('No requests yet, or none that match.');
  },
});

const idSettings = z.object({
  id: z
    .string()
    .regex(/^req_\d{1,15}$/, 'must be an id such as req_12')
    .meta({ isArgument: true, description: 'Id of the request, as "latchkey logs" prints it.' }),
});

const logsShow = controlCommand({
  name: 'show',
  summary: 'Shows one request with its bodies and as a curl command.',
  settings: idSettings,
  examples: ['latchkey logs show req_12', 'latchkey logs show req_12 --json'],
  async run({ id }, { client, show }) {
    const request = await client.get<LoggedRequest & { curl: string }>(`/requests/${id}`, 'curl');
    show(request, () => requestText(request));
  },
});

const logsReplay = controlCommand({
  name: 'replay',
  summary: 'Sends a request again as it arrived, and prints its new entry.',
  settings: idSettings,
  examples: ['latchkey logs replay req_12', 'latchkey logs replay req_12 --json'],
  notes:
    'The request keeps its credentials and its body. A code or a refresh token works once, so its replay fails as the specification says.',
  async run({ id }, context) {
    showRequest(await context.client.post<RequestSummary>(`/requests/${id}/replay`, {}, 'id'), context);
  },
});

/** Commands below `latchkey logs`. */
export const logCommands = [logsShow, logsReplay];

async function followRequests(
  read: ReadPage,
  { newest, signal }: { newest: RequestSummary | undefined; signal: AbortSignal },
  context: ControlContext,
): Promise<void> {
  const { client, note } = context;
  let last = newest;
  await followChanges({
    client,
    types: ['request'],
    signal,
    onLost: () => note('The connection is lost. Connecting again.'),
    async onChange() {
      const requests = await requestsAfter(read, last);
      for (const request of requests) showRequest(request, context);
      last = requests.at(-1) ?? last;
    },
  });
}

/** All requests after one of them, oldest first. All that are kept if that one is gone: the sandbox started again. */
async function requestsAfter(read: ReadPage, last: RequestSummary | undefined): Promise<RequestSummary[]> {
  const found: RequestSummary[] = [];
  let after: string | undefined;
  for (;;) {
    const { requests, next } = await read({ after, limit: 500 });
    for (const request of requests) {
      // After a start, the sandbox uses the same ids again.
      if (request.id === last?.id && request.realTime === last.realTime) return found.reverse();
      found.push(request);
    }
    if (next === null) return found.reverse();
    after = next;
  }
}

function showRequest(request: RequestSummary, { show }: ControlContext): void {
  const { id, serviceTime, status, method, durationMs, path, fault } = request;
  show(request, () => {
    const notes = [...(fault === null ? [] : [`fault ${fault}`]), ...request.requirements];
    const duration = `${Math.round(durationMs)} ms`;
    return row(
      [id, serviceTime, status, method, duration, callerText(request), path, notes.join(', ')],
      WIDTHS,
    );
  });
}

function callerText({ caller }: RequestSummary): string {
  if (caller === null) return '-';
  return caller.kind === 'client' ? caller.clientId : `key ${caller.keyName}`;
}

function requestText(request: LoggedRequest & { curl: string }): string {
  const { requestBody, responseBody, location, curl } = request;
  const facts: [string, string][] = [
    ['id', request.id],
    ['time', request.serviceTime],
    ['request', `${request.method} ${request.path}`],
    ['endpoint', request.endpoint ?? '-'],
    ['caller', callerText(request)],
    [
      'status',
      `${request.status ?? 'no answer'}${request.answered ? '' : ' (the caller received no whole answer)'}`,
    ],
    ['duration', `${Math.round(request.durationMs)} ms`],
    ['fault', request.fault ?? '-'],
    ['decided by', request.requirements.join(', ') || '-'],
    ['redirect', location ?? '-'],
  ];
  return [
    columns(facts.map(([name, value]) => [name, printableLine(value)] as const)),
    ...bodyText('Request body', requestBody),
    ...bodyText('Response body', responseBody),
    '',
    'As curl',
    curl,
  ].join('\n');
}

function bodyText(heading: string, body: LoggedRequest['requestBody']): string[] {
  return body === null ? [] : ['', `${heading} (${body.contentType})`, body.text];
}
