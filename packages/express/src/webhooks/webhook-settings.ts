import {
  DAY_MS,
  DEFAULT_SERVICE_NAMES,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_RESPONSE_TIMEOUT_SECONDS,
  webhookHeadersOf,
} from '@latchkey/contract/constants';
import { type Clock, systemClock } from '../platform/clock.js';
import { LatchkeyOptionsError, type OptionProblem } from '../platform/errors.js';
import { consoleLogger, type Logger, safeLogger } from '../platform/log.js';
import type { MembershipDirectory, WebhookEventStore } from '../stores/kit-store.js';
import { memoryEventStore } from '../stores/memory.js';
import type { EventReader } from './read-event.js';
import type { MembershipReader } from './read-membership.js';
import { isKnownType, problemsOfPayload } from './webhook-event.js';
import { type AnyWebhookOptions, WEBHOOK_OPTION_NAMES, type WebhookHandler } from './webhook-options.js';
import { readKeys, readServiceNames, type SigningKey } from './webhook-secrets.js';

/** Validated options with defaults. */
export interface WebhookSettings extends EventReader {
  keys: readonly SigningKey[];
  directory: MembershipDirectory | undefined;
  readMembership: MembershipReader | undefined;
  /** Returns the handler of an event type, or undefined if there is none. */
  handlerOf(type: string): WebhookHandler<never> | undefined;
  /** True if some type has a handler. */
  hasHandlers: boolean;
  store: WebhookEventStore;
  timeoutMs: number;
  leaseMs: number;
  keepMs: number;
  maxBodyBytes: number;
  clock: Clock;
  logger: Logger;
}

const SENDER_TIMEOUT_MS = WEBHOOK_RESPONSE_TIMEOUT_SECONDS * 1000;

/**
 * Checks the options and fills in the defaults.
 * @param canBeSandbox False if the service is on another machine, so that it is no sandbox of a developer.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function readWebhookOptions(
  options: AnyWebhookOptions,
  { canBeSandbox = true }: { canBeSandbox?: boolean } = {},
): WebhookSettings {
  const {
    timeoutMs = 8_000,
    leaseSeconds = 60,
    keepSeconds = (30 * DAY_MS) / 1000,
    maxBodyBytes = 262_144,
  } = options;
  const service = readServiceNames(options.serviceNames);
  const names = service.kind === 'valid' ? service.names : DEFAULT_SERVICE_NAMES;
  const isProduction = process.env.NODE_ENV === 'production';
  const read = readKeys(options, { ...names, rejectsPublished: isProduction || !canBeSandbox });
  const { on = {}, other, clock = systemClock } = options;
  const hasHandlers = [...Object.values(on), other].some((handler) => handler !== undefined);
  // Without handlers the store is not used: the directory may record an event again.
  const store = options.store ?? (isProduction && hasHandlers ? undefined : 'memory');
  const problems: OptionProblem[] = [
    ...(read.kind === 'invalid' ? read.problems : []),
    ...problemsOfNames(options),
    ...(service.kind === 'invalid' ? service.problems : []),
    ...problemsOfPayload(options.payload),
    ...problemsOfDirectory(options),
    ...problemsOfHandlers(options),
    ...problemsOfStore(store),
    ...problemsOfNumbers({ timeoutMs, leaseSeconds, keepSeconds, maxBodyBytes }),
  ];
  if (problems.length > 0 || read.kind === 'invalid' || store === undefined)
    throw new LatchkeyOptionsError(problems);
  return {
    keys: read.keys,
    headers: webhookHeadersOf(names),
    payload: options.payload,
    eventIdOf: options.eventIdOf,
    directory: options.directory,
    readMembership: options.readMembership,
    handlerOf: (type) => (isKnownType(type) ? on[type] : undefined) ?? other,
    hasHandlers,
    store: store === 'memory' ? memoryEventStore(clock) : store,
    timeoutMs,
    leaseMs: leaseSeconds * 1000,
    keepMs: keepSeconds * 1000,
    maxBodyBytes,
    clock,
    logger: safeLogger(options.logger ?? consoleLogger),
  };
}

function problemsOfNames(options: AnyWebhookOptions): OptionProblem[] {
  return Object.keys(options)
    .filter((name) => !Object.hasOwn(WEBHOOK_OPTION_NAMES, name))
    .map((option) => ({ option, message: 'is not an option of webhooks(). Check the spelling.' }));
}

function problemsOfDirectory({
  directory,
  readMembership,
  ...secrets
}: Pick<
  AnyWebhookOptions,
  'directory' | 'readMembership' | 'secret' | 'secrets' | 'communities' | 'products'
>): OptionProblem[] {
  const problems: OptionProblem[] = [];
  if (readMembership !== undefined && typeof readMembership !== 'function') {
    problems.push({ option: 'readMembership', message: 'must be a function ({ type, body, source }).' });
  }
  if (directory === undefined) {
    if (readMembership !== undefined && problems.length === 0) {
      problems.push({ option: 'readMembership', message: 'has no effect without a directory.' });
    }
    return problems;
  }
  if (typeof Object(directory).record !== 'function') {
    problems.push({
      option: 'directory',
      message:
        'must be a membership directory: sqliteDirectory(file), postgresDirectory(pool) or redisDirectory(client).',
    });
  }
  if (secrets.communities !== undefined || secrets.products !== undefined) return problems;
  const option = secrets.secrets === undefined ? 'secret' : 'secrets';
  return [
    ...problems,
    {
      option,
      message:
        'does not say whose events it signs, so their memberships could not be recorded in the directory. Use communities: { [communityId]: secret } or products: { [productId]: secret }.',
    },
  ];
}

function problemsOfHandlers({ on = {}, other, eventIdOf }: AnyWebhookOptions): OptionProblem[] {
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
  if (eventIdOf !== undefined && typeof eventIdOf !== 'function') {
    problems.push({ option: 'eventIdOf', message: 'must be a function (body).' });
  }
  return problems;
}

function problemsOfStore(store: unknown): OptionProblem[] {
  if (store === undefined) {
    return [
      {
        option: 'store',
        message:
          "is required by handlers if NODE_ENV is production: redisEventStore(client) or postgresEventStore(pool), shared by all processes. Use 'memory' only for a single process that may handle an event again after a restart.",
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
  numbers: Required<Pick<AnyWebhookOptions, 'timeoutMs' | 'leaseSeconds' | 'keepSeconds' | 'maxBodyBytes'>>,
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
