import {
  DAY_MS,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_RESPONSE_TIMEOUT_SECONDS,
  webhookHeadersOf,
} from '@latchkey/contract/constants';
import { z } from 'zod';
import { systemClock } from '../platform/clock.js';
import { hasMethods, LatchkeyOptionsError, type OptionProblem, problemsOfIssue } from '../platform/errors.js';
import { createLog } from '../platform/log.js';
import { memoryEventStore } from '../stores/memory.js';
import { checkPayload, isKnownType } from './webhook-event.js';
import type { AnyWebhookOptions, WebhookOptions } from './webhook-options.js';
import { readServiceNames, secretReaders } from './webhook-secrets.js';

export type WebhookSettings = ReturnType<typeof readWebhookOptions>;

const SENDER_TIMEOUT_MS = WEBHOOK_RESPONSE_TIMEOUT_SECONDS * 1000;

const aboveZero = z
  .number({ error: 'must be a number above 0.' })
  .positive({ error: 'must be a number above 0.' });
const aFunction = (parameters: string) =>
  z.custom((value) => typeof value === 'function', { error: `must be a function ${parameters}.` }).optional();
const withMethods = (methods: readonly string[], error: string) =>
  z.custom((value) => hasMethods(value, methods), { error }).optional();
const anything = z.unknown().optional();
const handler = aFunction('(event, context)');

/** Checks each option by itself, except those about secrets, names and payloads, which have readers of their own. */
export const webhookOptionsSchema = z.strictObject({
  communities: anything,
  products: anything,
  secret: anything,
  secrets: anything,
  payload: anything,
  serviceNames: anything,
  directory: withMethods(
    ['record'],
    'must be a membership directory: sqliteDirectory(file), postgresDirectory(pool) or redisDirectory(client).',
  ),
  readMembership: aFunction('({ type, body, source })'),
  eventIdOf: aFunction('(body)'),
  on: z.strictObject(Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, handler]))).optional(),
  other: handler,
  store: z.union([z.literal('memory'), withMethods(['claim', 'complete', 'release'], '')], {
    error:
      "must be 'memory' or have the methods claim, complete, release. Wrap a client in redisEventStore() or a pool in postgresEventStore().",
  }),
  timeoutMs: aboveZero
    .lt(SENDER_TIMEOUT_MS, {
      error: `must be below ${SENDER_TIMEOUT_MS}, because the service waits no longer for a response.`,
    })
    .default(8_000),
  leaseSeconds: aboveZero.default(60),
  keepSeconds: aboveZero.default((30 * DAY_MS) / 1000),
  maxBodyBytes: aboveZero.default(262_144),
  clock: withMethods(['now'], 'must have a method now() that returns milliseconds.'),
  logger: withMethods(['warn', 'error'], 'must have the methods warn and error.'),
} satisfies Record<keyof WebhookOptions, z.ZodType>);

/** The times are compared with each other even if another option is invalid. */
const timesSchema = z.object(
  webhookOptionsSchema.pick({ timeoutMs: true, leaseSeconds: true, keepSeconds: true }).shape,
);

const UNKNOWN_OPTION = 'is not an option of webhooks(). Check the spelling.';
const UNKNOWN_TYPE = `is not a known event type. The types are ${WEBHOOK_EVENT_TYPES.join(', ')}. Use other for newer ones.`;

/**
 * Checks the options and fills in the defaults.
 * @param canBeSandbox false if the service is on another machine, and so can't be a developer's sandbox.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function readWebhookOptions(
  options: AnyWebhookOptions,
  { canBeSandbox = true }: { canBeSandbox?: boolean } = {},
) {
  const { clock = systemClock, directory, eventIdOf, on = {}, other, payload, readMembership } = options;
  const isProduction = process.env.NODE_ENV === 'production';
  const hasHandlers = [...Object.values(on ?? {}), other].some((each) => each !== undefined);
  // Without handlers the store isn't used: the directory may record an event again.
  const store = options.store ?? (isProduction && hasHandlers ? undefined : 'memory');
  const problems: OptionProblem[] = [];
  const report = (option: string, message: string) => void problems.push({ option, message });
  const names = readServiceNames(options.serviceNames, report);
  const rejectsPublished = isProduction || !canBeSandbox;
  const keys = secretReaders({ ...names, rejectsPublished }, report).readKeys(options);
  checkPayload(payload, report);
  const parsed = webhookOptionsSchema.safeParse(options);
  for (const issue of parsed.error?.issues ?? [])
    problems.push(...problemsOfIssue(issue, issue.path.length === 0 ? UNKNOWN_OPTION : UNKNOWN_TYPE));
  // An option that is invalid by itself is reported once.
  const reported = new Set(problems.map(({ option }) => option));
  const between = problemsBetween(options, timesSchema.safeParse(options).data);
  problems.push(...between.filter(({ option }) => !reported.has(option)));
  if (store === undefined) report('store', STORE_REQUIRED);
  if (!parsed.success || problems.length > 0) throw new LatchkeyOptionsError(problems);
  const { timeoutMs, leaseSeconds, keepSeconds, maxBodyBytes } = parsed.data;
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
    store: store === undefined || store === 'memory' ? memoryEventStore(clock) : store,
    timeoutMs,
    leaseMs: leaseSeconds * 1000,
    keepMs: keepSeconds * 1000,
    maxBodyBytes,
    clock,
    logger: createLog(options.logger),
  };
}

const STORE_REQUIRED =
  "is required by handlers if NODE_ENV is production: redisEventStore(client) or postgresEventStore(pool), shared by all processes. Use 'memory' only for a single process that may handle an event again after a restart.";

/** Returns what is wrong with options that are valid by themselves. `times` is undefined if one is invalid. */
function problemsBetween(
  { directory, readMembership, communities, products, secrets }: AnyWebhookOptions,
  times: z.infer<typeof timesSchema> | undefined,
): OptionProblem[] {
  const problems: OptionProblem[] = [];
  if (readMembership !== undefined && directory === undefined)
    problems.push({ option: 'readMembership', message: 'has no effect without a directory.' });
  if (directory !== undefined && communities === undefined && products === undefined)
    problems.push({
      option: secrets === undefined ? 'secret' : 'secrets',
      message:
        'does not say whose events it signs, so their memberships could not be recorded in the directory. Use communities: { [communityId]: secret } or products: { [productId]: secret }.',
    });
  if (times !== undefined && times.leaseSeconds * 1000 <= times.timeoutMs)
    problems.push({
      option: 'leaseSeconds',
      message: 'must be longer than timeoutMs, or two processes could handle the same event at once.',
    });
  if (times !== undefined && times.keepSeconds < times.leaseSeconds)
    problems.push({ option: 'keepSeconds', message: 'must be at least leaseSeconds.' });
  return problems;
}
