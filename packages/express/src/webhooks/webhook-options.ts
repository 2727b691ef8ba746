import type { KeyObject } from 'node:crypto';
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_RESPONSE_TIMEOUT_SECONDS,
  type WebhookEventType,
} from '@latchkey/contract/constants';
import { type Clock, systemClock } from '../clock.js';
import { consoleLogger, type Logger, unfailing } from '../logger.js';
import { LatchkeyOptionsError, type OptionProblem } from '../options-error.js';
import type { WebhookEventStore } from './event-store.js';
import { memoryEventStore } from './memory-event-store.js';
import { signingKeys } from './signature.js';
import { isKnownType, type WebhookEvent, type WebhookEventOf } from './webhook-event.js';
import { readSecrets } from './webhook-secret.js';

/** What a handler gets beside the event. */
export interface WebhookContext {
  /** Aborts when the time to answer is over: give it to what the handler waits for. */
  readonly signal: AbortSignal;
  /** The body as it was signed. */
  readonly rawBody: Buffer;
}

/**
 * Handles one event. When it returns, the event is done and the sender hears 200; when it throws, the event is given back
 * and comes again. Do what is quick, and hand over to a queue what is not (README, "Long work").
 */
export type WebhookHandler<Event extends WebhookEvent = WebhookEvent> = (
  event: Event,
  context: WebhookContext,
) => unknown;

/** A handler for each event type that you care about. */
export type WebhookHandlers = {
  [Type in WebhookEventType]?: WebhookHandler<WebhookEventOf<Type>> | undefined;
};

/** Options of {@link webhooks}. Checked once, when it is called. */
export interface WebhookOptions {
  /** The webhook's signing secret, 64 hex characters. Either this or `secrets`. */
  secret?: string | undefined;
  /** Secrets that all verify: the old one and the new one while the secret is being replaced. */
  secrets?: readonly string[] | undefined;
  /** Handlers by event type. Types without one go to `other`; without that they are answered with 200 and dropped. */
  on?: WebhookHandlers | undefined;
  /** Handles every event that has no handler in `on`, and those whose type is newer than this package. */
  other?: WebhookHandler | undefined;
  /**
   * Where handled events are remembered: `redisEventStore(client)`, `postgresEventStore(pool)` or your own. `'memory'`
   * keeps them in this process, which is the default except when `NODE_ENV` is `production`.
   */
  store?: WebhookEventStore | 'memory' | undefined;
  /** Longest time until the answer, in milliseconds; below 10 000, when the sender gives up. Default 8 000. */
  timeoutMs?: number | undefined;
  /**
   * Seconds after which a claimed event may be claimed again, because the process that held it must have died. Longer
   * than any handler runs. Default 60.
   */
  leaseSeconds?: number | undefined;
  /** Seconds for which a handled event is remembered. Default 30 days, as long as the service can send it again. */
  keepSeconds?: number | undefined;
  /** Largest body in bytes; larger ones are answered with 413. Default 262 144. */
  maxBodyBytes?: number | undefined;
  /** Time of the memory store, and of repeated log lines. Default: the machine's clock. */
  clock?: Clock | undefined;
  /** Hears why a delivery was refused or failed; of the same refusal at most every ten seconds. Default: the console. */
  logger?: Logger | undefined;
}

/** The options after validation. */
export interface WebhookSettings {
  keys: readonly KeyObject[];
  /** The handler of an event type; undefined when nobody cares. */
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

/** Every option. */
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
 * @throws LatchkeyOptionsError that lists every option that cannot work, and the fix.
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
    ...('problems' in read ? read.problems : []),
    ...problemsOfNames(options),
    ...problemsOfHandlers(options),
    ...problemsOfStore(store),
    ...problemsOfNumbers({ timeoutMs, leaseSeconds, keepSeconds, maxBodyBytes }),
  ];
  if (problems.length > 0 || 'problems' in read || store === undefined)
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
    logger: unfailing(options.logger ?? consoleLogger),
  };
}

function problemsOfNames(options: WebhookOptions): OptionProblem[] {
  return Object.keys(options)
    .filter((name) => !Object.hasOwn(WEBHOOK_OPTION_NAMES, name))
    .map((option) => ({ option, message: 'is not an option of webhooks(); check the spelling.' }));
}

function problemsOfHandlers({ on = {}, other }: WebhookOptions): OptionProblem[] {
  const problems = Object.entries(on).flatMap(([type, handler]) => {
    if (!isKnownType(type)) {
      return [
        {
          option: `on.${type}`,
          message: `is not an event type. The types are ${WEBHOOK_EVENT_TYPES.join(', ')}; take a newer one with other.`,
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
          "is required when NODE_ENV is production: redisEventStore(client) or postgresEventStore(pool), shared by all processes. 'memory' is for a single process that may handle an event again after a restart.",
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
      message: `must be 'memory' or have the methods ${methods.join(', ')}: wrap a client with redisEventStore() or a pool with postgresEventStore().`,
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
      message: `must be below ${SENDER_TIMEOUT_MS}: the sender waits no longer for an answer.`,
    });
  }
  if (leaseSeconds * 1000 <= timeoutMs) {
    problems.push({
      option: 'leaseSeconds',
      message: 'must be longer than timeoutMs, or two processes handle the same event at once.',
    });
  }
  if (keepSeconds < leaseSeconds) {
    problems.push({ option: 'keepSeconds', message: 'must be at least leaseSeconds.' });
  }
  return problems;
}
