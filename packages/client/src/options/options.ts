import * as z from 'zod';
import { runsInBrowser } from './browser-guard.js';
import { type ClientOptionProblem, ClientOptionsError } from './client-options-error.js';
import { type Clock, systemClock } from './clock.js';
import { type Logger, silentLogger } from './logger.js';
import { type Sleep, sleep } from './sleep.js';

/** Options of `new LatchkeyClient()`. Checked once, when it is made. */
export interface ClientOptions {
  /**
   * Base URL of the service: https, or http on a loopback host (`localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`). A
   * path in front of the API is kept. Requests go nowhere else; redirects are not followed.
   */
  serviceUrl: string;
  /** `svc_…`, from the service's developer area. It stays on the server: in no page, no app, no log. */
  apiKey: string;
  /** Longest wait for one answer, in milliseconds, from sending the request to the end of its body. Default 10 000. */
  timeoutMs?: number | undefined;
  /** How often a request that may be repeated is sent again, 0 to 10. Default 2. */
  maxRetries?: number | undefined;
  /** Wait before the first repetition, in milliseconds; each further one waits twice as long. Default 500. */
  retryDelayMs?: number | undefined;
  /** Longest wait before a repetition, in milliseconds. Default 8000. */
  maxRetryDelayMs?: number | undefined;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Default: the machine's clock. */
  clock?: Clock | undefined;
  /** Waits before a repetition, and no longer than its signal lets it. Default: a timer. */
  sleep?: Sleep | undefined;
  /** A number from 0 to below 1, for the jitter of the waits. Default: `Math.random`. */
  random?: (() => number) | undefined;
  /** Default: silence. */
  logger?: Logger | undefined;
}

/** The options after validation, with defaults filled in. */
export interface Settings {
  /** Without a trailing slash. */
  readonly serviceUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  readonly maxRetryDelayMs: number;
  readonly fetch: typeof fetch | undefined;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly logger: Logger;
}

/** The longest time that a timer can hold: 2^31-1 milliseconds, about 24 days. */
const TIMER_MAX_MS = 2_147_483_647;
const RETRIES_MAX = 10;
const LOOPBACK_HOST = /^(127(\.\d{1,3}){3}|\[::1\]|(.+\.)?localhost)$/;

const serviceUrl = z
  .string({ error: 'is required: the base URL of the service, such as https://service.example.' })
  .transform((text, context) => {
    const problem = problemOfServiceUrl(text);
    if (problem === undefined) return new URL(text).href.replace(/\/+$/, '');
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });

const apiKey = z
  .string({ error: 'is required: svc_… from the developer area. Is its environment variable set?' })
  .superRefine((text, context) => {
    const problem = problemOfApiKey(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** A time in milliseconds, as options of the client and of a call have it. */
export const millisecondsOption = z
  .number({ error: 'must be a number of milliseconds.' })
  .positive({ error: 'must be more than 0 milliseconds.' })
  .max(TIMER_MAX_MS, {
    error: `must be at most ${TIMER_MAX_MS} milliseconds, the longest a timer can hold.`,
  });

/** How often to repeat, as options of the client and of a call have it. */
export const retriesOption = z
  .int({ error: 'must be a whole number.' })
  .min(0, { error: 'must be at least 0, which repeats nothing.' })
  .max(RETRIES_MAX, {
    error: `must be at most ${RETRIES_MAX}: a service that is down is not helped by more.`,
  });

const aFunction = (fix: string) => z.custom<never>((value) => typeof value === 'function', { error: fix });

const schema = z.strictObject({
  serviceUrl,
  apiKey,
  timeoutMs: millisecondsOption.default(10_000),
  maxRetries: retriesOption.default(2),
  retryDelayMs: millisecondsOption.default(500),
  maxRetryDelayMs: millisecondsOption.default(8000),
  fetch: aFunction('must be a function like the global fetch.').optional(),
  clock: z
    .custom<Clock>((value) => hasMethod(value, 'now'), {
      error: 'must have a method now() that gives milliseconds.',
    })
    .default(systemClock),
  sleep: aFunction('must be a function (ms, signal) that gives a promise.').optional(),
  random: aFunction('must be a function that gives a number from 0 to below 1.').optional(),
  logger: z
    .custom<Logger>((value) => hasMethod(value, 'warn'), { error: 'must have a method warn.' })
    .default(silentLogger),
});

/**
 * Checks the options and fills in the defaults.
 *
 * @throws ClientOptionsError that lists every option that cannot work, and the fix.
 */
export function readOptions(options: ClientOptions): Settings {
  if (runsInBrowser()) {
    throw new ClientOptionsError([
      {
        option: 'apiKey',
        message:
          'must never be in a browser, where every visitor can read it, and this is one. Call the service from your server; for signing in, a browser takes @latchkey/widget. (A test in a simulated browser: run it in the environment "node".)',
      },
    ]);
  }
  const parsed = schema.safeParse(options);
  if (!parsed.success) throw new ClientOptionsError(parsed.error.issues.flatMap(problemsOfIssue));
  const { retryDelayMs, maxRetryDelayMs } = parsed.data;
  if (retryDelayMs > maxRetryDelayMs) {
    throw new ClientOptionsError([
      {
        option: 'retryDelayMs',
        message: `is longer than maxRetryDelayMs (${retryDelayMs} > ${maxRetryDelayMs}): lower it, or raise maxRetryDelayMs.`,
      },
    ]);
  }
  return {
    ...parsed.data,
    // zod has only checked that these are functions; their types are those of the options.
    fetch: options.fetch,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
  };
}

function problemOfServiceUrl(text: string): string | undefined {
  // Not echoed: a URL with credentials in it must not reach a log.
  if (!URL.canParse(text)) return 'must be an absolute URL such as https://service.example.';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password.';
  if (url.search !== '' || url.hash !== '')
    return 'must not contain a query or fragment; remove what follows the path.';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return 'must begin with https://.';
  if (LOOPBACK_HOST.test(url.hostname)) return undefined;
  return `is plain http on ${url.hostname}: the API key would travel in the clear. Use https, or a loopback host such as localhost while developing.`;
}

/** Says what is wrong with a key without repeating any of it. */
function problemOfApiKey(text: string): string | undefined {
  if (text === '') return 'is empty. Is its environment variable set?';
  if (/^\s|\s$/.test(text)) return 'has white space around it, as files end with a line break: trim it.';
  if (/^bearer/i.test(text)) return 'must be the key alone, without "Bearer".';
  if (text.startsWith('ocs_') || text.startsWith('oac_'))
    return 'is a credential of an OAuth client. An API key begins with svc_; make one in the developer area.';
  if (!text.startsWith('svc_')) return 'must begin with svc_, as the developer area showed it.';
  if (!/^svc_[\x21-\x7e]+$/.test(text))
    return 'must be svc_ and what follows it in printable ASCII, as the developer area showed it.';
  return undefined;
}

function problemsOfIssue(issue: z.core.$ZodIssue): ClientOptionProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((option) => ({
      option,
      message: 'is not an option of LatchkeyClient; check the spelling.',
    }));
  }
  const option = issue.path.map(String).join('.');
  return [{ option: option === '' ? 'options' : option, message: issue.message }];
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';
}
