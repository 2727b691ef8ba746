import { DAY_MS, messageOf } from '@latchkey/contract/constants';
import { fetchMemberships, isOAuthClientError, type OAuthService } from '@latchkey/oauth';
import QuickLRU from 'quick-lru';
import type { Clock } from '../platform/clock.js';
import { LatchkeyError, signInRequired } from '../platform/errors.js';
import type { Log } from '../platform/log.js';
import { failureDetails, isInconclusive } from '../platform/service-failure.js';
import type { DirectoryEntry, MembershipDirectory } from '../stores/kit-store.js';
import { FRESH_MS, type MembershipCache } from './membership-cache.js';
import type { MembershipSnapshot } from './membership-snapshot.js';
import { type MembershipNames, type SiteMembership, siteMembership } from './site-membership.js';

/** How long to wait for the directory, the app's database, in milliseconds. */
const DIRECTORY_TIMEOUT_MS = 2_000;

/** The directory failed or didn't respond, so it's unknown which memberships belong to this site. */
class DirectoryUnavailableError extends Error {
  override readonly name = 'DirectoryUnavailableError';
}

/**
 * Fetches memberships from the service, and adds what the directory knows about them. It looks them up by the list's
 * `id` (assumption `membership-id-shared` in docs/live-service.md).
 */
export class MembershipSource {
  readonly #service: OAuthService;
  readonly #directory: MembershipDirectory | undefined;
  readonly #recordedIds: RecordedIds;
  readonly #names: MembershipNames | undefined;

  constructor(
    service: OAuthService,
    {
      directory,
      recordedIds,
      names,
    }: {
      directory: MembershipDirectory | undefined;
      recordedIds: RecordedIds;
      names?: MembershipNames | undefined;
    },
  ) {
    this.#service = service;
    this.#directory = directory;
    this.#recordedIds = recordedIds;
    this.#names = names;
  }

  /** @throws OAuthClientError from the service; DirectoryUnavailableError. */
  async fetch(accessToken: string): Promise<SiteMembership[]> {
    const memberships = await fetchMemberships(this.#service, { accessToken });
    const ids = memberships.map(({ id }) => id);
    this.#recordedIds.compare(ids);
    const entries = await this.#find(ids);
    return memberships.map((membership) =>
      siteMembership(membership, entries.get(membership.id.toLowerCase()), this.#names),
    );
  }

  async #find(membershipIds: readonly string[]): Promise<ReadonlyMap<string, DirectoryEntry>> {
    const directory = this.#directory;
    if (directory === undefined || membershipIds.length === 0) return new Map();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(
          new DirectoryUnavailableError(
            `The membership directory did not respond within ${DIRECTORY_TIMEOUT_MS} ms. Check that its database is reachable.`,
          ),
        );
      }, DIRECTORY_TIMEOUT_MS);
    });
    try {
      return await Promise.race([directory.find(membershipIds), timeout]);
    } catch (error) {
      if (error instanceof DirectoryUnavailableError) throw error;
      throw new DirectoryUnavailableError(`The membership directory failed: ${messageOf(error)}`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

const MAX_IDS = 5_000;

/**
 * Compares the ids that this process records in the directory with those in the lists of visitors. The kit assumes that
 * both use the same id for a membership (assumption `membership-id-shared` in docs/live-service.md). If that's wrong,
 * no gate opens. Imports aren't counted: they can come from another source.
 */
export class RecordedIds {
  readonly #clock: Clock;
  readonly #recordedAt = new QuickLRU<string, number>({ maxSize: MAX_IDS });
  /** True once a visitor's list has contained a recorded id. No further comparison is necessary. */
  #isShared = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds ids that webhooks, provisioning or the app have recorded. */
  add(membershipIds: readonly string[]): void {
    if (this.#isShared) return;
    for (const id of membershipIds) this.#recordedAt.set(id.toLowerCase(), this.#clock.now());
  }

  compare(membershipIds: readonly string[]): void {
    this.#isShared ||= membershipIds.some((id) => this.#recordedAt.has(id.toLowerCase()));
  }

  /** Number of ids recorded in the last day if no visitor's list contained any of them, otherwise 0. */
  countWithoutVisitor(): number {
    if (this.#isShared) return 0;
    const now = this.#clock.now();
    return [...this.#recordedAt].filter(([, at]) => now - at < DAY_MS).length;
  }
}

/**
 * Maximum age, in milliseconds, of a snapshot that leads to a rejection or contains a membership that isn't in the
 * directory. New members are admitted at once, even if another process recorded them.
 */
export const REJECTION_MAX_AGE_MS = 5_000;

export interface MembershipCredentials {
  sub: string;
  accessToken: string;
  /** Renews the session. Resolves to the new access token, or to undefined if the session has ended. */
  renew(): Promise<string | undefined>;
}

export interface LookupOptions {
  /**
   * Maximum age of a cached snapshot in milliseconds.
   * @default 60000
   */
  maxAgeMs?: number;
  /** Calls the service even if a request has just failed. */
  ignoreRecentFailure?: boolean;
  /** Calls the service if any membership of this site may have changed since the cached snapshot. */
  isForRejection?: boolean;
}

interface LookupSources {
  readonly memberships: MembershipCache;
  readonly membershipSource: MembershipSource;
  readonly clock: Clock;
  readonly logger: Log;
}

/**
 * Reads memberships from the cache or the service, and from the last response during an outage.
 * @throws LatchkeyError `sign_in_required` if the session has ended, or `service_unavailable`.
 */
export async function findMemberships(
  { memberships: cache, membershipSource, clock, logger }: LookupSources,
  credentials: MembershipCredentials,
  { maxAgeMs = FRESH_MS, ignoreRecentFailure = false, isForRejection = false }: LookupOptions = {},
): Promise<MembershipSnapshot> {
  const { sub } = credentials;
  const cached = isForRejection ? cache.freshForRejection(sub) : cache.fresh(sub);
  if (cached !== undefined) {
    const limit = cached.hasUnknown ? Math.min(maxAgeMs, REJECTION_MAX_AGE_MS) : maxAgeMs;
    if (clock.now() - cached.fetchedAt < limit) return cached;
  }
  const failure = ignoreRecentFailure ? undefined : cache.recentFailure(sub);
  if (failure !== undefined) return duringOutage(cache, sub, failure.cause);
  try {
    return await fetchSnapshot(cache, membershipSource, credentials);
  } catch (error) {
    if (error instanceof LatchkeyError) throw error;
    cache.recordFailure(sub, error);
    logger.warn(
      'memberships_unavailable',
      'The memberships of a visitor could not be fetched.',
      failureDetails(error),
    );
    return duringOutage(cache, sub, error);
  }
}

async function fetchSnapshot(
  cache: MembershipCache,
  source: MembershipSource,
  { sub, accessToken, renew }: MembershipCredentials,
): Promise<MembershipSnapshot> {
  const fetchWith = (token: string) => cache.fetch({ sub, accessToken: token }, () => source.fetch(token));
  try {
    return await fetchWith(accessToken);
  } catch (error) {
    if (!isOAuthClientError(error) || error.code !== 'invalid_token') throw error;
  }
  // Either the service revoked the token early, or another process rotated it.
  const renewed = await renew();
  if (renewed === undefined) throw signInRequired();
  return fetchWith(renewed);
}

function duringOutage(cache: MembershipCache, sub: string, cause: unknown): MembershipSnapshot {
  // An older response must not overrule a definite rejection by the service.
  const isUnknown = isInconclusive(cause) || cause instanceof DirectoryUnavailableError;
  const stale = isUnknown ? cache.stale(sub) : undefined;
  if (stale !== undefined) return stale;
  throw new LatchkeyError('service_unavailable', 'Memberships cannot be checked at the moment.', { cause });
}
