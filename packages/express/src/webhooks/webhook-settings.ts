import {
  DAY_MS,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_RESPONSE_TIMEOUT_SECONDS,
  webhookHeadersOf,
} from '@latchkey/contract/constants';
import { systemClock } from '../platform/clock.js';
import { hasMethods, type ReportProblem, readReporting } from '../platform/errors.js';
import { createLog } from '../platform/log.js';
import { memoryEventStore } from '../stores/memory.js';
import { checkPayload, isKnownType } from './webhook-event.js';
import { type AnyWebhookOptions, WEBHOOK_OPTION_NAMES } from './webhook-options.js';
import { readServiceNames, secretReaders } from './webhook-secrets.js';

export type WebhookSettings = ReturnType<typeof readWebhookOptions>;

const SENDER_TIMEOUT_MS = WEBHOOK_RESPONSE_TIMEOUT_SECONDS * 1000;

/**
 * Checks the options and fills in the defaults.
 * @param canBeSandbox false if the service is on another machine, and so can't be a developer's sandbox.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function readWebhookOptions(
  options: AnyWebhookOptions,
  { canBeSandbox = true }: { canBeSandbox?: boolean } = {},
) {
  const {
    timeoutMs = 8_000,
    leaseSeconds = 60,
    keepSeconds = (30 * DAY_MS) / 1000,
    maxBodyBytes = 262_144,
    on = {},
    other,
    clock = systemClock,
    directory,
    eventIdOf,
    payload,
    readMembership,
  } = options;
  const isProduction = process.env.NODE_ENV === 'production';
  const hasHandlers = [...Object.values(on), other].some((handler) => handler !== undefined);
  // Without handlers the store isn't used: the directory may record an event again.
  const store = options.store ?? (isProduction && hasHandlers ? undefined : 'memory');
  const { keys, names } = readReporting((report) => {
    const service = readServiceNames(options.serviceNames, report);
    const rejectsPublished = isProduction || !canBeSandbox;
    const read = secretReaders({ ...service, rejectsPublished }, report).readKeys(options);
    for (const option of Object.keys(options)) {
      if (!Object.hasOwn(WEBHOOK_OPTION_NAMES, option))
        report(option, 'is not an option of webhooks(). Check the spelling.');
    }
    checkPayload(payload, report);
    checkDirectory(options, report);
    checkHandlers(options, report);
    checkStore(store, report);
    checkNumbers({ timeoutMs, leaseSeconds, keepSeconds, maxBodyBytes }, report);
    return { keys: read, names: service };
  });
  return {
    keys,
    headers: webhookHeadersOf(names),
    payload,
    eventIdOf,
    directory,
    readMembership,
    /** Returns the handler of an event type, or undefined if there is none. */
    handlerOf: (type: string) => (isKnownType(type) ? on[type] : undefined) ?? other,
    hasHandlers,
    // Without a store, the options are invalid.
    store: store === undefined || store === 'memory' ? memoryEventStore(clock) : store,
    timeoutMs,
    leaseMs: leaseSeconds * 1000,
    keepMs: keepSeconds * 1000,
    maxBodyBytes,
    clock,
    logger: createLog(options.logger),
  };
}

function checkDirectory(
  { directory, readMembership, communities, products, secrets }: AnyWebhookOptions,
  report: ReportProblem,
): void {
  if (readMembership !== undefined && typeof readMembership !== 'function') {
    report('readMembership', 'must be a function ({ type, body, source }).');
  } else if (readMembership !== undefined && directory === undefined) {
    report('readMembership', 'has no effect without a directory.');
  }
  if (directory === undefined) return;
  if (typeof Object(directory).record !== 'function') {
    report(
      'directory',
      'must be a membership directory: sqliteDirectory(file), postgresDirectory(pool) or redisDirectory(client).',
    );
  }
  if (communities !== undefined || products !== undefined) return;
  report(
    secrets === undefined ? 'secret' : 'secrets',
    'does not say whose events it signs, so their memberships could not be recorded in the directory. Use communities: { [communityId]: secret } or products: { [productId]: secret }.',
  );
}

function checkHandlers({ on = {}, other, eventIdOf }: AnyWebhookOptions, report: ReportProblem): void {
  const mustBeFunction = (option: string, value: unknown, parameters: string) => {
    if (value !== undefined && typeof value !== 'function')
      report(option, `must be a function ${parameters}.`);
  };
  for (const [type, handler] of Object.entries(on)) {
    if (isKnownType(type)) mustBeFunction(`on.${type}`, handler, '(event, context)');
    else {
      report(
        `on.${type}`,
        `is not a known event type. The types are ${WEBHOOK_EVENT_TYPES.join(', ')}. Use other for newer ones.`,
      );
    }
  }
  mustBeFunction('other', other, '(event, context)');
  mustBeFunction('eventIdOf', eventIdOf, '(body)');
}

function checkStore(store: unknown, report: ReportProblem): void {
  if (store === undefined) {
    report(
      'store',
      "is required by handlers if NODE_ENV is production: redisEventStore(client) or postgresEventStore(pool), shared by all processes. Use 'memory' only for a single process that may handle an event again after a restart.",
    );
    return;
  }
  const methods = ['claim', 'complete', 'release'];
  if (store === 'memory' || hasMethods(store, methods)) return;
  report(
    'store',
    `must be 'memory' or have the methods ${methods.join(', ')}. Wrap a client in redisEventStore() or a pool in postgresEventStore().`,
  );
}

function checkNumbers(
  numbers: Record<'timeoutMs' | 'leaseSeconds' | 'keepSeconds' | 'maxBodyBytes', number>,
  report: ReportProblem,
): void {
  const invalid = Object.entries(numbers).filter(([, value]) => !(Number.isFinite(value) && value > 0));
  for (const [option] of invalid) report(option, 'must be a number above 0.');
  if (invalid.length > 0) return;
  const { timeoutMs, leaseSeconds, keepSeconds } = numbers;
  if (timeoutMs >= SENDER_TIMEOUT_MS) {
    report(
      'timeoutMs',
      `must be below ${SENDER_TIMEOUT_MS}, because the service waits no longer for a response.`,
    );
  }
  if (leaseSeconds * 1000 <= timeoutMs) {
    report(
      'leaseSeconds',
      'must be longer than timeoutMs, or two processes could handle the same event at once.',
    );
  }
  if (keepSeconds < leaseSeconds) report('keepSeconds', 'must be at least leaseSeconds.');
}
