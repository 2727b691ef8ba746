import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import * as z from 'zod';

/** Characters of a response that a listener reports. */
const BODY_LENGTH_MAX = 8 * 1024;

/** Id of a running program, which it chooses at its start. */
export const consumerField = z
  .string()
  .regex(/^[A-Za-z0-9-]{8,64}$/, 'Use 8 to 64 letters, digits or hyphens.')
  .describe('Id that the program chooses at its start. The program that opened a listener last reads it.');

const LISTENER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const listenerInput = z.strictObject({
  name: z.string().regex(LISTENER_NAME, 'Use letters, digits, ".", "_" or "-".'),
  consumer: consumerField,
  communityId: z.uuid().toLowerCase().optional().describe('Only deliveries to webhooks of this community.'),
  productId: z.uuid().toLowerCase().optional().describe('Only deliveries to webhooks of this product.'),
  webhookId: z.uuid().toLowerCase().optional().describe('Only deliveries to this webhook.'),
  events: z.array(z.enum(WEBHOOK_EVENT_TYPES)).min(1).max(20).optional().describe('Only these types.'),
  from: z
    .enum(['last', 'now', 'start'])
    .default('last')
    .describe(
      'last: continues where it ended; a new one begins now. now: skips what it missed. start: all events.',
    ),
});

/** Attempt to forward a delivery. */
export const forwardInput = z.strictObject({
  result: z
    .enum(['delivered', 'given-up', 'retry'])
    .describe('delivered and given-up: the delivery is done. retry: it stays in the list.'),
  url: z.url().max(2_048).describe('Address that it was forwarded to.'),
  durationMs: z.int().min(0),
  status: z.int().min(100).max(599).nullable().describe('Status of the response; null if there was none.'),
  failure: z.string().max(1_000).nullable().describe('Sentence about the failure; null if it succeeded.'),
  headers: z.record(z.string().max(200), z.string().max(4_000)).default({}),
  body: z.string().max(BODY_LENGTH_MAX).default('').describe('Start of the response’s body.'),
});
