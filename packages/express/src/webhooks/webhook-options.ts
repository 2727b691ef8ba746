import type { ServiceNamesOption, WebhookEventType } from '@latchkey/contract/constants';
import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/log.js';
import type { MembershipDirectory, WebhookEventStore } from '../stores/kit-store.js';
import type { EventIdReader } from './read-event.js';
import type { MembershipReader } from './read-membership.js';
import type {
  AnyWebhookEvent,
  NoPayload,
  PayloadSchemas,
  WebhookEvent,
  WebhookEventOf,
} from './webhook-event.js';
import type { SecretsById, WebhookSource } from './webhook-secrets.js';

/** Second parameter of a handler. */
export interface WebhookContext {
  /** Aborts when the time limit for the response is over. Pass it to `fetch` and similar calls. */
  readonly signal: AbortSignal;
  /** Community or product whose secret signed the event. Undefined with the options `secret` and `secrets`. */
  readonly source: WebhookSource | undefined;
}

/**
 * Handles one event. If it succeeds, the event is done and the response is 200. If it fails, the service delivers the
 * event again. Move long work to a queue (README, "Long work").
 */
export type WebhookHandler<Event extends WebhookEvent = WebhookEvent> = (
  event: Event,
  context: WebhookContext,
) => unknown;

/** Handlers by event type. `Payload` is the type of the option `payload`. */
export type WebhookHandlers<Payload = NoPayload> = {
  [Type in WebhookEventType]?: WebhookHandler<WebhookEventOf<Type, Payload>> | undefined;
};

/** Options of {@link webhooks}. They are checked when it is called. */
export interface WebhookOptions<Payload extends PayloadSchemas = NoPayload> {
  /**
   * Signing secrets by the id of their community, each 64 hex characters. The secret decides whose event it is. An event that
   * names another community or product is neither recorded nor handled (README, "Events of another source"). A list contains
   * the old and the new secret during a rotation.
   */
  communities?: SecretsById | undefined;
  /** Signing secrets by the id of their product. */
  products?: SecretsById | undefined;
  /**
   * Signing secret of the webhook, without its community or product. Cannot be combined with a directory. Set exactly one
   * of `secret`, `secrets`, and `communities` with `products`.
   */
  secret?: string | undefined;
  /** Several signing secrets, all accepted: the old one and the new one during a rotation. */
  secrets?: readonly string[] | undefined;
  /**
   * Directory in which the membership of each verified event is recorded, with the community or product of its secret.
   * @default The directory of `latchkey()`, for `auth.webhooks()`.
   */
  directory?: MembershipDirectory | undefined;
  /**
   * Replaces the default reader of the membership id. Called with the verified body, whose parts can be text of buyers:
   * read fixed places only. The reader decides alone, so a body that names another community is not rejected.
   */
  readMembership?: MembershipReader | undefined;
  /**
   * Schemas of the bodies by event type: `referencePayload` for the reference server, or your own with zod or another
   * library of Standard Schema. They type `on`. A body that its schema does not accept is logged, and delivered again.
   * @default Bodies are not checked, and have the type `unknown`.
   */
  payload?: Payload | undefined;
  /**
   * Replaces the default reader of the event id in the body. It returns undefined if the body carries none. An id that
   * differs from the header is rejected. The event type in the body is then not compared.
   * @default Reads `eventId` or `event_id`, or `id` beside one of the five event types, at the top level.
   */
  eventIdOf?: EventIdReader | undefined;
  /**
   * Names of the service, of which `headerPrefix` is used: `{ headerPrefix: 'X-Acme-' }`.
   * @default Those of `latchkey()` for `auth.webhooks()`. Otherwise those of the spec.
   */
  serviceNames?: ServiceNamesOption | undefined;
  /** Handlers by event type. Other types go to `other`. Without `other` they receive 200 and are dropped. */
  on?: WebhookHandlers<NoInfer<Payload>> | undefined;
  /** Handles events without a handler in `on`, including types that are newer than this package. */
  other?: WebhookHandler<AnyWebhookEvent<NoInfer<Payload>>> | undefined;
  /**
   * Store for the ids of handled events: `redisEventStore(client)`, `postgresEventStore(pool)` or your own. `'memory'`
   * keeps them in this process. Required if `NODE_ENV` is `production`.
   * @default 'memory'
   */
  store?: WebhookEventStore | 'memory' | undefined;
  /**
   * Time limit for the response, in milliseconds. Must be below 10 000, when the service gives up.
   * @default 8000
   */
  timeoutMs?: number | undefined;
  /**
   * Time after which a claim expires, in seconds. Its process is then considered dead. Must exceed the duration of every
   * handler.
   * @default 60
   */
  leaseSeconds?: number | undefined;
  /**
   * Time for which the id of a handled event is kept, in seconds. The service can redeliver for 30 days.
   * @default 2592000 (30 days)
   */
  keepSeconds?: number | undefined;
  /**
   * Maximum size of a body in bytes. Larger bodies receive 413.
   * @default 262144
   */
  maxBodyBytes?: number | undefined;
  /**
   * Clock of `receivedAt`, of the memory store and of the log throttling.
   * @default The system clock.
   */
  clock?: Clock | undefined;
  /**
   * Receives the reasons for rejected and failed deliveries, each kind at most every ten seconds.
   * @default The console.
   */
  logger?: Logger | undefined;
}

/** Options with any schemas, and so with handlers of any events. */
export type AnyWebhookOptions = Omit<WebhookOptions, 'payload' | 'on' | 'other'> & {
  payload?: PayloadSchemas | undefined;
  on?: { [Type in WebhookEventType]?: WebhookHandler<never> | undefined } | undefined;
  other?: WebhookHandler<never> | undefined;
};

export const WEBHOOK_OPTION_NAMES: Record<keyof WebhookOptions, true> = {
  communities: true,
  products: true,
  secret: true,
  secrets: true,
  directory: true,
  readMembership: true,
  payload: true,
  eventIdOf: true,
  serviceNames: true,
  on: true,
  other: true,
  store: true,
  timeoutMs: true,
  leaseSeconds: true,
  keepSeconds: true,
  maxBodyBytes: true,
  clock: true,
  logger: true,
};
