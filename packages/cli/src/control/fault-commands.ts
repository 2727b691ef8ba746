import { type EndpointName, PATHS } from '@latchkey/contract/constants';
import type { Fault, FaultInput } from '@latchkey/sandbox';
import { CONTROL_ROUTES, isDeliveryEffect } from '@latchkey/sandbox/routes';
import * as z from 'zod';
import { issueText } from '../command-line/read-settings.js';
import { table } from '../command-line/text.js';
import { settingsRule } from '../command-line/values.js';
import { callCommand, controlCommand, settingsOf } from './control-command.js';

/** Stands for all logged calls in place of an endpoint. */
const ALL = 'all';
/** Stands for webhook deliveries in place of an endpoint. */
const DELIVERIES = 'deliveries';
const { body: faultInput } = CONTROL_ROUTES['POST /faults'];
const KINDS = faultInput.shape.effect.options.map(({ shape }) => shape.kind.value);
const EFFECT_NOTES = faultInput.shape.effect.options
  .map(({ shape, description }) => `${shape.kind.value}: ${description}`)
  .join('\n');
const DELIVERY_KINDS = KINDS.filter((kind) => isDeliveryEffect({ kind }));

const addSettings = z
  .object({
    endpoint: z.enum([ALL, DELIVERIES, ...(Object.keys(PATHS) as EndpointName[])]).meta({
      isArgument: true,
      description: `${ALL}, ${DELIVERIES}, or one of ${Object.keys(PATHS).join(', ')}.`,
    }),
    kind: z.enum(KINDS).meta({ isArgument: true, description: `One of ${KINDS.join(', ')}.` }),
    ms: z
      .int()
      .exactOptional()
      .meta({ placeholder: 'number', description: 'Milliseconds, for latency, drip and delay.' }),
    status: z
      .int()
      .exactOptional()
      .meta({ placeholder: 'status', description: 'Status of the answer, for status.' }),
    ...settingsOf('POST /faults', {
      client: { placeholder: 'caller', defaultText: 'all callers' },
      event: { placeholder: 'type', defaultText: 'all events' },
      webhook: { placeholder: 'id', defaultText: 'all webhooks' },
      times: { placeholder: 'number', defaultText: 'no limit' },
      rate: { placeholder: 'share', defaultText: '1' },
    }),
    seed: z.int().exactOptional().meta({
      placeholder: 'number',
      defaultText: '1',
      description: 'The same seed changes the same calls.',
    }),
  })
  .check(
    settingsRule({
      reads: ['endpoint', 'kind'],
      isMet: ({ endpoint, kind = 'reset' }) => (endpoint === DELIVERIES) === isDeliveryEffect({ kind }),
      error: `${DELIVERY_KINDS.join(', ')} belong to ${DELIVERIES}, the other kinds to calls.`,
    }),
    settingsRule({
      reads: ['rate', 'seed'],
      isMet: ({ rate, seed }) => seed === undefined || rate !== undefined,
      error: '--seed belongs to --rate.',
    }),
  )
  .check(({ value, issues }) => {
    const { error } = faultInput.safeParse(faultOf(value), { error: issueText });
    for (const issue of error?.issues ?? []) {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
      for (const name of unknown)
        issues.push({ code: 'custom', path: [name], message: `${value.kind} has none`, input: value });
      const name = String(issue.path.at(-1));
      const isMissing = (value as Record<string, unknown>)[name] === undefined;
      const message = isMissing ? `is required for ${value.kind}.` : issue.message;
      if (unknown.length === 0) issues.push({ code: 'custom', path: [name], message, input: value });
    }
  });

type AddSettings = Omit<FaultInput, 'effect' | 'endpoint'> & {
  readonly endpoint: EndpointName | typeof ALL | typeof DELIVERIES;
  readonly kind: (typeof KINDS)[number];
  readonly ms?: number;
  readonly status?: number;
};

function faultOf(settings: AddSettings): FaultInput {
  const { endpoint, kind, ms, status, client, event, webhook, times, rate, seed } = settings;
  const isNamed = endpoint !== ALL && endpoint !== DELIVERIES;
  const effect = { kind, ...(ms !== undefined && { ms }), ...(status !== undefined && { status }) };
  const fault = { client, event, webhook, times, rate, seed, ...(isNamed && { endpoint }) };
  return { ...fault, effect } as FaultInput;
}

export const faultCommands = [
  controlCommand({
    name: 'add',
    summary: 'Adds a fault, which changes calls of an endpoint or webhook deliveries.',
    settings: addSettings,
    examples: [
      'latchkey fault add provisionExternal answer-lost --times 1',
      'latchkey fault add userinfo status --status 503 --rate 0.2 --seed 7',
      'latchkey fault add all latency --ms 2000 --client oac_a1b2c3d4e5f60718293a4b5c',
      'latchkey fault add deliveries duplicate --event membership.created --times 1',
    ],
    notes: EFFECT_NOTES,
    async run(settings, { client, show }) {
      const added = await client.call('POST /faults', faultOf(settings));
      const target = targetOf(added);
      show(
        added,
        () => `Added ${added.id}: ${effectText(added)} of ${target === ALL ? 'all calls' : target}.`,
      );
    },
  }),
  callCommand({
    name: 'list',
    call: 'GET /faults',
    examples: ['latchkey fault list', 'latchkey fault list --json'],
    value: ({ faults }) => faults,
    text: ({ faults }) => table(HEADINGS, faults.map(faultRow), 'No faults.'),
  }),
  controlCommand({
    name: 'clear',
    summary: 'Removes one fault, or all of them.',
    settings: z.object({
      fault: CONTROL_ROUTES['DELETE /faults/{id}'].params.id.exactOptional().meta({
        isArgument: true,
        description: 'Id of the fault, as "latchkey fault list" prints it.',
      }),
    }),
    examples: ['latchkey fault clear', 'latchkey fault clear fault_1'],
    async run({ fault: id }, { client, show }) {
      await (id === undefined ? client.call('DELETE /faults') : client.call('DELETE /faults/{id}', { id }));
      show({ cleared: id ?? ALL }, () => `Removed ${id ?? 'all faults'}.`);
    },
  }),
];

const HEADINGS = ['id', 'endpoint', 'effect', 'caller', 'calls', 'changed', 'seen'];

function faultRow(fault: Fault): (string | number | null)[] {
  const { id, client = ALL, times, rate, seed, changed, seen } = fault;
  const limits = [
    ...(times === undefined ? [] : [`next ${times}`]),
    ...(rate === undefined ? [] : [`share ${rate}, seed ${seed}`]),
  ];
  return [id, targetOf(fault), effectText(fault), client, limits.join(', ') || 'all', changed, seen];
}

function targetOf({ effect, endpoint, event, webhook }: Fault): string {
  if (!isDeliveryEffect(effect)) return endpoint ?? ALL;
  return [DELIVERIES, event, webhook].filter((part) => part !== undefined).join(' ');
}

function effectText({ effect }: Fault): string {
  if ('ms' in effect) return `${effect.kind} ${effect.ms} ms`;
  return 'status' in effect ? `${effect.kind} ${effect.status}` : effect.kind;
}
