import type { WebhookEventType } from '@latchkey/contract/constants';
import { isKnownType } from './event-type.js';
import type { NoPayload, PayloadOf } from './payload-schema.js';
import type { ReferencePayload } from './reference-payload.js';

/**
 * A verified event. Events can be delivered several times and in any order. An event only reports that something has
 * changed: query the service for the current state.
 */
export interface WebhookEvent<Type extends string = string, Body = unknown> {
  /** Event type of the header. It can be newer than this package. The signature does not cover it. */
  readonly type: Type;
  /**
   * Event id, the same for all deliveries of the event: that of the body if it carries one, which equals the header. The
   * signature does not cover an id that only the header carries.
   */
  readonly id: string;
  /**
   * The parsed JSON of the signed bytes, parsed further by the option `payload` if it has a schema for the type. Undefined
   * if the body is empty or not JSON.
   */
  readonly body: Body;
  /** The signed bytes. */
  readonly raw: Buffer;
  /** Time of the delivery, in milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** Event of one type, with the body that the schemas of the option `payload` describe. */
export type WebhookEventOf<Type extends WebhookEventType, Payload = ReferencePayload> = WebhookEvent<
  Type,
  PayloadOf<Payload, Type>
>;

/** Event of the types that the spec names, discriminated by `type`. */
export type KnownWebhookEvent<Payload = ReferencePayload> = {
  [Type in WebhookEventType]: WebhookEventOf<Type, Payload>;
}[WebhookEventType];

/** Event of any type. {@link isKnownWebhookEvent} distinguishes known and newer types. */
export type AnyWebhookEvent<Payload = NoPayload> = KnownWebhookEvent<Payload> | WebhookEvent;

/** The members of a union of events whose type is known. All known types for an event without a union. */
type KnownPart<Event> = [KnownMember<Event>] extends [never]
  ? WebhookEvent<WebhookEventType>
  : KnownMember<Event>;
type KnownMember<Event> = Event extends WebhookEvent<WebhookEventType> ? Event : never;

/** True for the event types of the spec. Comparing `type` then narrows the body. */
export function isKnownWebhookEvent<Event extends WebhookEvent>(
  event: Event,
): event is Event & KnownPart<Event> {
  return isKnownType(event.type);
}
