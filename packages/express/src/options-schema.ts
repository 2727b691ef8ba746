import { serviceNamesOption, uuidField } from '@latchkey/contract';
import { DAY_MS, isLoopback, OAUTH_SCOPES } from '@latchkey/contract/constants';
import { z } from 'zod';
import { isWebAddress, UPGRADE_URL_ADVICE, type UpgradeUrl } from './gates/gate-options.js';
import { isLanguageTag, LANGUAGE_ADVICE, type LanguageOption } from './http/language.js';
import type { Clock } from './platform/clock.js';
import { hasMethods } from './platform/errors.js';
import type { Logger } from './platform/log.js';
import type { ExpressSessionStore, MembershipDirectory, SessionLock } from './stores/kit-store.js';

const baseUrl = z
  .string({ error: 'is required: an absolute URL such as https://example.com.' })
  .transform((text, context) => {
    const message = problemOfBaseUrl(text);
    if (message === undefined) return new URL(text);
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

function problemOfBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return `must be an absolute URL such as https://example.com; got ${quoted(text)}.`;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password.';
  if (url.hostname.includes('*')) return `must name one host; got the wildcard ${url.hostname}.`;
  if (url.search !== '' || url.hash !== '')
    return 'must not contain a query or fragment. Remove everything after the path.';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:')
    return `must begin with https://, or http:// on a loopback address; got ${quoted(url.protocol)}.`;
  if (isLoopback(url)) return undefined;
  return `must be an https URL; got http on ${url.hostname}. Use https, or a loopback address such as localhost while developing.`;
}

/** Checks an absolute URL of a page, which may have a query. */
function problemOfPage(text: string): string | undefined {
  const page = new URL(text);
  page.search = '';
  return problemOfBaseUrl(page.href);
}

export const COOKIE_SECRET_ADVICE =
  "Create one with: node -e \"console.log(require('node:crypto').randomBytes(32).toString('base64url'))\"";
const cookieSecret = z
  .string({ error: `is required. ${COOKIE_SECRET_ADVICE}` })
  .refine((secret) => secret.length >= 32, {
    error: ({ input }) =>
      `must have at least 32 characters, has ${String(input).length}. ${COOKIE_SECRET_ADVICE}`,
  });

const WIDGET_CALLBACK_ADVICE =
  'must be a path of this app such as /signed-in, or an absolute https URL, equal to the callback-url of the widget.';
const callbackPage = z
  .string({ error: WIDGET_CALLBACK_ADVICE })
  .refine((text) => /^\/(?![/\\])/.test(text) || (URL.canParse(text) && problemOfPage(text) === undefined), {
    error: WIDGET_CALLBACK_ADVICE,
  });

const MEMBERSHIP_NAMES_ADVICE =
  'must be an object of names by the UUID of a plan, product or community: { [community.id]: "The club" }.';
const MEMBERSHIP_NAME_ADVICE = 'must be a text of 1 to 200 characters.';
const membershipNames = z
  .record(
    z.string(),
    z
      .string({ error: MEMBERSHIP_NAME_ADVICE })
      .trim()
      .min(1, { error: MEMBERSHIP_NAME_ADVICE })
      .max(200, { error: MEMBERSHIP_NAME_ADVICE }),
    { error: MEMBERSHIP_NAMES_ADVICE },
  )
  .refine((names) => Object.keys(names).every((id) => uuidField.safeParse(id).success), {
    error: MEMBERSHIP_NAMES_ADVICE,
  });

const seconds = z
  .number({ error: 'must be a number of seconds.' })
  .int({ error: 'must be a whole number of seconds.' })
  .positive({ error: 'must be more than 0 seconds.' });

/** Maximum delay of a Node.js timer. */
const TIMER_MAX_MS = 2_147_483_647;
const milliseconds = z
  .number({ error: 'must be a number of milliseconds.' })
  .int({ error: 'must be a whole number of milliseconds.' })
  .positive({ error: 'must be more than 0 milliseconds.' })
  .max(TIMER_MAX_MS, { error: `must be at most ${TIMER_MAX_MS} milliseconds, the maximum of a timer.` });

const aFunction = (advice: string) =>
  z.custom<never>((value) => typeof value === 'function', { error: advice });

/** Validates the options of `latchkey()` and fills in defaults. */
export const optionsSchema = z.strictObject({
  serviceUrl: baseUrl,
  clientId: z
    .string({ error: 'is required: the client id that the service issued.' })
    .regex(/^oac_[0-9a-f]{24}$/, {
      error:
        'must be oac_ followed by 24 hex characters, without white space or quotation marks, as the service issued it.',
    }),
  clientSecret: z
    .string()
    .regex(/^ocs_[0-9a-f]{48}$/, {
      error:
        'must be ocs_ followed by 48 hex characters, without white space or quotation marks. Omit it if the client is public.',
    })
    .optional(),
  appUrl: baseUrl,
  cookieSecret: z.union([cookieSecret.transform((secret) => [secret]), z.array(cookieSecret)], {
    error: `is required: a string, or a list of strings of which the first encrypts. ${COOKIE_SECRET_ADVICE}`,
  }),
  directory: z
    .custom<MembershipDirectory>(
      (value) => hasMethods(value, ['find', 'record', 'import', 'remove', 'close']),
      {
        error:
          'must be a membership directory: sqliteDirectory(file), postgresDirectory(pool) or redisDirectory(client). For another database use membershipDirectory(store).',
      },
    )
    .optional(),
  membershipNames: membershipNames.default({}),
  scopes: z
    .array(z.enum(OAUTH_SCOPES, { error: `must be one of ${OAUTH_SCOPES.join(', ')}.` }), {
      error: `must be a list of ${OAUTH_SCOPES.join(', ')}.`,
    })
    .nonempty({
      error: `must name at least one of ${OAUTH_SCOPES.join(', ')}: the service rejects a sign-in without scopes.`,
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
      absoluteSeconds: seconds.default((30 * DAY_MS) / 1000),
      rollingSeconds: seconds.default((7 * DAY_MS) / 1000),
      store: z
        .custom<ExpressSessionStore>((value) => hasMethods(value, ['get', 'set', 'destroy']), {
          error:
            'must be a store of express-session with the methods get, set and destroy, for example new RedisStore({ client }) of connect-redis.',
        })
        .optional(),
      lock: z
        .custom<SessionLock>((value) => hasMethods(value, ['acquire']), {
          error: 'must have a method acquire(key, ttlMs). Use redisLock(client) or postgresLock(pool).',
        })
        .optional(),
      storeTimeoutMs: milliseconds.default(2_000),
    })
    .prefault({}),
  language: z
    .custom<LanguageOption>((value) => typeof value === 'function' || isLanguageTag(value), {
      error: LANGUAGE_ADVICE,
    })
    .optional(),
  pages: z
    .strictObject({
      forbidden: aFunction('must be a function (request, response, details).').optional(),
      signInFailed: aFunction('must be a function (request, response, details).').optional(),
      unavailable: aFunction('must be a function (request, response).').optional(),
      awaiting: aFunction('must be a function (request, response, details).').optional(),
    })
    .optional(),
  serviceNames: serviceNamesOption,
  checkClientAtStart: z.boolean({ error: 'must be true or false.' }).default(true),
  timeoutMs: milliseconds.default(10_000),
  fetch: aFunction('must be a function like the global fetch.').optional(),
  clock: z
    .custom<Clock>((value) => hasMethods(value, ['now']), {
      error: 'must have a method now() that returns milliseconds.',
    })
    .optional(),
  logger: z
    .custom<Logger>((value) => hasMethods(value, ['warn', 'error']), {
      error: 'must have the methods warn and error.',
    })
    .optional(),
});

const quoted = (text: string) => JSON.stringify(text.slice(0, 100));
