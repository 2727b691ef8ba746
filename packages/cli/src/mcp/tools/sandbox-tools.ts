import * as z from 'zod';
import { isLoopbackHost } from '../../command-line/service-values.js';
import { ControlFailure } from '../../control/client/control-failure.js';
import { doctorCommand } from '../../doctor/doctor-command.js';
import { runCommand } from '../frame/run-command.js';
import { type SandboxTool, sandboxTool } from '../frame/sandbox-tool.js';
import { dataTools } from './data-tools.js';
import { eventTools } from './event-tools.js';
import { integrationTools } from './integration-tools.js';
import { snapshotTools } from './snapshot-tools.js';

/** Characters of a page that one call returns. */
const PART_CHARACTERS = 30_000;

const hit = z.looseObject({
  page: z.string().describe('Name for read_docs.'),
  heading: z.string(),
  excerpt: z.string(),
});

const listDocs = sandboxTool({
  name: 'list_docs',
  title: 'List the documentation',
  description: 'Returns /llms.txt: all pages of the documentation, each with one sentence about it.',
  effect: 'reads',
  input: z.object({}),
  output: z.object({ markdown: z.string(), note: z.string().optional() }),
  text: ({ markdown }) => markdown,
  run: async (_, sandbox) => ({ markdown: await sandbox.page('/llms.txt') }),
});

const readDocs = sandboxTool({
  name: 'read_docs',
  title: 'Read a page of the documentation',
  description: `Returns a page as Markdown, ${PART_CHARACTERS} characters at a time. A longer page returns nextOffset.`,
  effect: 'reads',
  input: z.object({
    page: z
      .string()
      .regex(/^[a-z0-9-]{1,80}$/, 'must be the name of a page, such as widget')
      .describe('Name of the page: widget for /docs/widget.md.'),
    offset: z.int().min(0).default(0).describe('Character to begin with.'),
  }),
  output: z.object({
    page: z.string(),
    markdown: z.string(),
    nextOffset: z.int().nullable().describe('Offset of the next part. Null at the end.'),
    note: z.string().optional(),
  }),
  ifUnknown: 'Call list_docs or search_docs for the names of the pages.',
  text: ({ markdown, nextOffset }) =>
    nextOffset === null ? markdown : `${markdown}\n\n[More from offset ${nextOffset}.]`,
  async run({ page, offset }, sandbox) {
    const text = await sandbox.page(`/docs/${page}.md`);
    const end = offset + PART_CHARACTERS;
    return { page, markdown: text.slice(offset, end), nextOffset: end < text.length ? end : null };
  },
});

const searchDocs = sandboxTool({
  name: 'search_docs',
  title: 'Search the documentation',
  description: 'Returns the sections of the documentation that match some words, best first.',
  effect: 'reads',
  input: z.object({ query: z.string().trim().min(1).max(200).describe('A few words.') }),
  output: z.object({ hits: z.array(hit), note: z.string().optional() }),
  async run({ query }, sandbox) {
    const text = await sandbox.page(`/docs/search.json?q=${encodeURIComponent(query)}`);
    return { hits: hitsOf(text) };
  },
});

const docsTools = [listDocs, readDocs, searchDocs];

function hitsOf(text: string): z.input<typeof hit>[] {
  try {
    return z.object({ hits: z.array(hit) }).parse(JSON.parse(text)).hits;
  } catch (error) {
    const message = 'The sandbox has no search of this kind. Start the sandbox of this version.';
    throw new ControlFailure('not_a_sandbox', message, { cause: error });
  }
}

const fault = z.looseObject({ id: z.string() });

const listFaults = sandboxTool({
  name: 'list_faults',
  title: 'List the faults',
  description: 'Lists the faults of the sandbox, and how many calls each has changed.',
  effect: 'reads',
  input: z.object({}),
  output: z.looseObject({ faults: z.array(fault) }),
  run: (_, sandbox) => sandbox.get('/faults'),
});

const addFault = sandboxTool({
  name: 'add_fault',
  title: 'Add a fault',
  description:
    'Adds a fault, to test what an integration does then. latency waits. status answers in place of the endpoint. reset resets the connection before the call, answer-lost after the endpoint has done its work. malformed sends half of the body. drip sends the body in ten parts.',
  effect: 'changes',
  input: z.object({
    effect: z.looseObject({
      kind: z.string().max(40).describe('latency, status, reset, answer-lost, malformed or drip.'),
      ms: z.int().min(1).optional().describe('Milliseconds, for latency and drip.'),
      status: z.int().optional().describe('Status of the answer from 400 to 599, for status.'),
    }),
    endpoint: z
      .string()
      .max(60)
      .optional()
      .describe('Name of the endpoint, such as token or provisionExternal. Without it, all logged calls.'),
    client: z
      .string()
      .max(300)
      .optional()
      .describe('Client id, key name, or id or email of the key’s owner.'),
    times: z.int().min(1).optional().describe('Changes this many calls, then no more.'),
    rate: z.number().gt(0).max(1).optional().describe('Share of the calls that are changed.'),
    seed: z.int().min(0).optional().describe('The same seed changes the same calls, for rate.'),
  }),
  output: fault,
  run: (input, sandbox) => sandbox.post('/faults', input),
});

const clearFaults = sandboxTool({
  name: 'clear_faults',
  title: 'Clear the faults',
  description: 'Removes one fault, or all of them.',
  effect: 'changes',
  input: z.object({
    id: z
      .string()
      .regex(/^[\w-]{1,40}$/, 'must be an id such as fault_1')
      .optional()
      .describe('Id of a fault. Without it, all faults are removed.'),
  }),
  output: z.object({ cleared: z.string() }),
  ifUnknown: 'Call list_faults for the ids.',
  async run({ id }, sandbox) {
    await sandbox.delete(id === undefined ? '/faults' : `/faults/${id}`);
    return { cleared: id ?? 'all' };
  },
});

const faultTools = [listFaults, addFault, clearFaults];

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

const logTools = [listRequests, getRequest];

const getClock = sandboxTool({
  name: 'get_clock',
  title: 'Read the clock',
  description:
    'Returns the time of the service, and the presets: instants that the data offer, such as the next renewal.',
  effect: 'reads',
  input: z.object({}),
  output: z.looseObject({ serviceTime: z.string(), presets: z.array(z.looseObject({})) }),
  run: (_, sandbox) => sandbox.get('/clock'),
});

const moveClock = sandboxTool({
  name: 'move_clock',
  title: 'Move the clock',
  description:
    'Moves the clock of the service forward, by exactly one of duration, instant or preset. Everything that is due in between happens in order and is listed: expiries, renewals, events. The clock cannot move back: load_scenario or load_snapshot undoes it.',
  effect: 'changes',
  input: z.object({
    duration: z
      .string()
      .regex(/^[1-9]\d{0,8}[smhdw]$/, 'must be a whole number and a unit: 30s, 5m, 1h, 31d, 2w')
      .optional()
      .describe('A whole number and a unit: 30s, 5m, 1h, 31d, 2w.'),
    instant: z.iso.datetime({ offset: true }).optional().describe('A time ahead: 2027-01-31T12:00:00Z.'),
    preset: z.string().max(60).optional().describe('A preset that get_clock lists.'),
  }),
  output: z.looseObject({ serviceTime: z.string(), happened: z.array(z.looseObject({})) }),
  ifUnknown: 'Call get_clock for the presets.',
  run(target, sandbox) {
    const given = Object.entries(target).filter(([, value]) => value !== undefined);
    if (given.length !== 1) {
      throw new ControlFailure('invalid_input', 'Give exactly one of duration, instant and preset.');
    }
    return sandbox.post('/clock', Object.fromEntries(given));
  },
});

const clockTools = [getClock, moveClock];

const runDoctor = sandboxTool({
  name: 'run_doctor',
  title: 'Check the integration',
  description:
    'Runs the checks of "latchkey doctor". With site, it reads pages of a site on this machine, and returns findings about the site, its backend and the sandbox. Without, it checks the sandbox: endpoints, CORS, the client, its redirect URI and its widget origin. Each finding has a remedy. Changes nothing.',
  effect: 'reads',
  input: z.object({
    site: z
      .array(z.url().max(2_000).refine(isOnThisMachine, 'must be on a loopback address'))
      .max(5)
      .optional()
      .describe('Pages of the site on this machine, such as http://localhost:3000.'),
    clientId: z.string().max(60).optional().describe('Client of the site.'),
    redirectUri: z.string().max(2_000).optional().describe('Redirect URI of the site; needs clientId.'),
    origin: z.string().max(300).optional().describe('Origin of the pages with the widget.'),
  }),
  output: z.looseObject({}),
  async run(input, { target }) {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const settings = { ...given, ...target, service: target.sandbox, json: true };
    const [report = {}] = await runCommand(doctorCommand, settings);
    return report;
  },
});

const doctorTools = [runDoctor];

function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}

/** All tools, in the order in which an integration needs them. */
export const SANDBOX_TOOLS: readonly SandboxTool[] = [
  ...docsTools,
  ...integrationTools,
  ...dataTools,
  ...eventTools,
  ...logTools,
  ...clockTools,
  ...faultTools,
  ...snapshotTools,
  ...doctorTools,
];
