import { isOAuthClientError } from '@latchkey/oauth';
import type { Clock } from '../platform/clock.js';
import { LatchkeyError, signInRequired } from '../platform/errors.js';
import { type Logger, logMessage } from '../platform/log.js';
import { failureDetails, isInconclusive } from '../platform/service-failure.js';
import { FRESH_MS, type MembershipCache } from './membership-cache.js';
import type { MembershipSnapshot } from './membership-snapshot.js';
import { DirectoryUnavailableError, type MembershipSource } from './membership-source.js';

/**
 * Maximum age in milliseconds of a snapshot that leads to a rejection, or that contains a membership unknown to the
 * directory. New members are admitted at once, also if another process has recorded them.
 */
export const REJECTION_MAX_AGE_MS = 5_000;

/** Credentials for the memberships of one user. */
export interface MembershipCredentials {
  sub: string;
  accessToken: string;
  /** Renews the session. Resolves with the new access token, or undefined if the session has ended. */
  renew(): Promise<string | undefined>;
}

export interface LookupOptions {
  /**
   * Maximum age of a cached snapshot in milliseconds.
   * @default 60000
   */
  maxAgeMs?: number;
  /** Calls the service even if a request failed within the last seconds. */
  ignoreRecentFailure?: boolean;
  /** Calls the service if any membership of this site may have changed since the cached snapshot. */
  isForRejection?: boolean;
}

/** Reads memberships from the cache or the service, and from the last response during an outage. */
export class MembershipLookup {
  readonly #source: MembershipSource;
  readonly #cache: MembershipCache;
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(
    cache: MembershipCache,
    { source, clock, logger }: { source: MembershipSource; clock: Clock; logger: Logger },
  ) {
    this.#cache = cache;
    this.#source = source;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** @throws LatchkeyError `sign_in_required` if the session has ended, or `service_unavailable`. */
  async find(
    credentials: MembershipCredentials,
    { maxAgeMs = FRESH_MS, ignoreRecentFailure = false, isForRejection = false }: LookupOptions = {},
  ): Promise<MembershipSnapshot> {
    const { sub } = credentials;
    const cached = isForRejection ? this.#cache.freshForRejection(sub) : this.#cache.fresh(sub);
    if (cached !== undefined) {
      const limit = cached.hasUnknown ? Math.min(maxAgeMs, REJECTION_MAX_AGE_MS) : maxAgeMs;
      if (this.#clock.now() - cached.fetchedAt < limit) return cached;
    }
    const failure = ignoreRecentFailure ? undefined : this.#cache.recentFailure(sub);
    if (failure !== undefined) return this.#duringOutage(sub, failure.cause);
    try {
      return await this.#fetch(credentials);
    } catch (error) {
      if (error instanceof LatchkeyError) throw error;
      this.#cache.recordFailure(sub, error);
      this.#logger.warn(
        logMessage('memberships_unavailable', 'The memberships of a visitor could not be fetched.'),
        failureDetails(error),
      );
      return this.#duringOutage(sub, error);
    }
  }

  async #fetch({ sub, accessToken, renew }: MembershipCredentials): Promise<MembershipSnapshot> {
    const fetchWith = (token: string) =>
      this.#cache.fetch({ sub, accessToken: token }, () => this.#source.fetch(token));
    try {
      return await fetchWith(accessToken);
    } catch (error) {
      if (!isOAuthClientError(error) || error.code !== 'invalid_token') throw error;
    }
    // The service revoked the token early, or another process rotated it.
    const renewed = await renew();
    if (renewed === undefined) throw signInRequired();
    return fetchWith(renewed);
  }

  #duringOutage(sub: string, cause: unknown): MembershipSnapshot {
    // A definite rejection by the service must not be overruled by an older response.
    const isUnknown = isInconclusive(cause) || cause instanceof DirectoryUnavailableError;
    const stale = isUnknown ? this.#cache.stale(sub) : undefined;
    if (stale !== undefined) return stale;
    throw new LatchkeyError('service_unavailable', 'Memberships cannot be checked at the moment.', { cause });
  }
}
