import { type ReceivedWebhookEvent, webhookEventSchemas } from '@latchkey/contract';
import { isError, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@latchkey/contract/constants';
import type { ReportProblem } from '../platform/errors.js';

/** True for the spec's five event types. */
export function isKnownType(type: unknown): type is WebhookEventType {
  return WEBHOOK_EVENT_TYPES.some((each) => each === type);
}

/**
 * A verified event. Events can be delivered several times and in any order. An event only says that something has
 * changed: ask the service for the current state.
 */
export interface WebhookEvent<Type extends string = string, Body = unknown> {
  /** Event type from the header. It can be newer than this package. The signature doesn't cover it. */
  readonly type: Type;
  /**
   * Event id, the same for all deliveries of the event. It comes from the body if that has one, else from the header;
   * if both have one, they're equal. The signature doesn't cover an id that is only in the header.
   */
  readonly id: string;
  /**
   * The parsed JSON of the signed bytes, further parsed by the option `payload` if it has a schema for the type.
   * Undefined if the body is empty or not JSON.
   */
  readonly body: Body;
  /** The signed bytes. */
  readonly raw: Buffer;
  /** Time of the delivery, in milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** An event of one type, with the body that the schemas in the option `payload` describe. */
export type WebhookEventOf<Type extends WebhookEventType, Payload = ReferencePayload> = WebhookEvent<
  Type,
  PayloadOf<Payload, Type>
>;

/** An event of one of the spec's types, discriminated by `type`. */
export type KnownWebhookEvent<Payload = ReferencePayload> = {
  [Type in WebhookEventType]: WebhookEventOf<Type, Payload>;
}[WebhookEventType];

/** An event of any type. {@link isKnownWebhookEvent} tells known and newer types apart. */
export type AnyWebhookEvent<Payload = NoPayload> = KnownWebhookEvent<Payload> | WebhookEvent;

/** The members with a known type in a union of events. All known types for an event without a union. */
type KnownPart<Event> = [KnownMember<Event>] extends [never]
  ? WebhookEvent<WebhookEventType>
  : KnownMember<Event>;
type KnownMember<Event> = Event extends WebhookEvent<WebhookEventType> ? Event : never;

/** True for the spec's event types. Comparing `type` then narrows the body. */
export function isKnownWebhookEvent<Event extends WebhookEvent>(
  event: Event,
): event is Event & KnownPart<Event> {
  return isKnownType(event.type);
}

/**
 * A schema for a body, from any library that implements Standard Schema: zod, Valibot, ArkType and others. It must
 * validate synchronously.
 */
export interface PayloadSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => PayloadResult<Output> | Promise<PayloadResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** Result of a schema: the parsed value, or the issues. */
export type PayloadResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly PayloadIssue[] };

interface PayloadIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Schemas of bodies, by event type. */
export type PayloadSchemas = { readonly [Type in WebhookEventType]?: PayloadSchema | undefined };

/** No schema: every body has the type `unknown`. */
export type NoPayload = Record<never, never>;

/** Type of the body of an event: the output of its schema, or `unknown` without one. */
export type PayloadOf<Payload, Type extends WebhookEventType> = Payload extends {
  readonly [Each in Type]: PayloadSchema<infer Output>;
}
  ? Output
  : unknown;

/** Result of {@link parsePayload}. `problem` is for the log and contains no value of the body. */
type ParsedPayload = { kind: 'parsed'; body: unknown } | { kind: 'unreadable'; problem: string };

/** Parses a body with the schema of its event type. Without one, the body is returned unchanged. */
export function parsePayload(
  schemas: PayloadSchemas | undefined,
  { type, body }: { type: string; body: unknown },
): ParsedPayload {
  const schema = schemas !== undefined && isKnownType(type) ? schemas[type] : undefined;
  if (schema === undefined) return { kind: 'parsed', body };
  try {
    return resultOf(schema['~standard'].validate(body));
  } catch (error) {
    const text = isError(error) ? (error.stack ?? error.message) : String(error);
    return { kind: 'unreadable', problem: `It failed: ${text}` };
  }
}

function resultOf(result: ReturnType<PayloadSchema['~standard']['validate']>): ParsedPayload {
  if ('then' in result) {
    // The result isn't used, so a rejection must not end the process.
    result.then(undefined, () => {});
    return { kind: 'unreadable', problem: 'It is asynchronous. Use one that validates synchronously.' };
  }
  if (result.issues === undefined) return { kind: 'parsed', body: result.value };
  return { kind: 'unreadable', problem: `Invalid: ${result.issues.map(pathOf).join(', ')}.` };
}

function pathOf({ path = [] }: PayloadIssue): string {
  const names = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return names.join('.') || 'the top level';
}

export function checkPayload(payload: unknown, report: ReportProblem): void {
  if (payload === undefined) return;
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    report('payload', 'must be an object { [eventType]: schema }.');
    return;
  }
  for (const [type, schema] of Object.entries(payload)) {
    const option = `payload.${type}`;
    if (!isKnownType(type)) report(option, 'is not a known event type. Check the spelling.');
    else if (schema !== undefined && !isSchema(schema)) {
      report(option, 'must be a schema that implements Standard Schema, such as one of zod.');
    }
  }
}

/** Some libraries' schemas are functions. */
function isSchema(value: unknown): value is PayloadSchema {
  if (!['object', 'function'].includes(typeof value) || value === null) return false;
  const standard: unknown = Reflect.get(Object(value), '~standard');
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof Reflect.get(standard, 'validate') === 'function'
  );
}

/** Schemas of {@link referencePayload}. */
export type ReferencePayload = {
  readonly [Type in WebhookEventType]: PayloadSchema<Extract<ReceivedWebhookEvent, { type: Type }>>;
};

/**
 * Schemas of the bodies that the reference server sends: `{ id, type, createdAt, data }`. The spec shows no bodies
 * ("Events", 6), so other services have different ones. Unknown fields are passed through.
 * @example webhooks({ payload: referencePayload, on: { 'payment.success': ({ body }) => body.data.amount } });
 */
export const referencePayload: ReferencePayload = {
  'membership.created': webhookEventSchemas['membership.created'].loose,
  'membership.updated': webhookEventSchemas['membership.updated'].loose,
  'payment.success': webhookEventSchemas['payment.success'].loose,
  'payment.failed': webhookEventSchemas['payment.failed'].loose,
  'digital.product.purchase': webhookEventSchemas['digital.product.purchase'].loose,
};
