import type { KeyObject } from 'node:crypto';
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_RESPONSE_TIMEOUT_SECONDS,
  type WebhookEventType,
} from '@latchkey/contract/constants';
import { type Clock, systemClock } from '../platform/clock.js';
import { consoleLogger, type Logger, safeLogger } from '../platform/logger.js';
import { LatchkeyOptionsError, type OptionProblem } from '../platform/options-error.js';
import type { WebhookEventStore } from './event-stores/event-store.js';
import { memoryEventStore } from './event-stores/memory-event-store.js';
import { signingKeys } from './signature.js';
import { isKnownType, type WebhookEvent, type WebhookEventOf } from './webhook-event.js';
import { readSecrets } from './webhook-secret.js';

/** Second parameter of a handler. */
export interface WebhookContext {
  /** Aborts when the time limit for the response is over. Pass it to `fetch` and similar calls. */
  readonly signal: AbortSignal;
  /** The signed bytes. */
  readonly rawBody: Buffer;
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
  /** Signing secret of the webhook: 64 hex characters. Set either this or `secrets`. */
  secret?: string | undefined;
  /** Several signing secrets, all accepted: the old one and the new one during a rotation. */
  secrets?: readonly string[] | undefined;
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

/** Validated options with defaults. */
export interface WebhookSettings {
  keys: readonly KeyObject[];
  /** Returns the handler of an event type, or undefined if there is none. */
  handlerOf(type: string): WebhookHandler<never> | undefined;
  store: WebhookEventStore;
  timeoutMs: number;
  leaseMs: number;
  keepMs: number;
  maxBodyBytes: number;
  clock: Clock;
  logger: Logger;
}

const DAY_SECONDS = 24 * 3600;
const SENDER_TIMEOUT_MS = WEBHOOK_RESPONSE_TIMEOUT_SECONDS * 1000;

/** Names of all options. */
export const WEBHOOK_OPTION_NAMES: Record<keyof WebhookOptions, true> = {
  secret: true,
  secrets: true,
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

/**
 * Checks the options and fills in the defaults.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function readWebhookOptions(options: WebhookOptions): WebhookSettings {
  const {
    timeoutMs = 8_000,
    leaseSeconds = 60,
    keepSeconds = 30 * DAY_SECONDS,
    maxBodyBytes = 262_144,
  } = options;
  const read = readSecrets(options);
  const store = options.store ?? (process.env.NODE_ENV === 'production' ? undefined : 'memory');
  const problems: OptionProblem[] = [
    ...(read.kind === 'invalid' ? read.problems : []),
    ...problemsOfNames(options),
    ...problemsOfHandlers(options),
    ...problemsOfStore(store),
    ...problemsOfNumbers({ timeoutMs, leaseSeconds, keepSeconds, maxBodyBytes }),
  ];
  if (problems.length > 0 || read.kind === 'invalid' || store === undefined)
    throw new LatchkeyOptionsError(problems);
  const { on = {}, other, clock = systemClock } = options;
  return {
    keys: signingKeys(read.secrets),
    handlerOf: (type) => (isKnownType(type) ? on[type] : undefined) ?? other,
    store: store === 'memory' ? memoryEventStore(clock) : store,
    timeoutMs,
    leaseMs: leaseSeconds * 1000,
    keepMs: keepSeconds * 1000,
    maxBodyBytes,
    clock,
    logger: safeLogger(options.logger ?? consoleLogger),
  };
}

function problemsOfNames(options: WebhookOptions): OptionProblem[] {
  return Object.keys(options)
    .filter((name) => !Object.hasOwn(WEBHOOK_OPTION_NAMES, name))
    .map((option) => ({ option, message: 'is not an option of webhooks(). Check the spelling.' }));
}

function problemsOfHandlers({ on = {}, other }: WebhookOptions): OptionProblem[] {
  const problems = Object.entries(on).flatMap(([type, handler]) => {
    if (!isKnownType(type)) {
      return [
        {
          option: `on.${type}`,
          message: `is not a known event type. The types are ${WEBHOOK_EVENT_TYPES.join(', ')}. Use other for newer ones.`,
        },
      ];
    }
    if (handler === undefined || typeof handler === 'function') return [];
    return [{ option: `on.${type}`, message: 'must be a function (event, context).' }];
  });
  if (other !== undefined && typeof other !== 'function') {
    problems.push({ option: 'other', message: 'must be a function (event, context).' });
  }
  return problems;
}

function problemsOfStore(store: unknown): OptionProblem[] {
  if (store === undefined) {
    return [
      {
        option: 'store',
        message:
          "is required if NODE_ENV is production: redisEventStore(client) or postgresEventStore(pool), shared by all processes. Use 'memory' only for a single process that may handle an event again after a restart.",
      },
    ];
  }
  const methods = ['claim', 'complete', 'release'];
  const isStore =
    typeof store === 'object' &&
    store !== null &&
    methods.every((name) => typeof Reflect.get(store, name) === 'function');
  if (store === 'memory' || isStore) return [];
  return [
    {
      option: 'store',
      message: `must be 'memory' or have the methods ${methods.join(', ')}. Wrap a client in redisEventStore() or a pool in postgresEventStore().`,
    },
  ];
}

function problemsOfNumbers(
  numbers: Required<Pick<WebhookOptions, 'timeoutMs' | 'leaseSeconds' | 'keepSeconds' | 'maxBodyBytes'>>,
): OptionProblem[] {
  const problems = Object.entries(numbers).flatMap(([option, value]) =>
    typeof value === 'number' && Number.isFinite(value) && value > 0
      ? []
      : [{ option, message: 'must be a number above 0.' }],
  );
  if (problems.length > 0) return problems;
  const { timeoutMs, leaseSeconds, keepSeconds } = numbers as Record<keyof typeof numbers, number>;
  if (timeoutMs >= SENDER_TIMEOUT_MS) {
    problems.push({
      option: 'timeoutMs',
      message: `must be below ${SENDER_TIMEOUT_MS}, because the service waits no longer for a response.`,
    });
  }
  if (leaseSeconds * 1000 <= timeoutMs) {
    problems.push({
      option: 'leaseSeconds',
      message: 'must be longer than timeoutMs, or two processes could handle the same event at once.',
    });
  }
  if (keepSeconds < leaseSeconds) {
    problems.push({ option: 'keepSeconds', message: 'must be at least leaseSeconds.' });
  }
  return problems;
}
