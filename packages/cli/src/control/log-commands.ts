import type { LoggedRequest, RequestFilter, RequestPage, RequestSummary } from '@latchkey/sandbox';
import type { ControlAnswer } from '@latchkey/sandbox/client';
import * as z from 'zod';
import { columns, printableLine, row } from '../command-line/text.js';
import { toggle } from '../command-line/values.js';
import { type ControlContext, callCommand, controlCommand, settingsOf } from './control-command.js';
import { followChanges, pastEntries, stopSignal, unlessAborted } from './follow.js';

type ReadPage = (page: Pick<RequestFilter, 'after' | 'limit'>) => Promise<RequestPage>;

const FILTERS = 'Filters';
/** Widths of id, time, status, method, duration and caller. The last two columns need none. */
const WIDTHS = [9, 24, 6, 6, 9, 28];

const filterSettings = z.object({
  follow: toggle({ description: 'Print new requests as they arrive, until Ctrl-C.' }),
  limit: pastEntries('requests'),
  ...settingsOf('GET /requests', {
    path: { group: FILTERS, placeholder: 'text' },
    status: { group: FILTERS, placeholder: 'status' },
    client: { group: FILTERS, placeholder: 'caller' },
    endpoint: { group: FILTERS, placeholder: 'name' },
    text: { group: FILTERS, placeholder: 'text', flag: 'search' },
  }),
  failed: z.boolean().exactOptional().meta({ group: FILTERS, description: 'Failed requests only.' }),
});

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
  async run({ follow, limit, failed, ...rest }, context) {
    const filter = { ...rest, ...(failed && { failed: 'true' as const }) };
    const signal = follow ? stopSignal() : undefined;
    const read: ReadPage = (page) => context.client.call('GET /requests', { ...filter, ...page }, { signal });
    const page = await unlessAborted(read({ limit }), signal);
    if (page === undefined) return;
    for (const request of page.requests.toReversed()) showRequest(request, context);
    let [last] = page.requests;
    const onChange = async () => {
      const requests = await requestsAfter(read, last);
      for (const request of requests) showRequest(request, context);
      last = requests.at(-1) ?? last;
    };
    if (signal) await followChanges(context, signal, { types: ['request'], onChange });
    else if (page.requests.length === 0) context.note('No requests yet, or none that match.');
  },
});

export const logCommands = [
  callCommand({
    name: 'show',
    call: 'GET /requests/{id}',
    summary: 'Shows one request with its bodies and as a curl command.',
    settings: { id: { isArgument: true } },
    examples: ['latchkey logs show req_12', 'latchkey logs show req_12 --json'],
    text: requestText,
  }),
  callCommand({
    name: 'replay',
    call: 'POST /requests/{id}/replay',
    summary: 'Sends a request again as it arrived, and prints its new entry.',
    settings: { id: { isArgument: true } },
    examples: ['latchkey logs replay req_12', 'latchkey logs replay req_12 --json'],
    notes:
      'The request keeps its credentials and its body. A code or a refresh token works once, so its replay fails as the specification says.',
    text: requestLine,
  }),
];

/** Returns all requests after a given one, oldest first. If that one is gone, the sandbox was restarted, so it returns all. */
async function requestsAfter(read: ReadPage, last: RequestSummary | undefined): Promise<RequestSummary[]> {
  const found: RequestSummary[] = [];
  let after: string | undefined;
  for (;;) {
    const { requests, next } = await read({ after, limit: 500 });
    for (const request of requests) {
      // After a restart, the sandbox uses the same ids again.
      if (request.id === last?.id && request.realTime === last.realTime) return found.reverse();
      found.push(request);
    }
    if (next === null) return found.reverse();
    after = next;
  }
}

function showRequest(request: RequestSummary, { show }: ControlContext): void {
  show(request, () => requestLine(request));
}

function requestLine(request: RequestSummary): string {
  const { id, serviceTime, status, method, durationMs, path, fault } = request;
  const notes = [...(fault === null ? [] : [`fault ${fault}`]), ...request.requirements];
  const duration = `${Math.round(durationMs)} ms`;
  return row(
    [id, serviceTime, status, method, duration, callerText(request), path, notes.join(', ')],
    WIDTHS,
  );
}

function callerText({ caller }: RequestSummary): string {
  if (caller === null) return '-';
  return caller.kind === 'client' ? caller.clientId : `key ${caller.keyName}`;
}

function requestText(request: ControlAnswer<'GET /requests/{id}'>): string {
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
