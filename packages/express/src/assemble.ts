import { createHash } from 'node:crypto';
import { SITE_CALLBACK_PATH } from '@latchkey/contract/constants';
import {
  fetchClientIdentity,
  hostedCallbackUrl,
  isOAuthClientError,
  limitAnswers,
  type OAuthService,
} from '@latchkey/oauth';
import { publicMountPath } from './http/app-url.js';
import { type CookieScope, readCookie } from './http/cookies.js';
import { type Middleware, middleware } from './http/middleware.js';
import { MembershipCache } from './memberships/membership-cache.js';
import { MembershipLookup } from './memberships/membership-lookup.js';
import { MembershipSource, RecordedIds } from './memberships/membership-source.js';
import type { Settings } from './options.js';
import { BoundedMap } from './platform/bounded-map.js';
import { type Logger, logMessage, ThrottledLog } from './platform/log.js';
import { failureDetails } from './platform/service-failure.js';
import { createSessionStore } from './session/create-session-store.js';
import { Revocations } from './session/revocations.js';
import { createSeal } from './session/seal.js';
import { type Session, SessionStoreError } from './session/session.js';
import { rotateTokens, SessionRefresher } from './session/session-refresher.js';
import { Visitor, type VisitorContext } from './session/visitor.js';
import { type CallbackContext, callbackEndpoint } from './sign-in/callback.js';
import { EndpointTable, rejectMountPath } from './sign-in/endpoint-table.js';
import { type ExchangeContext, exchangeEndpoint } from './sign-in/exchange.js';
import { type LoginContext, loginEndpoint } from './sign-in/login.js';
import { type LogoutContext, logoutEndpoint } from './sign-in/logout.js';
import { sendSession } from './sign-in/session-endpoint.js';
import { SignInAttempts } from './sign-in/sign-in-attempts.js';

const MAX_REPORTED_EXPIRIES = 10_000;
/** Minimum timeout of a token refresh. It is long, because the response contains the only valid tokens. */
const MIN_REFRESH_TIMEOUT_MS = 30_000;
const STORE_FAILURE_LOG_PAUSE_MS = 10_000;

/** Parts of one instance. */
interface Instance {
  endpoints: Endpoints;
  service: OAuthService;
  visitorContext: VisitorContext;
  memberships: MembershipCache;
  recordedIds: RecordedIds;
  waitCookie: CookieScope;
  returnCookie: CookieScope;
  /** Scopes that the app uses. `requireScope` adds to it. */
  scopesInUse: Set<string>;
}

/** Creates the parts of an instance and connects them. */
export function assemble(settings: Settings): Instance {
  const { clientSecret, cookieSecrets, clock, logger, scopes, timeoutMs } = settings;
  const service = serviceOf(settings);
  const { instance, sessionCookie, attemptCookie, waitCookie, recheckCookie, returnCookie } =
    cookiesOf(settings);
  if (settings.checkClientAtStart) void checkClient(service, logger);
  const refreshTimeoutMs = Math.max(timeoutMs, MIN_REFRESH_TIMEOUT_MS);
  const revocations = new Revocations({ clientSecret, timeoutMs, logger, service });
  const store = createSessionStore(settings, {
    instance,
    cookieName: sessionCookie.name,
    refreshTimeoutMs,
    discard: (tokens) => revocations.revoke(tokens),
  });
  const memberships = new MembershipCache(clock);
  const recordedIds = new RecordedIds(clock);
  const { directory, membershipNames: names } = settings;
  const membershipSource = new MembershipSource(service, { directory, recordedIds, names });
  const visitorContext: VisitorContext = {
    app: settings,
    lifetime: settings,
    clock,
    logger,
    store,
    storeFailures: new ThrottledLog(settings, STORE_FAILURE_LOG_PAUSE_MS),
    refresher: new SessionRefresher({
      clock,
      maxWaitMs: timeoutMs,
      rotateTokens: (refreshToken, granted) =>
        rotateTokens(service, { refreshToken, scopes: granted, timeoutMs: refreshTimeoutMs }),
      storeRefresh: (session, send) => store.refresh(session, send),
      cookieHoldsTokens: store.cookieHoldsTokens,
    }),
    revocations,
    sessionCookie,
    reportedExpiries: new BoundedMap(MAX_REPORTED_EXPIRIES),
    membershipLookup: new MembershipLookup(memberships, { source: membershipSource, clock, logger }),
    hasDirectory: directory !== undefined,
    recheckCookie,
  };
  const scopesInUse = new Set<string>(scopes);
  const endpoints = new Endpoints({
    ...visitorContext,
    service,
    memberships,
    membershipSource,
    scopes,
    scopesInUse,
    pages: settings.pages,
    attempts: new SignInAttempts(attemptCookie, {
      seal: createSeal(cookieSecrets, `sign-in ${instance}`),
      clock,
    }),
    callbackUrl: `${settings.appOrigin}${publicMountPath(settings)}/callback`,
    widgetCallbackUrls: new Set([
      hostedCallbackUrl(service),
      `${settings.appOrigin}${SITE_CALLBACK_PATH}`,
      ...settings.widgetCallbackUrls,
    ]),
  });
  return {
    endpoints,
    service,
    visitorContext,
    memberships,
    recordedIds,
    waitCookie,
    returnCookie,
    scopesInUse,
  };
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

/** Derives the cookies of an instance. Instances that differ in one of the hashed settings share no cookies or keys. */
function cookiesOf(settings: Settings) {
  const { serviceUrl, clientId, appOrigin, appPath, mountPath } = settings;
  const instance = JSON.stringify([serviceUrl, clientId, appPath, mountPath]);
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
    waitCookie: { name: `${prefix}latchkey_wait_${hash}`, path: '/', secure },
    recheckCookie: { name: `${prefix}latchkey_recheck_${hash}`, path: '/', secure },
    returnCookie: { name: `${prefix}latchkey_paid_${hash}`, path: '/', secure },
  };
}

/** Creates the middleware that sets `req.latchkey` and serves the endpoints. */
export function createRouter(context: VisitorContext, endpoints: Endpoints): Middleware {
  const { app, sessionCookie, store, storeFailures } = context;
  return middleware((request, response, next) => {
    rejectMountPath(app, request.baseUrl, 'auth.router');
    const routerBase = request.baseUrl;
    const proceed = (opened: Session | SessionStoreError | undefined) => {
      const visitor = new Visitor(context, { request, response, routerBase, opened });
      request.latchkey = visitor.asRequestSession();
      return endpoints.route(request, next, () => ({ visitor, request, response }));
    };
    const cookie = readCookie(request.headers.cookie, sessionCookie.name);
    const opened = cookie === undefined || cookie === '' ? undefined : store.open(cookie);
    return opened instanceof Promise
      ? opened.catch((error: unknown) => logStoreFailure(storeFailures, error)).then(proceed)
      : proceed(opened);
  });
}

/** Logs the failure and continues: public pages work without the session, and all others respond with 503. */
function logStoreFailure(storeFailures: ThrottledLog, error: unknown): SessionStoreError {
  if (!(error instanceof SessionStoreError)) throw error;
  storeFailures.error(
    logMessage('store_unavailable', 'Sessions cannot be read from the store.'),
    failureDetails(error),
  );
  return error;
}

interface EndpointsContext extends LoginContext, CallbackContext, ExchangeContext, LogoutContext {}

/** Endpoints of the router. */
class Endpoints extends EndpointTable {
  constructor(context: EndpointsContext) {
    super(context.app, {
      '/login': { method: 'GET', endpoint: loginEndpoint(context) },
      '/callback': { method: 'GET', endpoint: callbackEndpoint(context) },
      '/exchange': { method: 'POST', endpoint: exchangeEndpoint(context) },
      '/session': { method: 'GET', endpoint: sendSession },
      '/logout': { method: 'POST', endpoint: logoutEndpoint(context) },
    });
  }
}

/**
 * Asks the service for the public identity of the app's client, and logs an error if the service does not know it. Otherwise
 * the first sign-in would show only the service's 400. Never rejects. An outage is not logged here, because the first sign-in
 * reports it.
 */
async function checkClient(service: OAuthService, logger: Logger): Promise<void> {
  try {
    await fetchClientIdentity(service);
  } catch (error) {
    if (!isOAuthClientError(error) || error.code !== 'invalid_client') return;
    const { clientId, serviceUrl } = service;
    logger.error(
      logMessage(
        'client_unknown',
        'The service does not know this client, so nobody can sign in. Compare clientId and serviceUrl with the developer area of the service.',
      ),
      { clientId, serviceUrl },
    );
  }
}
