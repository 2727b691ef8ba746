import { createHash } from 'node:crypto';
import {
  hostedCallbackUrl,
  isOAuthClientError,
  limitAnswers,
  type OAuthService,
  refreshTokenSet,
} from '@latchkey/oauth';
import { BoundedMap } from './bounded-map.js';
import type { CookieScope } from './cookies.js';
import { MembershipCache } from './memberships/membership-cache.js';
import type { Settings } from './options.js';
import { createSessionStore } from './session/create-session-store.js';
import { createSeal, type Seal } from './session/seal.js';
import { SessionRefresher } from './session/session-refresher.js';
import type { SessionStore } from './session/session-store.js';
import { Revocations } from './sign-in/revocation.js';
import { ThrottledLog } from './throttled-log.js';

/** What one instance of the kit consists of; routes and gates work on it. */
export interface Kit {
  readonly settings: Settings;
  readonly service: OAuthService;
  readonly store: SessionStore;
  /** Where failures of the session store go. */
  readonly storeFailures: ThrottledLog;
  readonly refresher: SessionRefresher;
  readonly memberships: MembershipCache;
  readonly revocations: Revocations;
  readonly sessionCookie: CookieScope;
  /** Cookie of one sign-in attempt; the name ends with a hash of the attempt's state. */
  readonly attemptCookie: CookieScope;
  readonly attemptSeal: Seal;
  /** Cookie that says since when a visitor waits for a payment to be confirmed. */
  readonly waitCookie: CookieScope;
  /** Scopes that the app asks for, at sign-in or at some gate; nothing else can be asked for. */
  readonly scopesInUse: Set<string>;
  /** Sessions, by id, whose browser has heard that the service ended them. */
  readonly toldOfEnd: BoundedMap<string, true>;
  /** Hashes of the states that have come back already. */
  readonly usedStates: BoundedMap<string, number>;
  /** Path of the kit as browsers see it. */
  readonly publicMountPath: string;
  readonly callbackUrl: string;
  /** What `/auth/exchange` takes as `redirectUri`: the client's hosted callback, and the app's own ones. */
  readonly widgetCallbackUrls: ReadonlySet<string>;
}

const REMEMBERED_STATES = 10_000;
const REMEMBERED_ENDS = 10_000;
const REFRESH_TIMEOUT_MS = 30_000;
const STORE_FAILURE_PAUSE_MS = 10_000;

/** Puts an instance together. */
export function createKit(settings: Settings): Kit {
  const {
    serviceUrl,
    clientId,
    clientSecret,
    cookieSecrets,
    appOrigin,
    appPath,
    mountPath,
    clock,
    timeoutMs,
  } = settings;
  const service: OAuthService = {
    serviceUrl,
    clientId,
    clock,
    timeoutMs,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    fetch: limitAnswers(settings.fetch),
  };
  // Instances that differ in any of these share neither cookies nor keys.
  const instance = JSON.stringify([serviceUrl, clientId, appPath, mountPath]);
  const instanceHash = createHash('sha256').update(instance).digest('hex').slice(0, 8);
  const publicMountPath = `${appPath}${mountPath}`;
  const secure = appOrigin.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  const sessionCookie = { name: `${prefix}latchkey_${instanceHash}`, path: '/', secure };
  // A slow answer to a refresh is worth waiting for, longer than for any other: it holds the only pair that is good.
  const refreshTimeoutMs = Math.max(timeoutMs, REFRESH_TIMEOUT_MS);
  const revocations = new Revocations({ settings, service });
  const store = createSessionStore(settings, {
    instance,
    cookieName: sessionCookie.name,
    refreshTimeoutMs,
    discard: (tokens) => revocations.revoke(tokens),
  });
  return {
    settings,
    service,
    store,
    storeFailures: new ThrottledLog(settings, STORE_FAILURE_PAUSE_MS),
    refresher: new SessionRefresher({
      clock,
      patienceMs: timeoutMs,
      requestTokens: (refreshToken) => requestTokens(service, { refreshToken, withinMs: refreshTimeoutMs }),
      keep: (session, send) => store.refresh(session, send),
    }),
    memberships: new MembershipCache(clock),
    revocations,
    sessionCookie,
    attemptCookie: {
      name: `${prefix}latchkey_in_${instanceHash}_`,
      // __Host- demands the path "/". It is worth more than a narrow path: without it a sibling subdomain could
      // plant an attempt of its own, and the visitor would be signed in as somebody else.
      path: secure ? '/' : publicMountPath,
      secure,
    },
    waitCookie: { name: `${prefix}latchkey_wait_${instanceHash}`, path: '/', secure },
    scopesInUse: new Set(settings.scopes),
    attemptSeal: createSeal(cookieSecrets, `sign-in ${instance}`),
    toldOfEnd: new BoundedMap(REMEMBERED_ENDS),
    usedStates: new BoundedMap(REMEMBERED_STATES),
    publicMountPath,
    callbackUrl: `${appOrigin}${publicMountPath}/callback`,
    widgetCallbackUrls: new Set([hostedCallbackUrl(service), ...settings.widgetCallbackUrls]),
  };
}

/**
 * A connection that broke leaves open whether the service has worked on the request. Asking once more tells: new tokens,
 * or the word that the old one is spent.
 */
async function requestTokens(
  service: OAuthService,
  { refreshToken, withinMs }: { refreshToken: string; withinMs: number },
) {
  const startedAt = performance.now();
  const ask = () => {
    const timeoutMs = Math.max(1, Math.ceil(startedAt + withinMs - performance.now()));
    return refreshTokenSet({ ...service, timeoutMs }, { refreshToken });
  };
  try {
    return await ask().catch((error: unknown) => {
      if (isOAuthClientError(error) && error.code === 'network') return ask();
      throw error;
    });
  } catch (error) {
    if (isOAuthClientError(error) && error.code === 'invalid_grant') return 'ended';
    throw error;
  }
}
