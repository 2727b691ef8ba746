import { PATHS, WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import * as z from 'zod';

const endpointNames = Object.keys(PATHS) as [keyof typeof PATHS, ...(keyof typeof PATHS)[]];

/** Longest time that a fault may wait, in milliseconds. Longer than any client's timeout. */
const MAX_MS = 120_000;

/** Longest delay of a delivery, in milliseconds of the service's clock: 30 days. */
const MAX_DELAY_MS = 30 * 24 * 3600_000;

const DELIVERY_EFFECTS = [
  z.strictObject({ kind: z.literal('duplicate') }).meta({
    title: 'Duplicate',
    description: 'Sends two copies of a delivery at once. Your site should act on one.',
  }),
  z.strictObject({ kind: z.literal('delay'), ms: z.int().min(1).max(MAX_DELAY_MS) }).meta({
    title: 'Delay',
    description: 'Sends a delivery later, by the clock of the service.',
  }),
  z.strictObject({ kind: z.literal('reorder') }).meta({
    title: 'Reorder',
    description: 'Sends a delivery after the next one to the same webhook, or a minute later.',
  }),
  z.strictObject({ kind: z.literal('drop') }).meta({
    title: 'Drop',
    description: 'The attempt fails and sends nothing. The service tries again later.',
  }),
  z.strictObject({ kind: z.literal('wrong-signature') }).meta({
    title: 'Wrong signature',
    description: 'Signs with another secret. Your site must reject the delivery.',
  }),
] as const;

/** How a fault changes a webhook delivery. */
export type DeliveryEffect = z.output<(typeof DELIVERY_EFFECTS)[number]>;

const KINDS: readonly string[] = DELIVERY_EFFECTS.map(({ shape }) => shape.kind.value);

/** True if the effect changes webhook deliveries instead of calls. */
export function isDeliveryEffect<Effect extends { readonly kind: string }>(
  effect: Effect,
): effect is Extract<Effect, DeliveryEffect> {
  return KINDS.includes(effect.kind);
}

/** Each effect has a title, and a description: what changes for the caller, and how a good site behaves. */
const effect = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('latency'), ms: z.int().min(1).max(MAX_MS) }).meta({
    title: 'Latency',
    description: 'Waits before the call. Your site should wait too, and show that it does.',
  }),
  z.strictObject({ kind: z.literal('status'), status: z.int().min(400).max(599) }).meta({
    title: 'Error status',
    description:
      'Answers with a status in place of the endpoint. Your site should say so and offer to try again.',
  }),
  z.strictObject({ kind: z.literal('reset') }).meta({
    title: 'Connection reset',
    description: 'Resets the connection before the call: the endpoint does nothing.',
  }),
  z.strictObject({ kind: z.literal('answer-lost') }).meta({
    title: 'Answer lost after commit',
    description:
      'The endpoint does its work, then the connection is reset. A repetition must not do it twice.',
  }),
  z.strictObject({ kind: z.literal('malformed') }).meta({
    title: 'Malformed body',
    description: 'Sends half of the body. Your site must not take it for an answer.',
  }),
  z.strictObject({ kind: z.literal('drip'), ms: z.int().min(1).max(MAX_MS) }).meta({
    title: 'Slow drip',
    description: 'Sends the body in ten parts over a time.',
  }),
  ...DELIVERY_EFFECTS,
]);

/** How a fault changes a call or a webhook delivery. */
export type FaultEffect = z.output<typeof effect>;

const faultFields = z.strictObject({
  effect: effect.describe('How calls of your site change, or webhook deliveries.'),
  endpoint: z
    .enum(endpointNames)
    .optional()
    .describe('One of the twelve endpoints. Without it, all logged calls.'),
  client: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Client id, key name, or id or email of the key’s owner. Without it, all callers.'),
  webhook: z
    .uuid()
    .toLowerCase()
    .optional()
    .describe('Id of a webhook, for faults of deliveries. Without it, all webhooks.'),
  event: z
    .enum(WEBHOOK_EVENT_TYPES)
    .optional()
    .describe('Type of an event, for faults of deliveries. Without it, all types.'),
  times: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Changes this many calls or deliveries, then no more.'),
  rate: z
    .number()
    .gt(0, 'must be above 0 and at most 1')
    .max(1, 'must be above 0 and at most 1')
    .optional()
    .describe('Share of the calls or deliveries that are changed.'),
  seed: z
    .int()
    .min(0)
    .max(0xffffffff)
    .default(1)
    .describe('Start of the random numbers for `rate`. The same seed changes the same calls.'),
});

/** Fields that the other kind of fault ignores. */
const CALL_FIELDS = ['endpoint', 'client'] as const;
const DELIVERY_FIELDS = ['webhook', 'event'] as const;

/** A fault to add. A field that its effect would ignore is an error. */
export const faultInput = faultFields.check(({ value, issues }) => {
  const ofDelivery = isDeliveryEffect(value.effect);
  for (const field of ofDelivery ? CALL_FIELDS : DELIVERY_FIELDS) {
    if (value[field] === undefined) continue;
    const message = `${value.effect.kind} changes ${ofDelivery ? 'webhook deliveries' : 'calls'}, which have no ${field}.`;
    issues.push({ code: 'custom', path: [field], message, input: value[field] });
  }
});

/** A fault to add, as callers write it. */
export type FaultInput = z.input<typeof faultInput>;

export interface Fault extends z.output<typeof faultInput> {
  readonly id: string;
  /** Number of calls or deliveries that it matched. */
  readonly seen: number;
  /** Number of calls or deliveries that it changed. */
  readonly changed: number;
}
