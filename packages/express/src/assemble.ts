import { createHash } from 'node:crypto';
import { SITE_CALLBACK_PATH } from '@latchkey/contract/constants';
import {
  fetchClientIdentity,
  hostedCallbackUrl,
  isOAuthClientError,
  limitAnswers,
  type OAuthService,
} from '@latchkey/oauth';
import QuickLRU from 'quick-lru';
import type { CheckoutKit } from './checkout/service-calls.js';
import { UnknownMemberships } from './gates/unknown-memberships.js';
import { hostWarning, publicMountPath } from './http/app-url.js';
import { readCookie } from './http/cookies.js';
import { type Middleware, middleware } from './http/middleware.js';
import { siteDirectory } from './memberships/forget-changed.js';
import { MembershipCache } from './memberships/membership-cache.js';
import { MembershipSource, RecordedIds } from './memberships/membership-source.js';
import type { Settings } from './options.js';
import { type Log, ThrottledLog } from './platform/log.js';
import { failureDetails } from './platform/service-failure.js';
import { createSessionStore } from './session/create-session-store.js';
import { Revocations } from './session/revocations.js';
import { createSeal } from './session/seal.js';
import { type Session, SessionStoreError } from './session/session.js';
import { rotateTokens, SessionRefresher } from './session/session-refresher.js';
import { Visitor } from './session/visitor.js';
import { endpointRouter, rejectMountPath } from './sign-in/endpoint-table.js';
import { exchangeEndpoint } from './sign-in/exchange.js';
import { callbackEndpoint, loginEndpoint } from './sign-in/redirect.js';
import { logoutEndpoint, sendSession } from './sign-in/session-endpoint.js';
import { SignInAttempts, type SignInKit } from './sign-in/sign-in-attempts.js';

const MAX_REPORTED_EXPIRIES = 5_000;
/** Minimum timeout of a token refresh. It's long: the response contains the only valid tokens. */
const MIN_REFRESH_TIMEOUT_MS = 30_000;
const STORE_FAILURE_LOG_PAUSE_MS = 10_000;

/**
 * Creates the parts of an instance. What happens to a request, from top to bottom:
 *
 * 1. {@link createRouter} reads the session cookie, opens it with `store` (sealed cookie or server-side store) and sets
 *    `req.latchkey`, a `Visitor` with the `CurrentSession` of the request.
 * 2. A path below `mountPath` ends at its endpoint, in sign-in/ for login, callback, exchange, session and logout, or
 * in checkout/. `GET /auth/login` seals the attempt into its state. `GET /auth/callback` redeems attempt and code, reads
 * identity and memberships in parallel, and starts the session.
 * 3. Other paths reach the app's routes. A gate from gates/ asks for the current session, which `refresher` renews at
 * most once at a time, and for the `memberships` of its user: cached for a minute, else read from the service and the
 * directory.
 * 4. The gate passes the request on, or responds with a redirect, a page or JSON.
 * 5. Just before the headers are sent, `SessionCookie` decides on the cookie, by the state at that time.
 *
 * Webhooks take another path (webhooks/): they record memberships in the directory, which drops them from the cache.
 */
export function assemble(settings: Settings): SignInKit & CheckoutKit {
  const { clock, logger, scopes, timeoutMs, directory, membershipNames: names } = settings;
  const service = serviceOf(settings);
  const { instance, attemptCookie, ...cookies } = cookiesOf(settings);
  if (settings.checkClientAtStart) void checkClient(service, logger);
  const refreshTimeoutMs = Math.max(timeoutMs, MIN_REFRESH_TIMEOUT_MS);
  const revocations = new Revocations(service, logger);
  const store = createSessionStore({
    ...settings,
    instance,
    cookieName: cookies.sessionCookie.name,
    refreshTimeoutMs,
    discard: (tokens) => revocations.revoke(tokens),
  });
  const storeFailures = new ThrottledLog(settings, STORE_FAILURE_LOG_PAUSE_MS);
  const memberships = new MembershipCache(clock);
  const recordedIds = new RecordedIds(clock);
  const membershipSource = new MembershipSource(service, { directory, recordedIds, names });
  return {
    ...cookies,
    app: settings,
    clock,
    logger,
    service,
    timeoutMs,
    fetch: settings.fetch,
    scopes,
    scopesInUse: new Set<string>(scopes),
    language: settings.language,
    lifetime: settings,
    store,
    storeFailed(message, error) {
      if (!(error instanceof SessionStoreError)) throw error;
      storeFailures.error('store_unavailable', message, failureDetails(error));
      return error;
    },
    refresher: new SessionRefresher({
      clock,
      maxWaitMs: timeoutMs,
      rotateTokens: (refreshToken, granted) =>
        rotateTokens(service, { refreshToken, scopes: granted, timeoutMs: refreshTimeoutMs }),
      storeRefresh: (session, send) => store.refresh(session, send),
      cookieHoldsTokens: store.cookieHoldsTokens,
    }),
    revocations,
    reportedExpiries: new QuickLRU<string, true>({ maxSize: MAX_REPORTED_EXPIRIES }),
    memberships,
    membershipSource,
    recordedIds,
    directory: directory && siteDirectory(directory, { clock, logger, cache: memberships, recordedIds }),
    unknownMemberships: new UnknownMemberships({ clock, logger, recordedIds }),
    pages: settings.pages,
    upgradeUrl: settings.upgradeUrl,
    cookieSecrets: settings.cookieSecrets,
    attempts: new SignInAttempts(attemptCookie, {
      seal: createSeal(settings.cookieSecrets, `sign-in ${instance}`),
      clock,
    }),
    callbackUrl: `${settings.appOrigin}${publicMountPath(settings)}/callback`,
    widgetCallbackUrls: new Set([
      hostedCallbackUrl(service),
      `${settings.appOrigin}${SITE_CALLBACK_PATH}`,
      ...settings.widgetCallbackUrls,
    ]),
  };
}

/** Creates the middleware that sets `req.latchkey` and serves the endpoints. */
export function createRouter(kit: SignInKit): Middleware {
  const { app, sessionCookie, store, storeFailed, logger } = kit;
  const warnOfHost = hostWarning(app, logger);
  const route = endpointRouter(app, {
    '/login': { method: 'GET', endpoint: loginEndpoint(kit), isPage: true },
    '/callback': { method: 'GET', endpoint: callbackEndpoint(kit), isPage: true },
    '/exchange': { method: 'POST', endpoint: exchangeEndpoint(kit) },
    '/session': { method: 'GET', endpoint: (visit) => sendSession(kit, visit) },
    '/logout': { method: 'POST', endpoint: logoutEndpoint(kit) },
  });
  return middleware((request, response, next) => {
    const { headers, baseUrl: routerBase } = request;
    rejectMountPath(app, routerBase, 'auth.router');
    warnOfHost(request);
    const proceed = (opened: Session | SessionStoreError | undefined) => {
      const visitor = new Visitor(kit, { request, response }, { routerBase, opened });
      request.latchkey = visitor.asRequestSession();
      return route(request, next, () => ({ visitor, request, response }));
    };
    const cookie = readCookie(headers.cookie, sessionCookie.name);
    const opened = cookie === undefined || cookie === '' ? undefined : store.open(cookie);
    if (!(opened instanceof Promise)) return proceed(opened);
    // Public pages work without the session, and all others respond with 503.
    return opened.then(proceed, (error: unknown) =>
      proceed(storeFailed('Sessions cannot be read from the store.', error)),
    );
  });
}

function serviceOf({ serviceUrl, clientId, clientSecret, clock, timeoutMs, fetch }: Settings): OAuthService {
  return {
    serviceUrl,
    clientId,
    clock,
    timeoutMs,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    fetch: limitAnswers(fetch),
  };
}

/** Derives the cookies of an instance. Instances that differ in one of the hashed settings share neither cookies nor keys. */
function cookiesOf(settings: Settings) {
  const { serviceUrl, clientId, appOrigin, appPath, mountPath } = settings;
  // All ports of a host share its cookies.
  const instance = JSON.stringify([serviceUrl, clientId, appOrigin, appPath, mountPath]);
  const hash = createHash('sha256').update(instance).digest('hex').slice(0, 8);
  const secure = appOrigin.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  // __Host- requires the path "/", and is safer than a narrow path: without it, a sibling subdomain could plant its own
  // attempt, and the visitor would be signed in to the attacker's account.
  const attemptPath = secure ? '/' : publicMountPath(settings);
  return {
    instance,
    sessionCookie: { name: `${prefix}latchkey_${hash}`, path: '/', secure },
    attemptCookie: { name: `${prefix}latchkey_in_${hash}_`, path: attemptPath, secure },
    signedOutCookie: { name: `${prefix}latchkey_out_${hash}`, path: '/', secure },
    waitCookie: { name: `${prefix}latchkey_wait_${hash}`, path: '/', secure },
    recheckCookie: { name: `${prefix}latchkey_recheck_${hash}`, path: '/', secure },
    returnCookie: { name: `${prefix}latchkey_paid_${hash}`, path: '/', secure },
  };
}

/**
 * Asks the service for the public identity of the app's client, and logs an error if the service doesn't know it, or if
 * something else answers. Otherwise only the page at which the first sign-in ends would tell. Never rejects. Doesn't log
 * an outage: the first sign-in reports it.
 */
async function checkClient(service: OAuthService, logger: Log): Promise<void> {
  try {
    await fetchClientIdentity(service);
  } catch (error) {
    if (!isOAuthClientError(error)) return;
    const { clientId, serviceUrl } = service;
    if (error.code === 'invalid_client')
      logger.error(
        'client_unknown',
        'The service does not know this client, so nobody can sign in. Compare clientId and serviceUrl with the developer area of the service.',
        { clientId, serviceUrl },
      );
    if (error.code === 'unreadable_response')
      logger.error(
        'unreadable_response',
        'Something other than the service answers at serviceUrl, so nobody can sign in.',
        failureDetails(error),
      );
  }
}
