import { endpointsOf, serviceNamesOption } from '@latchkey/contract';
import {
  docsUrl,
  isLoopback,
  type ServiceNames,
  type ServiceNamesOption,
  withServiceNames,
} from '@latchkey/contract/constants';
import * as z from 'zod';

/** Source of the current time. */
export interface Clock {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number;
}

const systemClock: Clock = { now: () => Date.now() };

/**
 * Receives the log entries of the client. They never contain the API key, a body or an identifier of a buyer; an
 * endpoint appears as its path template. You can pass `console`, or pino with a small adapter.
 */
export interface Logger {
  /** An event that the client handled: a retry, or a replaced `traceparent`. */
  warn(message: string, details: Readonly<Record<string, unknown>>): void;
  /** Every response: endpoint, status, attempt, duration. Optional. */
  debug?(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** Discards all entries. Failures are thrown, so no log is needed by default. */
const silentLogger: Logger = { warn: () => {} };

export interface ClientOptionProblem {
  /** Name of the option, for example `serviceUrl`. */
  readonly option: string;
  /** What is wrong and how to fix it. Never contains the API key. */
  readonly message: string;
}

const BRAND = Symbol.for('@latchkey/client.ClientOptionsError');

/** Error of `new LatchkeyClient()`. It lists every invalid option. */
export class ClientOptionsError extends Error {
  override readonly name = 'ClientOptionsError';
  readonly problems: readonly ClientOptionProblem[];
  /** URL of the entry in the documentation. Node.js prints it with an uncaught error. */
  readonly docs = docsUrl('troubleshooting', 'invalid_options');

  constructor(problems: readonly ClientOptionProblem[]) {
    super(problems.map(({ option, message }) => `${option}: ${message}`).join('\n'));
    this.problems = problems;
  }

  get [BRAND](): true {
    return true;
  }
}

/** True for a {@link ClientOptionsError}, even one that another copy of this package threw. */
export function isClientOptionsError(value: unknown): value is ClientOptionsError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** Options of `new LatchkeyClient()`. The constructor validates them. */
export interface ClientOptions {
  /**
   * Base URL of the service: https, or http on a loopback host (`localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`). It
   * can contain a path. The client sends requests to this address only, and follows no redirects.
   */
  serviceUrl: string;
  /** API key `svc_…`, from the service's developer area. Keep it on the server: never put it into a page or an app. */
  apiKey: string;
  /**
   * The service's own names for which the spec has placeholders: the prefix of API keys, and the messenger in paths and
   * in the field for its accounts. The arguments of the calls keep their names.
   * @default the spec's placeholders: `svc_`, `messenger`
   * @example { apiKeyPrefix: 'acme_', messenger: 'telegram' }
   */
  serviceNames?: ServiceNamesOption | undefined;
  /**
   * Maximum duration of an attempt, in milliseconds, including the response body.
   * @default 10_000
   */
  timeoutMs?: number | undefined;
  /**
   * Maximum number of retries, 0 to 10.
   * @default 2
   */
  maxRetries?: number | undefined;
  /**
   * Delay before the first retry, in milliseconds. It doubles with each retry.
   * @default 500
   */
  retryDelayMs?: number | undefined;
  /**
   * Maximum delay before a retry, in milliseconds.
   * @default 8000
   */
  maxRetryDelayMs?: number | undefined;
  /**
   * Sends the requests.
   * @default globalThis.fetch
   */
  fetch?: typeof fetch | undefined;
  /**
   * Source of the current time.
   * @default the system clock
   */
  clock?: Clock | undefined;
  /**
   * Waits before a retry. It should settle early when its signal is aborted.
   * @default a timer
   */
  sleep?: Sleep | undefined;
  /**
   * Returns a number from 0 up to but not including 1, for the jitter of the delays.
   * @default Math.random
   */
  random?: (() => number) | undefined;
  /**
   * Receives the log entries.
   * @default no log
   */
  logger?: Logger | undefined;
}

export type Settings = Readonly<ReturnType<typeof readOptions>>;

/** Maximum delay of a timer: 2^31-1 milliseconds, about 24 days. */
const TIMER_MAX_MS = 2_147_483_647;
const RETRIES_MAX = 10;

const serviceUrl = z
  .string({ error: 'is required: the base URL of the service, for example https://service.example.' })
  .transform((text, context) => {
    const problem = problemOfServiceUrl(text);
    if (problem === undefined) return new URL(text).href.replace(/\/+$/, '');
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });

/** Schema of the API key. Its messages contain the service's own prefix. */
function apiKeyOption(names: ServiceNames) {
  const missing = 'is required: svc_… from the developer area. Check that its environment variable is set.';
  return z.string({ error: withServiceNames(missing, names) }).superRefine((text, context) => {
    const problem = problemOfApiKey(text, names.apiKeyPrefix);
    if (problem !== undefined)
      context.addIssue({ code: 'custom', message: withServiceNames(problem, names) });
  });
}

export const millisecondsOption = z
  .number({ error: 'must be a number of milliseconds.' })
  .positive({ error: 'must be more than 0 milliseconds.' })
  .max(TIMER_MAX_MS, {
    error: `must be at most ${TIMER_MAX_MS} milliseconds, the maximum of a timer.`,
  });

export const retriesOption = z
  .int({ error: 'must be an integer.' })
  .min(0, { error: 'must be at least 0, which disables retries.' })
  .max(RETRIES_MAX, {
    error: `must be at most ${RETRIES_MAX}. More retries do not help a service that is down.`,
  });

const aFunction = (fix: string) => z.custom<never>((value) => typeof value === 'function', { error: fix });

const otherOptions = {
  serviceNames: serviceNamesOption,
  timeoutMs: millisecondsOption.default(10_000),
  maxRetries: retriesOption.default(2),
  retryDelayMs: millisecondsOption.default(500),
  maxRetryDelayMs: millisecondsOption.default(8000),
  fetch: aFunction('must be a function like the global fetch.').optional(),
  clock: z
    .custom<Clock>((value) => hasMethod(value, 'now'), {
      error: 'must have a method now() that returns milliseconds.',
    })
    .default(systemClock),
  sleep: aFunction('must be a function (ms, signal) that returns a promise.').optional(),
  random: aFunction('must be a function that returns a number from 0 to below 1.').optional(),
  logger: z
    .custom<Logger>((value) => hasMethod(value, 'warn'), { error: 'must have a method warn.' })
    .default(silentLogger),
};

/**
 * Validates the options and adds the defaults.
 *
 * @throws ClientOptionsError that lists every invalid option and its fix.
 */
export function readOptions(options: ClientOptions) {
  if (runsInBrowser()) {
    throw new ClientOptionsError([
      {
        option: 'apiKey',
        message:
          'must never be used in a browser, where every visitor can read it. Call the service from your server. For sign-in in a browser, use @latchkey/widget. Run tests in the environment "node" instead of a simulated browser.',
      },
    ]);
  }
  // The prefix of the key depends on the names. With invalid names, only they are reported.
  const names = serviceNamesOption.safeParse(options?.serviceNames).data;
  const apiKey = names === undefined ? z.unknown() : apiKeyOption(names);
  const parsed = z.strictObject({ serviceUrl, apiKey, ...otherOptions }).safeParse(options);
  if (!parsed.success) throw new ClientOptionsError(parsed.error.issues.flatMap(problemsOfIssue));
  const { retryDelayMs, maxRetryDelayMs } = parsed.data;
  if (retryDelayMs > maxRetryDelayMs) {
    throw new ClientOptionsError([
      {
        option: 'retryDelayMs',
        message: `must not exceed maxRetryDelayMs; got ${retryDelayMs} > ${maxRetryDelayMs}. Lower it, or raise maxRetryDelayMs.`,
      },
    ]);
  }
  return {
    ...parsed.data,
    apiKey: options.apiKey,
    endpoints: endpointsOf(parsed.data.serviceNames),
    // zod only checks that these are functions, so their types come from the options.
    fetch: options.fetch,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
  };
}

function problemOfServiceUrl(text: string): string | undefined {
  // The message leaves out the URL, which can contain credentials.
  if (!URL.canParse(text)) return 'must be an absolute URL, for example https://service.example.';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password.';
  if (url.search !== '' || url.hash !== '')
    return 'must not contain a query or fragment. Remove the text after the path.';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return 'must begin with https://, or http:// on a loopback address.';
  if (isLoopback(url)) return undefined;
  return `must be an https URL; got http on ${url.hostname}, which would send the API key unencrypted. Use https, or a loopback host such as localhost while developing.`;
}

/** Returns what is wrong with a key, with the spec's prefix. The result contains no part of the key. */
function problemOfApiKey(text: string, prefix: string): string | undefined {
  if (text === '') return 'is empty. Check that its environment variable is set.';
  if (/^\s|\s$/.test(text))
    return 'has leading or trailing white space, for example the line break at the end of a file. Trim it.';
  if (/^bearer/i.test(text)) return 'must be the key without "Bearer".';
  if (text.startsWith('ocs_') || text.startsWith('oac_'))
    return 'is a credential of an OAuth client. An API key begins with svc_. Create one in the developer area.';
  if (!text.startsWith(prefix)) return 'must begin with svc_. Copy it from the developer area.';
  if (!/^[\x21-\x7e]+$/.test(text.slice(prefix.length)))
    return 'must be svc_ followed by printable ASCII characters. Copy it from the developer area.';
  return undefined;
}

function problemsOfIssue(issue: z.core.$ZodIssue): ClientOptionProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      option: [...issue.path, key].map(String).join('.'),
      message: 'is not an option of LatchkeyClient. Check the spelling.',
    }));
  }
  const option = issue.path.map(String).join('.');
  return [{ option: option === '' ? 'options' : option, message: issue.message }];
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';
}

/** Globals that exist only in a browser's pages and workers, not in Node.js, Deno, Bun or hosted workers. */
interface BrowserGlobals {
  readonly window?: { readonly document?: unknown };
  readonly WorkerGlobalScope?: unknown;
  readonly importScripts?: unknown;
}

/**
 * True in a browser, even a simulated one (jsdom). An API key must never be in a browser (spec, "What the service
 * does", rule 4).
 */
function runsInBrowser(globals: BrowserGlobals = globalThis as BrowserGlobals): boolean {
  const isPage = globals.window?.document !== undefined;
  const isWorker = globals.WorkerGlobalScope !== undefined && typeof globals.importScripts === 'function';
  return isPage || isWorker;
}

/** Waits for a number of milliseconds. Settles early when the signal is aborted, whether it resolves or rejects. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<unknown>;

/** Waits with a timer. Rejects with the signal's reason when it is aborted. */
const sleep: Sleep = (ms, signal) =>
  unlessAborted(signal, (waitSignal) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    waitSignal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    return new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
  });

/**
 * Returns the result of the work, or rejects with the signal's reason as soon as the signal is aborted, even if the
 * work ignores it. The work gets a separate signal, so no listener stays on one that outlives it.
 */
export async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  work: (workSignal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const aborted = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
