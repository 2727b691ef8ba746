import type { WebhookEventType } from '@latchkey/contract/constants';
import type { MembershipDirectory } from '../memberships/directory/membership-directory.js';
import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/logger.js';
import type { WebhookEventStore } from './event-stores/event-store.js';
import type { MembershipReader } from './read-membership.js';
import type { WebhookEvent, WebhookEventOf } from './webhook-event.js';
import type { SecretsById, WebhookSource } from './webhook-source.js';

/** Second parameter of a handler. */
export interface WebhookContext {
  /** Aborts when the time limit for the response is over. Pass it to `fetch` and similar calls. */
  readonly signal: AbortSignal;
  /** The signed bytes. */
  readonly rawBody: Buffer;
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

/** Handlers by event type. */
export type WebhookHandlers = {
  [Type in WebhookEventType]?: WebhookHandler<WebhookEventOf<Type>> | undefined;
};

/** Options of {@link webhooks}. They are checked when it is called. */
export interface WebhookOptions {
  /**
   * Signing secrets by the id of their community, each 64 hex characters. The secret decides whose event it is. A list
   * contains the old and the new secret during a rotation.
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
  /** Handlers by event type. Other types go to `other`. Without `other` they receive 200 and are dropped. */
  on?: WebhookHandlers | undefined;
  /** Handles events without a handler in `on`, including types that are newer than this package. */
  other?: WebhookHandler | undefined;
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
   * Clock of the memory store and of the log throttling.
   * @default The system clock.
   */
  clock?: Clock | undefined;
  /**
   * Receives the reasons for rejected and failed deliveries, each kind at most every ten seconds.
   * @default The console.
   */
  logger?: Logger | undefined;
}

/** Names of all options. */
export const WEBHOOK_OPTION_NAMES: Record<keyof WebhookOptions, true> = {
  communities: true,
  products: true,
  secret: true,
  secrets: true,
  directory: true,
  readMembership: true,
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
