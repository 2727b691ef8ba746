import { type ReceivedWebhookEvent, webhookEnvelopeSchemas, webhookEventSchemas } from '@latchkey/contract';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@latchkey/contract/constants';
import { WebhookVerificationError } from './webhook-verification-error.js';

/** What every event has. Of a type that is newer than this package nobody has read more. */
export interface UnknownWebhookEvent {
  id: string;
  type: string;
  /** ISO-8601. */
  createdAt: string;
  data: Record<string, unknown>;
  [field: string]: unknown;
}

/** One of the five event types, as a delivery tells it; fields that are newer than this package pass through. */
export type WebhookEventOf<Type extends WebhookEventType> = Extract<KnownWebhookEvent, { type: Type }>;

/** One of the five events, told apart by `type`. */
export type KnownWebhookEvent = ReceivedWebhookEvent;

/**
 * What a delivery tells: {@link isKnownWebhookEvent} tells the two apart. Events can come more than once and in any order:
 * what a visitor may see now is for the service to say, an event only that it has changed.
 */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;

/** True for the five event types; after it, comparing `type` narrows to one of them. */
export function isKnownWebhookEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return isKnownType(event.type);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the JSON of a body whose signature has been verified.
 * @throws WebhookVerificationError `body_unreadable`.
 */
export function readEnvelope(body: Uint8Array | string): UnknownWebhookEvent {
  let json: unknown;
  try {
    json = JSON.parse(typeof body === 'string' ? body : utf8.decode(body));
  } catch (cause) {
    throw new WebhookVerificationError('body_unreadable', 'The signed body is not JSON.', { cause });
  }
  const envelope = webhookEnvelopeSchemas.loose.safeParse(json);
  if (envelope.success) return envelope.data;
  throw new WebhookVerificationError(
    'body_unreadable',
    `The signed body is not an event { id, type, createdAt, data }; it is wrong at ${placesOf(envelope.error)}.`,
  );
}

/**
 * Reads what an event tells by its type; a type that is not known passes unread.
 * @throws WebhookVerificationError `event_unreadable`.
 */
export function readEvent(envelope: UnknownWebhookEvent): WebhookEvent {
  if (!isKnownType(envelope.type)) return envelope;
  const event = webhookEventSchemas[envelope.type].loose.safeParse(envelope);
  if (event.success) return event.data;
  throw new WebhookVerificationError(
    'event_unreadable',
    `An event ${envelope.type} cannot be read at ${placesOf(event.error)}: does the service speak a newer version than this package?`,
  );
}

/** Whose memberships an event may have changed. */
export function userOf({ data }: UnknownWebhookEvent): string | undefined {
  const { user } = data;
  const sub = typeof user === 'object' && user !== null ? Reflect.get(user, 'sub') : undefined;
  return typeof sub === 'string' ? sub : undefined;
}

export function isKnownType(type: string): type is WebhookEventType {
  return WEBHOOK_EVENT_TYPES.some((each) => each === type);
}

/** Paths of fields, without what they hold. */
function placesOf({ issues }: { issues: readonly { path: readonly PropertyKey[] }[] }): string {
  return issues.map(({ path }) => path.map(String).join('.') || 'its top level').join(', ');
}
