import { createHash } from 'node:crypto';
import type { WebhookHeaders } from '@latchkey/contract/constants';
import { comparableId, isError } from '@latchkey/contract/constants';
import { isUnusedPromise } from '../platform/errors.js';
import { WebhookVerificationError } from './signature.js';
import { isKnownType, type PayloadSchemas, parsePayload, type WebhookEvent } from './webhook-event.js';

/** Reads the event id in a body. See {@link WebhookOptions.eventIdOf}. */
export type EventIdReader = (body: unknown) => string | undefined;

export type HeaderReader = (name: string) => string | undefined;

export interface EventReader {
  readonly headers: WebhookHeaders;
  readonly eventIdOf: EventIdReader | undefined;
  readonly payload: PayloadSchemas | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a body after its signature was verified. Undefined if it's empty or not JSON. */
export function parseBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/**
 * Reads type and id from the headers, and compares them with the body's, if it has any. The signature covers only the
 * body: without the comparison, a replayed delivery with another id in its header would count as a new event.
 * @throws WebhookVerificationError `header_missing`, `header_malformed`, `headers_mismatch`, `event_id_unreadable`.
 */
export function readEvent(
  { body, raw, receivedAt }: Pick<WebhookEvent, 'body' | 'raw' | 'receivedAt'>,
  headerOf: HeaderReader,
  { headers, eventIdOf }: EventReader,
): WebhookEvent {
  const type = requireHeader(headers.eventType, headerOf);
  const id = requireHeader(headers.eventId, headerOf);
  // With the option, only the app decides what in the body is compared.
  const inBody =
    eventIdOf === undefined
      ? { type: eventTypeOf(body), id: eventIdIn(body, raw) }
      : { type: undefined, id: readBy(eventIdOf, body) };
  const differing = [
    ...(inBody.type === undefined || inBody.type === type ? [] : [headers.eventType]),
    ...(inBody.id === undefined || claimKeyOf(inBody.id) === claimKeyOf(id) ? [] : [headers.eventId]),
  ];
  // The body's spelling is signed. The header's can be altered, for example the case of a UUID.
  if (differing.length === 0) return { type, id: inBody.id ?? id, body, raw, receivedAt };
  throw new WebhookVerificationError(
    'headers_mismatch',
    `${differing.join(' and ')} and the signed body name different events. A delivery was replayed under another header, or the body has a form that this package misreads. In that case set the option eventIdOf, which returns the event id in the body, or undefined if it has none.`,
  );
}

/**
 * Parses the body of an event with the schema of its type.
 * @throws WebhookVerificationError `payload_unreadable`.
 */
export function withPayload(event: WebhookEvent, { payload }: Pick<EventReader, 'payload'>): WebhookEvent {
  const parsed = parsePayload(payload, event);
  if (parsed.kind === 'parsed') return { ...event, body: parsed.body };
  throw new WebhookVerificationError(
    'payload_unreadable',
    `The schema payload['${event.type}'] does not accept the body. ${parsed.problem} Correct the schema; the service delivers the event again.`,
  );
}

/** Returns the event type at a body's top level: one of the spec's five types. */
export function eventTypeOf(body: unknown): string | undefined {
  const fields = ['type', 'event', 'eventType', 'event_type'].map((name) => fieldOf(body, name));
  return fields.find(isKnownType);
}

/** Reads the event id of a body. An `id` without an event type next to it can belong to something else. */
function eventIdIn(body: unknown, raw: Buffer): string | undefined {
  const names = ['eventId', 'event_id', ...(eventTypeOf(body) === undefined ? [] : ['id'])];
  const name = names.find((each) => isId(fieldOf(body, each)));
  if (name === undefined) return undefined;
  const id = fieldOf(body, name);
  return typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : writtenNumber(raw, name);
}

const isId = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || Number.isInteger(value);

/** Returns a number at a body's top level as it's written: JavaScript rounds large ones. */
function writtenNumber(raw: Buffer, name: string): string | undefined {
  const written = new Map<unknown, string | undefined>();
  const keep = function (this: unknown, key: string, value: unknown, context?: { source?: string }) {
    if (key === name) written.set(this, context?.source);
    return value;
  };
  return written.get(JSON.parse(utf8.decode(raw), keep));
}

function readBy(reader: EventIdReader, body: unknown): string | undefined {
  const unreadable = (problem: string, cause?: unknown) =>
    new WebhookVerificationError('event_id_unreadable', `The option eventIdOf ${problem}.`, { cause });
  let id: unknown;
  try {
    id = reader(body);
  } catch (error) {
    const text = isError(error) ? (error.stack ?? error.message) : String(error);
    throw unreadable(`failed: ${text}`, error);
  }
  if (id === undefined || (typeof id === 'string' && id !== '')) return id;
  const hint = isUnusedPromise(id) ? ', and not a promise' : '';
  throw unreadable(`must return a string that is not empty, or undefined${hint}`);
}

function requireHeader(name: string, headerOf: HeaderReader): string {
  const value = headerOf(name);
  if (value === undefined || value === '') {
    throw new WebhookVerificationError('header_missing', `The ${name} header is missing.`);
  }
  // Repeated headers are joined by a comma and a space.
  if (!value.includes(', ')) return value;
  throw new WebhookVerificationError('header_malformed', `${name} was sent more than once.`);
}

/** Length of the longest id that event stores keep unchanged. PostgreSQL's indexes reject very long ones. */
const MAX_KEY_LENGTH = 200;

/** Returns the form in which ids are compared and stored. The case of UUIDs doesn't matter. */
export function claimKeyOf(id: string): string {
  if (id.length > MAX_KEY_LENGTH) return createHash('sha256').update(id).digest('hex');
  return comparableId(id);
}

/** Returns an own field, never the prototype's. */
function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? Reflect.get(body, name)
    : undefined;
}
