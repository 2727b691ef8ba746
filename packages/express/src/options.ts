import type { OAuthScope, ServiceNamesOption } from '@latchkey/contract/constants';
import type { z } from 'zod';
import type { LatchkeyPages, UpgradeUrl } from './gates/gate-options.js';
import type { LanguageOption } from './http/language.js';
import { COOKIE_SECRET_ADVICE, optionsSchema } from './options-schema.js';
import { type Clock, systemClock } from './platform/clock.js';
import { LatchkeyOptionsError, type OptionProblem, problemsOfIssue } from './platform/errors.js';
import { createLog, type Logger } from './platform/log.js';
import type { ExpressSessionStore, MembershipDirectory, SessionLock } from './stores/kit-store.js';
import { isMemoryDirectory } from './stores/memory.js';

/** Options of {@link latchkey}, which validates them when you call it. */
export interface LatchkeyOptions {
  /** Base URL of the membership service. Must be https, except on loopback addresses. */
  serviceUrl: string;
  /** `oac_` followed by 24 hex characters. */
  clientId: string;
  /**
   * `ocs_` followed by 48 hex characters, for a confidential client. Leave it out for a public client. `undefined` is
   * rejected: otherwise a missing environment variable would make the client public.
   */
  clientSecret?: string | undefined;
  /**
   * URL of this app's root as browsers see it, for example `https://shop.example`, or `https://example.com/shop` behind
   * a proxy. Redirect URIs and cookie attributes come from it, never from the Host header.
   */
  appUrl: string;
  /** At least 32 random characters that encrypt the cookies. In a list, the first encrypts and all decrypt. */
  cookieSecret: string | readonly string[];
  /**
   * Directory of the memberships that belong to this site: `sqliteDirectory(file)`, `postgresDirectory(pool)` or
   * `redisDirectory(client)`. Every gate for memberships requires it, unless its rule has `from: 'any-seller'`.
   */
  directory?: MembershipDirectory | undefined;
  /**
   * Names of the site's memberships for their owners, such as "The Roaster's Table", by the id of the plan, product or
   * community. The most specific one wins. The widget's account menu shows them.
   */
  membershipNames?: Readonly<Record<string, string>> | undefined;
  /**
   * Scopes that every sign-in requests.
   * @default ['memberships.read']
   */
  scopes?: readonly OAuthScope[] | undefined;
  /**
   * Path below `appUrl` for the endpoints of the router.
   * @default '/auth'
   */
  mountPath?: string | undefined;
  /**
   * Callback pages of the widget's popup: the values of its `callback-url`, as paths or absolute URLs. The widget's
   * defaults are always accepted: the service's callback page, and the app's `/latchkey/callback.html`.
   */
  widgetCallbackUrl?: string | readonly string[] | undefined;
  /**
   * Page that sells the membership to visitors that `requireMembership` rejects: a path or URL, or a function of the
   * visitor and the rule. A gate's own `upgradeUrl` takes precedence.
   */
  upgradeUrl?: UpgradeUrl | undefined;
  /** Lifetime and storage of sessions. */
  session?:
    | {
        /**
         * Maximum time since sign-in, in seconds.
         * @default 2592000 (30 days)
         */
        absoluteSeconds?: number | undefined;
        /**
         * Maximum time since the last use, in seconds.
         * @default 604800 (7 days)
         */
        rollingSeconds?: number | undefined;
        /**
         * Any express-session store, such as connect-redis or connect-pg-simple. The cookie then contains a signed
         * reference, signing out takes effect in all processes at once, and processes share the renewal of a session. A
         * `MemoryStore` is rejected in production.
         * @default a sealed cookie, which holds the whole session
         */
        store?: ExpressSessionStore | undefined;
        /** With `store`, lets one process at a time renew a session: `redisLock`, `postgresLock`, or your own. */
        lock?: SessionLock | undefined;
        /**
         * Timeout of one call to the store or the lock, in milliseconds. After it, the response is 503.
         * @default 2000
         */
        storeTimeoutMs?: number | undefined;
      }
    | undefined;
  /**
   * Language of the app: a tag such as `de`, or a function of the request that returns one. Sign-in asks the service
   * for it (`ui_locales`), and the built-in pages use it if they're translated to it. Otherwise both use the language
   * that the browser prefers.
   * @default the language that the browser prefers
   */
  language?: LanguageOption | undefined;
  /** Custom pages instead of the built-in ones. */
  pages?: LatchkeyPages | undefined;
  /**
   * The service's own names for which the spec has placeholders. `auth.webhooks()` reads the headers that begin with
   * `headerPrefix`.
   * @default { apiKeyPrefix: 'svc_', headerPrefix: 'X-Svc-', messenger: 'messenger' }
   */
  serviceNames?: ServiceNamesOption | undefined;
  /**
   * Whether to ask the service once, when `latchkey()` is called, if it knows the client. If it doesn't, an error is
   * logged.
   * @default true
   */
  checkClientAtStart?: boolean | undefined;
  /**
   * How long a visitor waits for a response from the service, in milliseconds.
   * @default 10000
   */
  timeoutMs?: number | undefined;
  /** @default the global `fetch` */
  fetch?: typeof fetch | undefined;
  /** @default the system clock */
  clock?: Clock | undefined;
  /** @default the console */
  logger?: Logger | undefined;
}

/** Validated options with defaults. */
export type Settings = ReturnType<typeof readOptions>;

/**
 * Checks the options and fills in the defaults.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function readOptions(options: LatchkeyOptions) {
  if (!(Buffer.alloc(0) instanceof Uint8Array)) throw new LatchkeyOptionsError([SIMULATED_BROWSER]);
  const parsed = optionsSchema.safeParse(options);
  const problems = [
    ...(parsed.error?.issues.flatMap(problemsOf) ?? []),
    ...(isMissingSecret(options) ? [MISSING_SECRET] : []),
  ];
  if (!parsed.success || problems.length > 0) throw new LatchkeyOptionsError(problems);
  const { serviceUrl, appUrl, cookieSecret: secrets, session, ...rest } = parsed.data;
  const [firstSecret, ...otherSecrets] = secrets;
  const problem =
    firstSecret === undefined
      ? EMPTY_SECRETS
      : (problemOfSession(session) ?? problemOfDirectory(options.directory));
  if (firstSecret === undefined || problem !== undefined)
    throw new LatchkeyOptionsError(problem === undefined ? [] : [problem]);
  const cookieSecrets: readonly [string, ...string[]] = [firstSecret, ...otherSecrets];
  return {
    serviceUrl: withoutTrailingSlash(serviceUrl.href),
    clientId: rest.clientId,
    clientSecret: rest.clientSecret,
    appOrigin: appUrl.origin,
    appPath: withoutTrailingSlash(appUrl.pathname),
    cookieSecrets,
    directory: options.directory,
    membershipNames: new Map(
      Object.entries(rest.membershipNames).map(([id, name]) => [id.toLowerCase(), name]),
    ),
    scopes: rest.scopes,
    mountPath: rest.mountPath,
    widgetCallbackUrls: rest.widgetCallbackUrl.map((page) => new URL(page, appUrl.origin).href),
    upgradeUrl: rest.upgradeUrl,
    absoluteMs: session.absoluteSeconds * 1000,
    rollingMs: session.rollingSeconds * 1000,
    sessionStore: session.store,
    sessionLock: session.lock,
    storeTimeoutMs: session.storeTimeoutMs,
    // The schema only checks that these are functions, so their types come from the options.
    pages: options.pages ?? ({} as LatchkeyPages),
    language: options.language,
    serviceNames: rest.serviceNames,
    checkClientAtStart: rest.checkClientAtStart,
    timeoutMs: rest.timeoutMs,
    fetch: options.fetch,
    clock: options.clock ?? systemClock,
    logger: createLog(options.logger),
  };
}

/** With the `Uint8Array` of jsdom, nothing can be encrypted. */
const SIMULATED_BROWSER: OptionProblem = {
  option: 'options',
  message:
    'cannot be used in jsdom, which replaces classes of Node.js. Run the test in the environment "node": begin its file with // @vitest-environment node, or with @jest-environment node in a comment.',
};

const MISSING_SECRET: OptionProblem = {
  option: 'clientSecret',
  message:
    'is given but undefined. Check that its environment variable is set. Remove the option if the client is public.',
};

function isMissingSecret(options: unknown): boolean {
  return (
    typeof options === 'object' &&
    options !== null &&
    'clientSecret' in options &&
    options.clientSecret === undefined
  );
}

const EMPTY_SECRETS: OptionProblem = {
  option: 'cookieSecret',
  message: `is an empty list. ${COOKIE_SECRET_ADVICE}`,
};

/** Class name of the in-memory stores in express-session and memorystore. */
const MEMORY_STORE = 'MemoryStore';

function problemOfSession({
  absoluteSeconds,
  rollingSeconds,
  store,
  lock,
}: z.infer<typeof optionsSchema>['session']): OptionProblem | undefined {
  if (rollingSeconds > absoluteSeconds) {
    return {
      option: 'session.rollingSeconds',
      message: `is longer than session.absoluteSeconds (${rollingSeconds} > ${absoluteSeconds}). Lower it, or raise session.absoluteSeconds.`,
    };
  }
  if (store === undefined && lock !== undefined) {
    return {
      option: 'session.lock',
      message:
        'has no effect without session.store, because sealed cookies share nothing between processes. Set session.store too, or remove the lock.',
    };
  }
  if (store?.constructor?.name === MEMORY_STORE && process.env.NODE_ENV === 'production') {
    return {
      option: 'session.store',
      message:
        'is a MemoryStore, which loses its sessions at every restart and is not shared between processes. In production use a shared store such as connect-redis or connect-pg-simple, or omit session.store to use sealed cookies.',
    };
  }
  return undefined;
}

function problemOfDirectory(directory: MembershipDirectory | undefined): OptionProblem | undefined {
  if (directory === undefined || !isMemoryDirectory(directory)) return undefined;
  if (process.env.NODE_ENV !== 'production') return undefined;
  return {
    option: 'directory',
    message:
      'is in memory. A restart empties it, and then no gate opens for any member. In production use sqliteDirectory(file), postgresDirectory(pool) or redisDirectory(client).',
  };
}

function problemsOf(issue: z.core.$ZodIssue): OptionProblem[] {
  // In a union, the specific error is in the branch with the matching outer type.
  const inner =
    issue.code === 'invalid_union' ? issue.errors.flat().find((each) => each.code === 'custom') : undefined;
  if (inner !== undefined) {
    return [{ option: [...issue.path, ...inner.path].map(String).join('.'), message: inner.message }];
  }
  return problemsOfIssue(issue, 'is not an option of latchkey(). Check the spelling.');
}

const withoutTrailingSlash = (text: string) => text.replace(/\/+$/, '');
