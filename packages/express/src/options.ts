import { OAUTH_SCOPES, type OAuthScope } from '@latchkey/contract/constants';
import { z } from 'zod';
import { type Clock, systemClock } from './clock.js';
import { isWebAddress, UPGRADE_URL_ADVICE, type UpgradeUrl } from './gates/outsider.js';
import { consoleLogger, type Logger, unfailing } from './logger.js';
import { LatchkeyOptionsError, type OptionProblem } from './options-error.js';
import type { LatchkeyPages } from './pages/latchkey-pages.js';
import type { ExpressSessionStore } from './session/express-session-store.js';
import type { SessionLock } from './session/session-lock.js';

/** Options of {@link latchkey}. Checked once, when it is called. */
export interface LatchkeyOptions {
  /** Base URL of the membership service. https; http only on loopback addresses. */
  serviceUrl: string;
  /** `oac_` and 24 hex characters. */
  clientId: string;
  /** `ocs_` and 48 hex characters, for a confidential client; leave it out for a public one. */
  clientSecret?: string | undefined;
  /**
   * Where browsers see the root of this app, for example `https://shop.example` or `https://example.com/shop`
   * behind a proxy. Redirect URIs and cookie security come from here, never from the Host header.
   */
  appUrl: string;
  /** Seals the cookies: at least 32 random characters. Of several, the first seals and all open, for rotation. */
  cookieSecret: string | readonly string[];
  /** Scopes to ask for. Default `['memberships.read']`. */
  scopes?: readonly OAuthScope[] | undefined;
  /** Path under which the kit answers, below `appUrl`. Default `/auth`. */
  mountPath?: string | undefined;
  /**
   * The page, or pages, on which popups of the widget end when its `callback-url` is set: paths as browsers see them,
   * or absolute URLs, as registered for the client. The callback that the service hosts is always taken.
   */
  widgetCallbackUrl?: string | readonly string[] | undefined;
  /**
   * Where those who may not pass `requireMembership` can get what it takes: a path or URL, or a function of the visitor
   * and the rule. A gate's own `upgradeUrl` comes first. Default: none.
   */
  upgradeUrl?: UpgradeUrl | undefined;
  /** How long a session lasts, and where it is kept. */
  session?:
    | {
        /** End of a session, however active: seconds after sign-in. Default 30 days. */
        absoluteSeconds?: number | undefined;
        /** End of an idle session: seconds after it was last used. Default 7 days. */
        rollingSeconds?: number | undefined;
        /**
         * Keeps sessions on the server: any store of express-session, such as connect-redis or connect-pg-simple. The
         * cookie then holds a signed reference, sign-out counts in every process at once, and processes renew a
         * session together. Default: the whole session in a sealed cookie. A `MemoryStore` is refused in production.
         */
        store?: ExpressSessionStore | undefined;
        /** With `store`: lets one process at a time renew a session. `redisLock`, `postgresLock`, or your own. */
        lock?: SessionLock | undefined;
        /** Longest wait for one answer of store or lock, in milliseconds; then 503. Default 2 000. */
        storeTimeoutMs?: number | undefined;
      }
    | undefined;
  /** Own pages instead of the kit's plain ones. */
  pages?: LatchkeyPages | undefined;
  /** Longest wait for one answer of the service, in milliseconds. Default 10 000. */
  timeoutMs?: number | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Default: the machine's clock. */
  clock?: Clock | undefined;
  /** Default: the console. */
  logger?: Logger | undefined;
}

/** The options after validation, with defaults filled in. */
export interface Settings {
  /** Without a trailing slash. */
  serviceUrl: string;
  clientId: string;
  clientSecret: string | undefined;
  /** Origin of `appUrl`. */
  appOrigin: string;
  /** Path of `appUrl` without a trailing slash; empty at the root. */
  appPath: string;
  cookieSecrets: readonly [string, ...string[]];
  scopes: readonly OAuthScope[];
  mountPath: string;
  /** Absolute URLs; the widget's `callback-url` may be any of them. */
  widgetCallbackUrls: readonly string[];
  upgradeUrl: UpgradeUrl | undefined;
  absoluteMs: number;
  rollingMs: number;
  /** Undefined: the session is in the cookie. */
  sessionStore: ExpressSessionStore | undefined;
  sessionLock: SessionLock | undefined;
  storeTimeoutMs: number;
  pages: LatchkeyPages;
  timeoutMs: number;
  fetch: typeof fetch | undefined;
  clock: Clock;
  logger: Logger;
}

const DAY_SECONDS = 24 * 3600;
const LOOPBACK_HOST = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const baseUrl = z
  .string({ error: 'is required: an absolute URL such as https://example.com.' })
  .transform((text, context) => {
    const problem = problemOfBaseUrl(text);
    if (problem === undefined) return new URL(text);
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });

function problemOfBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return `must be an absolute URL such as https://example.com, got ${quoted(text)}.`;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password.';
  if (url.search !== '' || url.hash !== '')
    return 'must not contain a query or fragment; remove what follows the path.';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return `must begin with https://, got ${quoted(url.protocol)}.`;
  if (LOOPBACK_HOST.test(url.hostname)) return undefined;
  return `is plain http on ${url.hostname}: codes and cookies would travel in the clear. Use https, or a loopback host such as localhost while developing.`;
}

const COOKIE_SECRET_ADVICE =
  "Make one with: node -e \"console.log(require('node:crypto').randomBytes(32).toString('base64url'))\"";
const cookieSecret = z
  .string({ error: `is required. ${COOKIE_SECRET_ADVICE}` })
  .refine((secret) => secret.length >= 32, {
    error: ({ input }) =>
      `must have at least 32 characters, has ${String(input).length}. ${COOKIE_SECRET_ADVICE}`,
  });

const WIDGET_CALLBACK_ADVICE =
  'must be a path of this app such as /signed-in, or an absolute https URL, as in the callback-url of the widget.';
const callbackPage = z
  .string({ error: WIDGET_CALLBACK_ADVICE })
  .refine((text) => /^\/(?![/\\])/.test(text) || (URL.canParse(text) && problemOfPage(text) === undefined), {
    error: WIDGET_CALLBACK_ADVICE,
  });

const seconds = z
  .number({ error: 'must be a number of seconds.' })
  .int({ error: 'must be a whole number of seconds.' })
  .positive({ error: 'must be more than 0 seconds.' });

/** Longest time of a timer. */
const TIMER_MAX_MS = 2_147_483_647;
const milliseconds = z
  .number({ error: 'must be a number of milliseconds.' })
  .int({ error: 'must be a whole number of milliseconds.' })
  .positive({ error: 'must be more than 0 milliseconds.' })
  .max(TIMER_MAX_MS, { error: `must be at most ${TIMER_MAX_MS} milliseconds, the longest time of a timer.` });

const aFunction = (fix: string) => z.custom<never>((value) => typeof value === 'function', { error: fix });

/** What is checked of the options, and their defaults. */
export const optionsSchema = z.strictObject({
  serviceUrl: baseUrl,
  clientId: z
    .string({ error: 'is required: the client id that the service issued.' })
    .regex(/^oac_[0-9a-f]{24}$/, {
      error: 'must be oac_ followed by 24 hex characters, as the service issued it.',
    }),
  clientSecret: z
    .string()
    .regex(/^ocs_[0-9a-f]{48}$/, {
      error:
        'must be ocs_ followed by 48 hex characters, without white space. Leave it out if the client is a public one.',
    })
    .optional(),
  appUrl: baseUrl,
  cookieSecret: z.union([cookieSecret.transform((secret) => [secret]), z.array(cookieSecret)], {
    error: `is required: a string, or a list of strings of which the first seals. ${COOKIE_SECRET_ADVICE}`,
  }),
  scopes: z
    .array(z.enum(OAUTH_SCOPES, { error: `must be one of ${OAUTH_SCOPES.join(', ')}.` }))
    .nonempty({
      error: `must name at least one of ${OAUTH_SCOPES.join(', ')}: the service refuses sign-in without scope.`,
    })
    .default(['memberships.read']),
  mountPath: z
    .string()
    .regex(/^(\/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])+$/, {
      error: 'must begin with a slash, name at least one segment and end without a slash, for example /auth.',
    })
    .default('/auth'),
  widgetCallbackUrl: z
    .union([callbackPage.transform((page) => [page]), z.array(callbackPage)], {
      error: WIDGET_CALLBACK_ADVICE,
    })
    .default([]),
  upgradeUrl: z
    .custom<UpgradeUrl>((value) => typeof value === 'function' || isWebAddress(value), {
      error: UPGRADE_URL_ADVICE,
    })
    .optional(),
  session: z
    .strictObject({
      absoluteSeconds: seconds.default(30 * DAY_SECONDS),
      rollingSeconds: seconds.default(7 * DAY_SECONDS),
      store: z
        .custom<ExpressSessionStore>((value) => hasMethods(value, ['get', 'set', 'destroy']), {
          error:
            'must be a store of express-session, with the methods get, set and destroy: for example new RedisStore({ client }) of connect-redis.',
        })
        .optional(),
      lock: z
        .custom<SessionLock>((value) => hasMethods(value, ['acquire']), {
          error: 'must have a method acquire(key, ttlMs): use redisLock(client) or postgresLock(pool).',
        })
        .optional(),
      storeTimeoutMs: milliseconds.default(2_000),
    })
    .prefault({}),
  pages: z
    .strictObject({
      forbidden: aFunction('must be a function (request, response, details).').optional(),
      signInFailed: aFunction('must be a function (request, response, details).').optional(),
      unavailable: aFunction('must be a function (request, response).').optional(),
      awaiting: aFunction('must be a function (request, response, details).').optional(),
    })
    .optional(),
  timeoutMs: milliseconds.default(10_000),
  fetch: aFunction('must be a function like the global fetch.').optional(),
  clock: z
    .custom<Clock>((value) => hasMethods(value, ['now']), {
      error: 'must have a method now() that gives milliseconds.',
    })
    .optional(),
  logger: z
    .custom<Logger>((value) => hasMethods(value, ['warn', 'error']), {
      error: 'must have the methods warn and error.',
    })
    .optional(),
});

/**
 * Checks the options and fills in the defaults.
 * @throws LatchkeyOptionsError that lists every option that cannot work, and the fix.
 */
export function readOptions(options: LatchkeyOptions): Settings {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    throw new LatchkeyOptionsError(parsed.error.issues.flatMap(problemsOfIssue));
  }
  const { serviceUrl, appUrl, cookieSecret: secrets, session, ...rest } = parsed.data;
  const [firstSecret, ...otherSecrets] = secrets;
  if (firstSecret === undefined) {
    throw new LatchkeyOptionsError([
      { option: 'cookieSecret', message: `is an empty list. ${COOKIE_SECRET_ADVICE}` },
    ]);
  }
  if (session.rollingSeconds > session.absoluteSeconds) {
    throw new LatchkeyOptionsError([
      {
        option: 'session.rollingSeconds',
        message: `is longer than session.absoluteSeconds (${session.rollingSeconds} > ${session.absoluteSeconds}): lower it, or raise session.absoluteSeconds.`,
      },
    ]);
  }
  const storeProblem = problemOfStore(session);
  if (storeProblem !== undefined) throw new LatchkeyOptionsError([storeProblem]);
  return {
    serviceUrl: withoutTrailingSlash(serviceUrl.href),
    clientId: rest.clientId,
    clientSecret: rest.clientSecret,
    appOrigin: appUrl.origin,
    appPath: withoutTrailingSlash(appUrl.pathname),
    cookieSecrets: [firstSecret, ...otherSecrets],
    scopes: rest.scopes,
    mountPath: rest.mountPath,
    widgetCallbackUrls: rest.widgetCallbackUrl.map((page) => new URL(page, appUrl.origin).href),
    upgradeUrl: rest.upgradeUrl,
    absoluteMs: session.absoluteSeconds * 1000,
    rollingMs: session.rollingSeconds * 1000,
    sessionStore: session.store,
    sessionLock: session.lock,
    storeTimeoutMs: session.storeTimeoutMs,
    // zod has only checked that these are functions; their types are those of the options.
    pages: options.pages ?? {},
    timeoutMs: rest.timeoutMs,
    fetch: options.fetch,
    clock: options.clock ?? systemClock,
    logger: unfailing(options.logger ?? consoleLogger),
  };
}

/** Both express-session and memorystore call theirs so. */
const MEMORY_STORE = 'MemoryStore';

function problemOfStore({
  store,
  lock,
}: {
  store?: ExpressSessionStore | undefined;
  lock?: SessionLock | undefined;
}): OptionProblem | undefined {
  if (store === undefined && lock !== undefined) {
    return {
      option: 'session.lock',
      message:
        'does nothing without session.store: the sealed cookie shares nothing between processes. Set the store too, or leave the lock out.',
    };
  }
  if (store?.constructor?.name === MEMORY_STORE && process.env.NODE_ENV === 'production') {
    return {
      option: 'session.store',
      message:
        'is a MemoryStore: sessions would be gone with every restart and unknown to other processes. In production use a store that processes share, such as connect-redis or connect-pg-simple, or leave session.store out: the sealed cookie needs none.',
    };
  }
  return undefined;
}

/** As {@link problemOfBaseUrl}, for a page that may have a query. */
function problemOfPage(text: string): string | undefined {
  const page = new URL(text);
  page.search = '';
  return problemOfBaseUrl(page.href);
}

function problemsOfIssue(issue: z.core.$ZodIssue): { option: string; message: string }[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      option: path === '' ? key : `${path}.${key}`,
      message: 'is not an option of latchkey(); check the spelling.',
    }));
  }
  // Of a union, the branch whose outer type fits says what is wrong inside.
  const inner =
    issue.code === 'invalid_union' ? issue.errors.flat().find((each) => each.code === 'custom') : undefined;
  if (inner !== undefined) {
    return [{ option: [path, ...inner.path.map(String)].join('.'), message: inner.message }];
  }
  return [{ option: path === '' ? 'options' : path, message: issue.message }];
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === 'function')
  );
}

const withoutTrailingSlash = (text: string) => text.replace(/\/+$/, '');
const quoted = (text: string) => JSON.stringify(text.slice(0, 100));
