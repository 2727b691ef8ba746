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
  /** Aborts when the time for the response is over. Pass it to `fetch` and similar calls. */
  readonly signal: AbortSignal;
  /** Community or product with the secret that signed the event. Undefined with the options `secret` and `secrets`. */
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

/** Options of {@link webhooks}, which validates them when you call it. */
export interface WebhookOptions<Payload extends PayloadSchemas = NoPayload> {
  /**
   * Signing secrets by the id of their community, each 64 hex characters. The secret decides which community an event
   * belongs to; an event about another community or product is neither recorded nor handled (README, "Events of another
   * source"). While you rotate a secret, pass a list with the old and the new one.
   */
  communities?: SecretsById | undefined;
  /** Signing secrets by the id of their product, like `communities`. */
  products?: SecretsById | undefined;
  /**
   * Signing secret of the webhook, if you don't need its community or product. Can't be combined with a directory. Set
   * exactly one of `secret`, `secrets`, and `communities` with `products`.
   */
  secret?: string | undefined;
  /** Several signing secrets, all accepted: the old and the new one while you rotate. */
  secrets?: readonly (string | undefined)[] | undefined;
  /**
   * Directory in which the membership of each verified event is recorded, with its secret's community or product.
   * @default for `auth.webhooks()`, the directory of `latchkey()`
   */
  directory?: MembershipDirectory | undefined;
  /**
   * Reads the membership id, in place of the default reader. It gets the verified body; buyers can write parts of it,
   * so only read fixed places. Your reader alone decides: a body about another community isn't rejected.
   */
  readMembership?: MembershipReader | undefined;
  /**
   * Schemas of the bodies, by event type: `referencePayload` for the reference server, or your own from zod or another
   * Standard Schema library. They give the handlers in `on` their types. A body that its schema doesn't accept is
   * logged, and delivered again.
   * @default bodies aren't checked, and have the type `unknown`
   */
  payload?: Payload | undefined;
  /**
   * Reads the event id in the body, in place of the default reader. Return undefined if the body has none. An id that
   * differs from the header's is rejected. With this option, the event type in the body isn't compared.
   * @default reads `eventId` or `event_id`, or `id` next to one of the five event types, at the top level
   */
  eventIdOf?: EventIdReader | undefined;
  /**
   * The service's names, of which only `headerPrefix` is used: `{ headerPrefix: 'X-Acme-' }`.
   * @default for `auth.webhooks()`, the names of `latchkey()`, otherwise the spec's
   */
  serviceNames?: ServiceNamesOption | undefined;
  /** Handlers by event type. Other types go to `other`; without it, they receive 200 and are dropped. */
  on?: WebhookHandlers<NoInfer<Payload>> | undefined;
  /** Handles events without a handler in `on`, including types newer than this package. */
  other?: WebhookHandler<AnyWebhookEvent<NoInfer<Payload>>> | undefined;
  /**
   * Store for the ids of handled events: `redisEventStore(client)`, `postgresEventStore(pool)` or your own. `'memory'`
   * keeps them in this process. Required if `NODE_ENV` is `production`.
   * @default 'memory'
   */
  store?: WebhookEventStore | 'memory' | undefined;
  /**
   * Time limit for the response, in milliseconds. Must be below 10,000, since the service then gives up.
   * @default 8000
   */
  timeoutMs?: number | undefined;
  /**
   * How long a claim lasts, in seconds. After that, its process is assumed to be dead. Must be longer than every
   * handler takes.
   * @default 60
   */
  leaseSeconds?: number | undefined;
  /**
   * How long the id of a handled event is kept, in seconds. The service can redeliver for 30 days.
   * @default 2592000 (30 days)
   */
  keepSeconds?: number | undefined;
  /**
   * Maximum size of a body, in bytes. Larger bodies receive 413.
   * @default 262144
   */
  maxBodyBytes?: number | undefined;
  /**
   * Clock for `receivedAt`, the memory store and log throttling.
   * @default the system clock
   */
  clock?: Clock | undefined;
  /**
   * Receives the reasons for rejected and failed deliveries, each kind at most once every ten seconds.
   * @default the console
   */
  logger?: Logger | undefined;
}

/** Options with any schemas, and so with handlers for any events. */
export type AnyWebhookOptions = Omit<WebhookOptions, 'payload' | 'on' | 'other'> & {
  payload?: PayloadSchemas | undefined;
  on?: { [Type in WebhookEventType]?: WebhookHandler<never> | undefined } | undefined;
  other?: WebhookHandler<never> | undefined;
};
