import { createHash } from 'node:crypto';
import { SITE_CALLBACK_PATH } from '@latchkey/contract/constants';
import { hostedCallbackUrl, limitAnswers, type OAuthService } from '@latchkey/oauth';
import { publicMountPath } from './http/app-url.js';
import type { CookieScope } from './http/cookies.js';
import { MembershipCache } from './memberships/membership-cache.js';
import { MembershipLookup } from './memberships/membership-lookup.js';
import { MembershipSource } from './memberships/membership-source.js';
import { RecordedIds } from './memberships/recorded-ids.js';
import type { Settings } from './options.js';
import { BoundedMap } from './platform/bounded-map.js';
import { ThrottledLog } from './platform/throttled-log.js';
import { createSeal } from './session/model/seal.js';
import type { VisitorContext } from './session/request/visitor.js';
import { createSessionStore } from './session/stores/create-session-store.js';
import { Revocations } from './session/tokens/revocations.js';
import { rotateTokens } from './session/tokens/rotate-tokens.js';
import { SessionRefresher } from './session/tokens/session-refresher.js';
import { checkClient } from './sign-in/check-client.js';
import { Endpoints } from './sign-in/endpoints.js';
import { SignInAttempts } from './sign-in/sign-in-attempts.js';

const MAX_REPORTED_EXPIRIES = 10_000;
/** Minimum timeout of a token refresh. It is long, because the response contains the only valid tokens. */
const MIN_REFRESH_TIMEOUT_MS = 30_000;
const STORE_FAILURE_LOG_PAUSE_MS = 10_000;

/** Parts of one instance. */
export interface Instance {
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
