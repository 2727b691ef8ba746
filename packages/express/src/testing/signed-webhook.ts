import { createHmac, randomUUID } from 'node:crypto';
import { type WebhookEvent as EmittedEvent, webhookEventSchemas } from '@latchkey/contract';
import {
  type ServiceNamesOption,
  type WebhookEventType,
  webhookHeadersOf,
} from '@latchkey/contract/constants';
import { type Clock, systemClock } from '../platform/clock.js';
import { readReporting } from '../platform/errors.js';
import { readServiceNames, secretReaders } from '../webhooks/webhook-secrets.js';
import { forbidInProduction } from './manual-clock.js';

/** An event to send. Use a custom `type` to test how your app handles unknown events. */
export interface SignableEvent {
  type: string;
  /** @default a new UUID */
  id?: string;
  /**
   * ISO 8601.
   * @default the clock's current time
   */
  createdAt?: string;
  data?: object;
  /**
   * Replaces the envelope `{ id, type, createdAt, data }` of the reference server. A string is sent unchanged, undefined as
   * an empty body, and any other value as JSON.
   * @default the envelope
   */
  body?: unknown;
}

/** A delivery as the service sends it. Works with `fetch(url, signed)` and any client that accepts body and headers. */
export interface SignedWebhook {
  method: 'POST';
  headers: Record<string, string>;
  /** Send it unchanged: the signature covers these bytes. */
  body: string;
}

export interface SignWebhookOptions {
  /** The signing secret of your app: 64 hex characters. */
  secret: string;
  /**
   * Encoding of the signature. `webhooks()` accepts all of them. The reference server uses `hex`.
   * @default 'hex'
   */
  encoding?: 'hex' | 'base64' | 'base64url';
  /**
   * Whether to put `sha256=` before the signature.
   * @default false
   */
  prefix?: boolean;
  /**
   * The service's names, for its header prefix. Pass the same as to `latchkey({ serviceNames })`.
   * @default the spec's names
   */
  serviceNames?: ServiceNamesOption;
  /**
   * Clock for `createdAt`. Pass the same as to `latchkey({ clock })`.
   * @default the system clock
   */
  clock?: Clock;
}

/**
 * Signs an event like the service.
 * @throws LatchkeyOptionsError for an invalid secret or name.
 * @example await fetch(url, signWebhook(event, { secret }));
 * @example signWebhook({ type: 'payment.success', body: { paid: 900 } }, { secret, encoding: 'base64', prefix: true });
 */
export function signWebhook(
  event: SignableEvent,
  { secret, encoding = 'hex', prefix = false, serviceNames, clock = systemClock }: SignWebhookOptions,
): SignedWebhook {
  forbidInProduction('signWebhook');
  const names = readReporting((report) => {
    const read = readServiceNames(serviceNames, report);
    secretReaders(read, report).readSecrets({ secret });
    return read;
  });
  const headers = webhookHeadersOf(names);
  const id = event.id ?? randomUUID();
  const body = bodyOf({ ...event, id }, clock);
  const signature = createHmac('sha256', secret).update(body).digest(encoding);
  return {
    method: 'POST',
    headers: {
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      [headers.signature.toLowerCase()]: `${prefix ? 'sha256=' : ''}${signature}`,
      [headers.eventType.toLowerCase()]: event.type,
      [headers.eventId.toLowerCase()]: id,
    },
    body,
  };
}

function bodyOf(event: SignableEvent & { id: string }, clock: Clock): string {
  if ('body' in event) {
    const { body } = event;
    return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  }
  const { id, type, createdAt = isoTime(clock), data = {}, ...rest } = event;
  return JSON.stringify({ id, type, createdAt, data, ...rest });
}

type EmittedOf<Type extends WebhookEventType> = Extract<EmittedEvent, { type: Type }>;

/** Recursive `Partial`. */
type PartOf<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Key in keyof Value]?: PartOf<Value[Key]> | undefined }
    : Value;

export interface ExampleEventOptions {
  /**
   * Clock for `createdAt`. Pass the same as to `latchkey({ clock })`.
   * @default the system clock
   */
  clock?: Clock;
}

const isoTime = (clock: Clock) => new Date(clock.now()).toISOString();

/**
 * Creates a complete event of a type, with example values in place of those that you don't pass.
 * @throws TypeError for a value that the service never sends, or a field that doesn't exist.
 * @example exampleEvent('membership.created', { user: { sub } });
 */
export function exampleEvent<const Type extends WebhookEventType>(
  type: Type,
  data?: PartOf<EmittedOf<Type>['data']>,
  { clock = systemClock }: ExampleEventOptions = {},
): EmittedOf<Type> {
  forbidInProduction('exampleEvent');
  const event = webhookEventSchemas[type].strict.safeParse({
    id: randomUUID(),
    type,
    createdAt: isoTime(clock),
    data: merge(exampleData()[type], data ?? {}),
  });
  // The type selected the schema. The table's type can't express that.
  if (event.success) return event.data as EmittedOf<Type>;
  const problems = event.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new TypeError(
    `exampleEvent('${type}') has values that the service never sends. ${problems.join('; ')}`,
  );
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
  const change = {
    membership,
    user,
    communityId: randomUUID(),
    productId: null,
    pricingPlanId: null,
    externalOrderId: null,
  };
  const payment = {
    paymentId: randomUUID(),
    user,
    communityId: randomUUID(),
    pricingPlanId: randomUUID(),
    amount: 900,
    currency: 'EUR',
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
      amount: 1_900,
      currency: 'EUR',
    },
  };
}

/** Merges `part` into `whole` recursively. Undefined leaves a field unchanged. */
function merge(whole: object, part: object): object {
  const merged: Record<string, unknown> = { ...whole };
  for (const [key, value] of Object.entries(part)) {
    if (value === undefined) continue;
    const current = merged[key];
    merged[key] = isPlainObject(current) && isPlainObject(value) ? merge(current, value) : value;
  }
  return merged;
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
