import { type ReceivedWebhookEvent, webhookEnvelopeSchemas, webhookEventSchemas } from '@latchkey/contract';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@latchkey/contract/constants';
import { WebhookVerificationError } from './webhook-verification-error.js';

/** Event of a type that is newer than this package. Only the common fields are validated. */
export interface UnknownWebhookEvent {
  id: string;
  type: string;
  /** ISO-8601. */
  createdAt: string;
  data: Record<string, unknown>;
  [field: string]: unknown;
}

/** Event of a known type. Fields that are newer than this package are passed through. */
export type WebhookEventOf<Type extends WebhookEventType> = Extract<KnownWebhookEvent, { type: Type }>;

/** Event of any known type, discriminated by `type`. */
export type KnownWebhookEvent = ReceivedWebhookEvent;

/**
 * Any event; {@link isKnownWebhookEvent} distinguishes the two types. Events can be delivered several times and in any
 * order. An event only reports that something has changed: query the service for the current state.
 */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;

/** True for a known event type. Comparing `type` then narrows the event. */
export function isKnownWebhookEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return isKnownType(event.type);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body whose signature has been verified.
 * @throws WebhookVerificationError `body_unreadable`.
 */
export function parseBody(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : utf8.decode(body));
  } catch (cause) {
    throw new WebhookVerificationError('body_unreadable', 'The signed body is not JSON.', { cause });
  }
}

/**
 * Reads the common fields of a body.
 * @throws WebhookVerificationError `body_unreadable`.
 */
export function readEnvelope(body: unknown): UnknownWebhookEvent {
  const envelope = webhookEnvelopeSchemas.loose.safeParse(body);
  if (envelope.success) return envelope.data;
  throw new WebhookVerificationError(
    'body_unreadable',
    `The signed body is not an event { id, type, createdAt, data }. Invalid: ${pathsOf(envelope.error)}.`,
  );
}

/**
 * Validates an event by its type. An event of an unknown type is returned unchanged.
 * @throws WebhookVerificationError `event_unreadable`.
 */
export function readEvent(envelope: UnknownWebhookEvent): WebhookEvent {
  if (!isKnownType(envelope.type)) return envelope;
  const event = webhookEventSchemas[envelope.type].loose.safeParse(envelope);
  if (event.success) return event.data;
  throw new WebhookVerificationError(
    'event_unreadable',
    `An event of type ${envelope.type} cannot be parsed. Invalid: ${pathsOf(event.error)}. The service may use a newer version than this package.`,
  );
}

/** Returns the id of the user whose memberships a delivery may have changed, from `data.user.sub` of its body. */
export function userOf(body: unknown): string | undefined {
  let value = body;
  for (const name of ['data', 'user', 'sub']) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return typeof value === 'string' ? value : undefined;
}

export function isKnownType(type: string): type is WebhookEventType {
  return WEBHOOK_EVENT_TYPES.some((each) => each === type);
}

/** Lists the paths of invalid fields, without their values. */
function pathsOf({ issues }: { issues: readonly { path: readonly PropertyKey[] }[] }): string {
  return issues.map(({ path }) => path.map(String).join('.') || 'the top level').join(', ');
}
