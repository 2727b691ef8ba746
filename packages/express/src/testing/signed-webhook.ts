import { createHmac, randomUUID } from 'node:crypto';
import { type WebhookEvent as EmittedEvent, webhookEventSchemas } from '@latchkey/contract';
import { WEBHOOK_HEADERS, type WebhookEventType } from '@latchkey/contract/constants';
import { type Clock, systemClock } from '../clock.js';
import { LatchkeyOptionsError } from '../options-error.js';
import { readSecrets } from '../webhooks/webhook-secret.js';
import { refuseInProduction } from './refuse-in-production.js';

/** An event to send: what is left out is made up. A type of your own shows what your app does with unknown ones. */
export interface SignableEvent {
  type: string;
  /** Default: a new UUID. */
  id?: string;
  /** ISO-8601. Default: now, by the clock. */
  createdAt?: string;
  data?: object;
}

/** A delivery as the service would send it: fits `fetch(url, signed)`, and any client that takes body and headers. */
export interface SignedWebhook {
  method: 'POST';
  headers: Record<string, string>;
  /** Send it as it is: the signature is over these bytes. */
  body: string;
}

/** Options of {@link signWebhook}. */
export interface SignWebhookOptions {
  /** The secret that your app verifies with: 64 hex characters. */
  secret: string;
  /** How the signature is written; the kit takes both. Default `hex`, as the reference server. */
  encoding?: 'hex' | 'base64';
  /** Tells `createdAt` where the event has none: give it that of `latchkey({ clock })`. Default: the machine's. */
  clock?: Clock;
}

/**
 * Signs an event as the service does, for your own endpoint: `fetch(url, signWebhook(event, { secret }))`.
 * @throws LatchkeyOptionsError for what cannot be a signing secret.
 */
export function signWebhook(
  event: SignableEvent,
  { secret, encoding = 'hex', clock = systemClock }: SignWebhookOptions,
): SignedWebhook {
  refuseInProduction('signWebhook');
  const read = readSecrets({ secret });
  if ('problems' in read) throw new LatchkeyOptionsError(read.problems);
  const { type, id = randomUUID(), createdAt = isoTime(clock), data = {}, ...rest } = event;
  const body = JSON.stringify({ id, type, createdAt, data, ...rest });
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [WEBHOOK_HEADERS.signature.toLowerCase()]: createHmac('sha256', secret).update(body).digest(encoding),
      [WEBHOOK_HEADERS.eventType.toLowerCase()]: type,
      [WEBHOOK_HEADERS.eventId.toLowerCase()]: id,
    },
    body,
  };
}

type EmittedOf<Type extends WebhookEventType> = Extract<EmittedEvent, { type: Type }>;

/** Any part of something, down to its fields. */
type PartOf<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Key in keyof Value]?: PartOf<Value[Key]> | undefined }
    : Value;

/** Options of {@link exampleEvent}. */
export interface ExampleEventOptions {
  /** Tells `createdAt`: give it that of `latchkey({ clock })`. Default: the machine's. */
  clock?: Clock;
}

const isoTime = (clock: Clock) => new Date(clock.now()).toISOString();

/**
 * A complete event of a type, with your own values in place of made-up ones:
 * `exampleEvent('membership.created', { user: { sub } })`.
 *
 * @throws TypeError naming a value that the service would never send, and a field that it does not have: an override
 * that nobody reads is a mistake in the test.
 */
export function exampleEvent<const Type extends WebhookEventType>(
  type: Type,
  data?: PartOf<EmittedOf<Type>['data']>,
  { clock = systemClock }: ExampleEventOptions = {},
): EmittedOf<Type> {
  refuseInProduction('exampleEvent');
  const event = webhookEventSchemas[type].strict.safeParse({
    id: randomUUID(),
    type,
    createdAt: isoTime(clock),
    data: merge(exampleData()[type], data ?? {}),
  });
  // The schema is the one of this type; a table of schemas forgets which.
  if (event.success) return event.data as EmittedOf<Type>;
  const places = event.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new TypeError(`exampleEvent('${type}') would not be an event of the service. ${places.join('; ')}`);
}

function exampleData(): Record<WebhookEventType, object> {
  const user = { sub: randomUUID(), email: 'ada@example.com' };
  const membership = {
    id: randomUUID(),
    productType: 'community',
    isActive: true,
    validFrom: '2026-01-01T00:00:00.000Z',
    validUntil: null,
  };
  const change = { membership, user, communityId: randomUUID(), productId: null, externalOrderId: null };
  const payment = {
    paymentId: randomUUID(),
    user,
    communityId: randomUUID(),
    pricingPlanId: randomUUID(),
    externalId: null,
    utmSource: null,
  };
  return {
    'membership.created': change,
    'membership.updated': change,
    'payment.success': { ...payment, membershipId: membership.id },
    'payment.failed': { ...payment, reason: 'card_declined' },
    'digital.product.purchase': {
      product: { id: randomUUID(), name: 'The Brew Guide', slug: 'the-brew-guide', type: 'ebook' },
      membership: { ...membership, productType: 'digital_product' },
      user,
    },
  };
}

/** `part` over `whole`, field by field; undefined leaves a field as it is. */
function merge(whole: object, part: object): object {
  const merged: Record<string, unknown> = { ...whole };
  for (const [key, value] of Object.entries(part)) {
    if (value === undefined) continue;
    const below = merged[key];
    merged[key] = isPlainObject(below) && isPlainObject(value) ? merge(below, value) : value;
  }
  return merged;
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
