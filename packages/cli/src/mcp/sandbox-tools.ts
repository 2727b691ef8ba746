import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import * as z from 'zod';
import { isLoopbackHost } from '../command-line/service-values.js';
import { ControlFailure } from '../control/control-client.js';
import { trigger } from '../control/trigger-command.js';
import { doctorCommand } from '../doctor/doctor-command.js';
import { dataTools, docsTools, integrationTools } from './data-tools.js';
import { runCommand, type SandboxTool, sandboxTool } from './sandbox-tool.js';

const deliveryId = z.uuid('must be the UUID of a delivery').describe('Id, as list_events returns it.');
const delivery = z.looseObject({ id: z.string(), status: z.string() });
const event = z.looseObject({ id: z.string(), type: z.string() });
const UNKNOWN_DELIVERY = 'Call list_events for the ids of the deliveries.';

const eventTools = [
  sandboxTool({
    name: 'list_events',
    title: 'Read the webhook events',
    description:
      'Lists the newest webhook events, newest first, each with its body and its deliveries: endpoint, status, number of attempts.',
    effect: 'reads',
    input: z.object({ limit: z.int().min(1).max(500).default(20) }),
    output: z.looseObject({ events: z.array(event) }),
    run: ({ limit }, sandbox) => sandbox.get('/events', undefined, { limit }),
  }),
  sandboxTool({
    name: 'get_delivery',
    title: 'Read one delivery',
    description: 'Returns a delivery with its request, and status, duration and failure of each attempt.',
    effect: 'reads',
    input: z.object({ id: deliveryId }),
    output: delivery,
    ifUnknown: UNKNOWN_DELIVERY,
    run: ({ id }, sandbox) => sandbox.get(`/deliveries/${id}`),
  }),
  sandboxTool({
    name: 'resend_delivery',
    title: 'Send a delivery again',
    description:
      'Sends a webhook delivery again with the same event id, waits for the answer of the endpoint, and returns all attempts.',
    effect: 'changes',
    input: z.object({ id: deliveryId }),
    output: delivery,
    ifUnknown: UNKNOWN_DELIVERY,
    run: ({ id }, sandbox) => sandbox.post(`/deliveries/${id}/resend`),
  }),
  sandboxTool({
    name: 'trigger_event',
    title: 'Trigger a webhook event',
    description:
      'Causes an event by a real change of your objects. membership.created grants a membership to a user without one. membership.updated moves the expiry (until) or ends the membership (end). payment.success, payment.failed and digital.product.purchase pay a real checkout of a plan or product. The change stays.',
    effect: 'changes',
    input: z.object({
      event: z.enum(WEBHOOK_EVENT_TYPES),
      user: z.string().min(1).max(300).optional().describe('Email address or id of the user.'),
      community: z.uuid().optional().describe('Community of the membership.'),
      product: z.uuid().optional().describe('Product of the membership.'),
      membership: z.uuid().optional().describe('Membership to change, in place of user.'),
      until: z.string().max(40).optional().describe('Expiry in ISO 8601. Without it, a new one is for life.'),
      plan: z.uuid().optional().describe('Plan to buy, for payment.success and payment.failed.'),
      method: z.string().max(100).optional().describe('Payment method, such as card-9995.'),
      externalId: z.string().max(255).optional().describe('External id of the checkout, as in buy-plan.'),
      end: z.boolean().optional().describe('Ends the membership now.'),
    }),
    output: event,
    async run(input, { target }) {
      const [recorded] = await runCommand(trigger, { ...withoutUndefined(input), ...target, json: true });
      return recorded as z.input<typeof event>;
    },
  }),
];

const request = z.looseObject({ id: z.string() });

const logTools = [
  sandboxTool({
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
    run: (query, sandbox) => sandbox.get('/requests', undefined, query),
  }),
  sandboxTool({
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
  }),
];

const clockTools = [
  sandboxTool({
    name: 'get_clock',
    title: 'Read the clock',
    description:
      'Returns the time of the service, and the presets: instants that the data offer, such as the next renewal.',
    effect: 'reads',
    input: z.object({}),
    output: z.looseObject({ serviceTime: z.string(), presets: z.array(z.looseObject({})) }),
    run: (_, sandbox) => sandbox.get('/clock'),
  }),
  sandboxTool({
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
  }),
];

const fault = z.looseObject({ id: z.string() });

const faultTools = [
  sandboxTool({
    name: 'list_faults',
    title: 'List the faults',
    description: 'Lists the faults of the sandbox, and how many calls each has changed.',
    effect: 'reads',
    input: z.object({}),
    output: z.looseObject({ faults: z.array(fault) }),
    run: (_, sandbox) => sandbox.get('/faults'),
  }),
  sandboxTool({
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
  }),
  sandboxTool({
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
  }),
];

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be at most 64 letters, digits, ".", "_" or "-"')
  .describe('Name of the snapshot.');

const snapshotTools = [
  sandboxTool({
    name: 'list_snapshots',
    title: 'List the snapshots',
    description: 'Lists the stored snapshots of the sandbox.',
    effect: 'reads',
    input: z.object({}),
    output: z.looseObject({ snapshots: z.array(z.looseObject({ name: z.string() })) }),
    run: (_, sandbox) => sandbox.get('/snapshots'),
  }),
  sandboxTool({
    name: 'save_snapshot',
    title: 'Save a snapshot',
    description: 'Stores all data and the time under a name. A snapshot with this name is replaced.',
    effect: 'changes',
    input: z.object({ name }),
    output: z.looseObject({ name: z.string() }),
    run: (input, sandbox) => sandbox.post(`/snapshots/${input.name}`),
  }),
  sandboxTool({
    name: 'load_snapshot',
    title: 'Load a snapshot',
    description:
      'Replaces all data and the time of the sandbox by those of a snapshot. Mail, request log and faults are dropped.',
    effect: 'deletes',
    input: z.object({ name }),
    output: z.object({ loaded: z.string() }),
    ifUnknown: 'Call list_snapshots for the names.',
    async run(input, sandbox) {
      await sandbox.post(`/snapshots/${input.name}/load`);
      return { loaded: input.name };
    },
  }),
  sandboxTool({
    name: 'list_scenarios',
    title: 'List the scenarios',
    description: 'Returns the scenarios that load_scenario accepts: their data, and what to try with them.',
    effect: 'reads',
    input: z.object({}),
    output: z.looseObject({ scenarios: z.array(z.looseObject({ name: z.string() })) }),
    run: (_, sandbox) => sandbox.get('/scenarios'),
  }),
  sandboxTool({
    name: 'load_scenario',
    title: 'Load a scenario',
    description:
      'Deletes all data of the sandbox, sets its clock to the real time, and begins with a scenario. Mail, request log and faults are dropped. Stored snapshots stay.',
    effect: 'deletes',
    input: z.object({ scenario: z.string().max(60).default('sample-data') }),
    output: z.object({ scenario: z.string() }),
    ifUnknown: 'Call list_scenarios for the names.',
    async run({ scenario }, sandbox) {
      await sandbox.post('/reset', { scenario });
      return { scenario };
    },
  }),
];

const doctorTools = [
  sandboxTool({
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
  }),
];

function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}

function withoutUndefined(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
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
