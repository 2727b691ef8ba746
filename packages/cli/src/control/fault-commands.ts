import { type EndpointName, PATHS, WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import type { Fault } from '@latchkey/sandbox';
import * as z from 'zod';
import { settingsRule } from '../command-line/values.js';
import { controlCommand } from './control-command.js';
import { table } from './output.js';

/** Name for all logged calls, in place of an endpoint. */
const ALL = 'all';
/** Name for webhook deliveries, in place of an endpoint. */
const DELIVERIES = 'deliveries';
const CALL_KINDS = ['latency', 'status', 'reset', 'answer-lost', 'malformed', 'drip'] as const;
const DELIVERY_KINDS = ['duplicate', 'delay', 'reorder', 'drop', 'wrong-signature'] as const;
const KINDS = [...CALL_KINDS, ...DELIVERY_KINDS] as const;
/** Longest wait of a call, and longest delay of a delivery, in milliseconds. */
const MAX_MS = 120_000;
const MAX_DELAY_MS = 30 * 24 * 3600_000;

const addSettings = z
  .object({
    endpoint: z.enum([ALL, DELIVERIES, ...(Object.keys(PATHS) as EndpointName[])]).meta({
      isArgument: true,
      description: `${ALL}, ${DELIVERIES}, or one of ${Object.keys(PATHS).join(', ')}.`,
    }),
    kind: z.enum(KINDS).meta({ isArgument: true, description: `One of ${KINDS.join(', ')}.` }),
    ms: z
      .int()
      .min(1)
      .max(MAX_DELAY_MS)
      .exactOptional()
      .meta({ placeholder: 'number', description: 'Milliseconds, for latency, drip and delay.' }),
    status: z
      .int()
      .min(400)
      .max(599)
      .exactOptional()
      .meta({ placeholder: 'status', description: 'Status of the answer, for status.' }),
    client: z.string().min(1).max(300).exactOptional().meta({
      placeholder: 'caller',
      defaultText: 'all callers',
      description: 'Client id, key name, or id or email of the key’s owner.',
    }),
    event: z.enum(WEBHOOK_EVENT_TYPES).exactOptional().meta({
      placeholder: 'type',
      defaultText: 'all events',
      description: 'Type of an event, for deliveries.',
    }),
    webhook: z.uuid('must be a UUID').exactOptional().meta({
      placeholder: 'id',
      defaultText: 'all webhooks',
      description: 'Id of a webhook, for deliveries.',
    }),
    times: z
      .int()
      .min(1)
      .max(1_000_000)
      .exactOptional()
      .meta({ placeholder: 'number', defaultText: 'no limit', description: 'Number of calls to change.' }),
    rate: z
      .number()
      .gt(0, 'must be above 0 and at most 1')
      .max(1, 'must be above 0 and at most 1')
      .exactOptional()
      .meta({ placeholder: 'share', defaultText: '1', description: 'Share of the calls to change.' }),
    seed: z.int().min(0).max(0xffffffff).exactOptional().meta({
      placeholder: 'number',
      defaultText: '1',
      description: 'The same seed changes the same calls.',
    }),
  })
  .check(
    settingsRule<{ endpoint: string; kind: string }>({
      reads: ['endpoint', 'kind'],
      isMet: ({ endpoint, kind = '' }) => (endpoint === DELIVERIES) === isDeliveryKind(kind),
      error: `${DELIVERY_KINDS.join(', ')} belong to ${DELIVERIES}, the other kinds to calls.`,
    }),
    settingsRule<{ endpoint: string; event?: string; webhook?: string; client?: string }>({
      reads: ['endpoint', 'event', 'webhook', 'client'],
      isMet: ({ endpoint, event, webhook, client }) =>
        endpoint === DELIVERIES ? client === undefined : event === undefined && webhook === undefined,
      error: `--event and --webhook belong to ${DELIVERIES}, --client to calls.`,
    }),
    settingsRule<{ kind: string; ms?: number }>({
      reads: ['kind', 'ms'],
      isMet: ({ kind = '', ms }) => ['latency', 'drip', 'delay'].includes(kind) === (ms !== undefined),
      error: ({ ms }) =>
        ms === undefined
          ? '--ms is required for latency, drip and delay.'
          : '--ms: only latency, drip and delay have it. Remove it.',
    }),
    settingsRule<{ kind: string; ms?: number }>({
      reads: ['kind', 'ms'],
      isMet: ({ kind, ms = 0 }) => kind === 'delay' || ms <= MAX_MS,
      error: `--ms: must be at most ${MAX_MS} for calls.`,
    }),
    settingsRule<{ kind: string; status?: number }>({
      reads: ['kind', 'status'],
      isMet: ({ kind, status }) => (kind === 'status') === (status !== undefined),
      error: ({ status }) =>
        status === undefined
          ? '--status is required for the kind "status".'
          : '--status: only the kind "status" has one. Remove it.',
    }),
    settingsRule<{ rate?: number; seed?: number }>({
      reads: ['rate', 'seed'],
      isMet: ({ rate, seed }) => seed === undefined || rate !== undefined,
      error: '--seed belongs to --rate.',
    }),
  );

const faultAdd = controlCommand({
  name: 'add',
  summary: 'Adds a fault, which changes calls of an endpoint or webhook deliveries.',
  settings: addSettings,
  examples: [
    'latchkey fault add provisionExternal answer-lost --times 1',
    'latchkey fault add userinfo status --status 503 --rate 0.2 --seed 7',
    'latchkey fault add all latency --ms 2000 --client oac_a1b2c3d4e5f60718293a4b5c',
    'latchkey fault add deliveries duplicate --event membership.created --times 1',
  ],
  notes:
    'latency waits before the call. status answers in place of the endpoint. reset resets the connection before the call, answer-lost after the endpoint has done its work. malformed sends half of the body. drip sends the body in ten parts. Of webhook deliveries: duplicate sends two copies, delay sends later by the clock of the service, reorder after the next delivery to the same webhook. drop fails the attempt and sends nothing. wrong-signature signs with another secret.',
  async run({ endpoint, kind, ms, status, ...fault }, { client, show }) {
    // The rules above provide the fields that the kind needs.
    const effect = { kind, ms, status };
    const isNamed = endpoint !== ALL && endpoint !== DELIVERIES;
    const input = { ...fault, effect, ...(isNamed && { endpoint }) };
    const added = await client.post<Fault>('/faults', input, 'effect');
    const target = targetOf(added);
    show(added, () => `Added ${added.id}: ${effectText(added)} of ${target === ALL ? 'all calls' : target}.`);
  },
});

const faultList = controlCommand({
  name: 'list',
  summary: 'Lists the faults, and how many calls each has changed.',
  settings: z.object({}),
  examples: ['latchkey fault list', 'latchkey fault list --json'],
  async run(_, { client, show }) {
    const { faults } = await client.get<{ faults: readonly Fault[] }>('/faults', 'faults');
    show(faults, () => table(HEADINGS, faults.map(faultRow), 'No faults.'));
  },
});

const faultClear = controlCommand({
  name: 'clear',
  summary: 'Removes one fault, or all of them.',
  settings: z.object({
    fault: z
      .string()
      .regex(/^fault_\d{1,15}$/, 'must be an id such as fault_1')
      .exactOptional()
      .meta({ isArgument: true, description: 'Id of the fault, as "latchkey fault list" prints it.' }),
  }),
  examples: ['latchkey fault clear', 'latchkey fault clear fault_1'],
  async run({ fault }, { client, show }) {
    await client.delete(fault === undefined ? '/faults' : `/faults/${fault}`);
    show({ cleared: fault ?? ALL }, () =>
      fault === undefined ? 'Removed all faults.' : `Removed ${fault}.`,
    );
  },
});

/** Commands below `latchkey fault`. */
export const faultCommands = [faultAdd, faultList, faultClear];

const HEADINGS = ['id', 'endpoint', 'effect', 'caller', 'calls', 'changed', 'seen'];

function faultRow(fault: Fault): (string | number | null)[] {
  const { id, client = ALL, times, rate, seed, changed, seen } = fault;
  const limits = [
    ...(times === undefined ? [] : [`next ${times}`]),
    ...(rate === undefined ? [] : [`share ${rate}, seed ${seed}`]),
  ];
  return [id, targetOf(fault), effectText(fault), client, limits.join(', ') || 'all', changed, seen];
}

function isDeliveryKind(kind: string): boolean {
  return (DELIVERY_KINDS as readonly string[]).includes(kind);
}

function targetOf({ effect, endpoint, event, webhook }: Fault): string {
  if (!isDeliveryKind(effect.kind)) return endpoint ?? ALL;
  return [DELIVERIES, event, webhook].filter((part) => part !== undefined).join(' ');
}

function effectText({ effect }: Fault): string {
  if ('ms' in effect) return `${effect.kind} ${effect.ms} ms`;
  return 'status' in effect ? `${effect.kind} ${effect.status}` : effect.kind;
}
