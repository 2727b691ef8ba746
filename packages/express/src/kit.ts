import { createHash } from 'node:crypto';
import { hostedCallbackUrl, isOAuthClientError, type OAuthService, refreshTokenSet } from '@latchkey/oauth';
import { BoundedMap } from './bounded-map.js';
import type { CookieScope } from './cookies.js';
import { MembershipCache } from './memberships/membership-cache.js';
import type { Settings } from './options.js';
import { createSeal, type Seal } from './session/seal.js';
import { SealedCookieStore } from './session/sealed-cookie-store.js';
import { SessionRefresher } from './session/session-refresher.js';
import type { SessionStore } from './session/session-store.js';

/** What one instance of the kit consists of; routes and gates work on it. */
export interface Kit {
  readonly settings: Settings;
  readonly service: OAuthService;
  readonly store: SessionStore;
  readonly refresher: SessionRefresher;
  readonly memberships: MembershipCache;
  readonly sessionCookie: CookieScope;
  /** Cookie of one sign-in attempt; the name ends with a hash of the attempt's state. */
  readonly attemptCookie: CookieScope;
  readonly attemptSeal: Seal;
  /** Hashes of the states that have come back already. */
  readonly usedStates: BoundedMap<string, number>;
  /** Path of the kit as browsers see it. */
  readonly publicMountPath: string;
  readonly callbackUrl: string;
  /** The hosted callback of the configured client: the only `redirectUri` that `/auth/exchange` takes. */
  readonly hostedCallbackUrl: string;
}

const REMEMBERED_STATES = 10_000;

/** Puts an instance together. */
export function createKit(settings: Settings): Kit {
  const { serviceUrl, clientId, clientSecret, cookieSecrets, appOrigin, appPath, mountPath, clock } =
    settings;
  const service: OAuthService = {
    serviceUrl,
    clientId,
    clock,
    timeoutMs: settings.timeoutMs,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(settings.fetch === undefined ? {} : { fetch: settings.fetch }),
  };
  // Instances that differ in any of these share neither cookies nor keys.
  const instance = JSON.stringify([serviceUrl, clientId, appPath, mountPath]);
  const instanceHash = createHash('sha256').update(instance).digest('hex').slice(0, 8);
  const publicMountPath = `${appPath}${mountPath}`;
  const secure = appOrigin.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  const sessionCookie = { name: `${prefix}latchkey_${instanceHash}`, path: '/', secure };
  const store = new SealedCookieStore(createSeal(cookieSecrets, `session ${instance}`), sessionCookie.name);
  return {
    settings,
    service,
    store,
    refresher: new SessionRefresher({
      clock,
      requestTokens: (refreshToken) => requestTokens(service, refreshToken),
      saveSession: (session) => store.save(session),
    }),
    memberships: new MembershipCache(clock),
    sessionCookie,
    attemptCookie: {
      name: `${prefix}latchkey_in_${instanceHash}_`,
      // __Host- demands the path "/". It is worth more than a narrow path: without it a sibling subdomain could
      // plant an attempt of its own, and the visitor would be signed in as somebody else.
      path: secure ? '/' : publicMountPath,
      secure,
    },
    attemptSeal: createSeal(cookieSecrets, `sign-in ${instance}`),
    usedStates: new BoundedMap(REMEMBERED_STATES),
    publicMountPath,
    callbackUrl: `${appOrigin}${publicMountPath}/callback`,
    hostedCallbackUrl: hostedCallbackUrl(service),
  };
}

async function requestTokens(service: OAuthService, refreshToken: string) {
  try {
    return await refreshTokenSet(service, { refreshToken });
  } catch (error) {
    if (isOAuthClientError(error) && error.code === 'invalid_grant') return 'ended';
    throw error;
  }
}
