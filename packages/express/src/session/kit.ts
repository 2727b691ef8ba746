import type { OAuthScope } from '@latchkey/contract/constants';
import type { OAuthService } from '@latchkey/oauth';
import type { AppUrl } from '../http/app-url.js';
import type { CookieScope } from '../http/cookies.js';
import type { LanguageOption } from '../http/language.js';
import type { MembershipCache } from '../memberships/membership-cache.js';
import type { MembershipSource, RecordedIds } from '../memberships/membership-source.js';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { MembershipDirectory } from '../stores/kit-store.js';
import type { Revocations } from './revocations.js';
import type { SessionLifetime, SessionStore, SessionStoreError } from './session.js';
import type { SessionRefresher } from './session-refresher.js';

/** The parts of one instance, as `assemble.ts` creates them. The object also identifies the instance. */
export interface Kit {
  app: AppUrl;
  clock: Clock;
  logger: Log;
  service: OAuthService;
  timeoutMs: number;
  fetch: typeof fetch | undefined;
  /** Option `scopes`. Every sign-in requests them. */
  scopes: readonly OAuthScope[];
  /** All scopes that sign-in may request. `requireScope` adds to them. */
  scopesInUse: Set<string>;

  /** Option `language`. */
  language: LanguageOption | undefined;

  lifetime: SessionLifetime;
  store: SessionStore;
  /** Logs and returns a failure of the session store. Throws any other error. */
  storeFailed(message: string, error: unknown): SessionStoreError;
  refresher: SessionRefresher;
  revocations: Revocations;
  /**
   * Ids of expired sessions that were already reported to their browser. (The types of quick-lru fail without
   * `skipLibCheck`.)
   */
  reportedExpiries: { has: (id: string) => boolean; set: (id: string, reported: true) => unknown };
  sessionCookie: CookieScope;
  /** Set from a sign-out until the browser's next sign-in. */
  signedOutCookie: CookieScope;
  /** Set for a minute after `awaitMembership` has run for a visitor. */
  recheckCookie: CookieScope;

  memberships: MembershipCache;
  membershipSource: MembershipSource;
  recordedIds: RecordedIds;
  /** The option `directory`. Changes also drop the cached memberships that they affect. */
  directory: MembershipDirectory | undefined;
}

/** The parts of an instance that a function needs. */
export type Needs<Part extends keyof Kit> = Pick<Kit, Part>;

const kits = new WeakMap<object, Kit>();

/** Makes the parts of an instance available to `@latchkey/express/testing`. */
export function registerKit(auth: object, kit: Kit): void {
  kits.set(auth, kit);
}

/** Returns undefined if `auth` isn't an instance, or comes from another copy of this package. */
export function kitOf(auth: object): Kit | undefined {
  return kits.get(auth);
}
