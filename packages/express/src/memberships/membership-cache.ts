import type { Membership } from '@latchkey/oauth';
import { BoundedMap } from '../platform/bounded-map.js';
import type { Clock } from '../platform/clock.js';

/** Milliseconds for which a response of the service is used without another request. */
export const FRESH_MS = 60_000;
/** Milliseconds for which a response may be used while the service does not respond. */
const STALE_IF_ERROR_MS = 5 * 60_000;
/** Milliseconds after a failed request before the next one for the same user. */
const RETRY_PAUSE_MS = 5_000;
const MAX_USERS = 10_000;

/** Active memberships of a user at the time of a response. */
export interface MembershipSnapshot {
  readonly memberships: readonly Membership[];
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
  /** Set if the snapshot is older than {@link FRESH_MS} and used because the service does not respond. */
  readonly stale?: true;
}

interface CachedSnapshot extends MembershipSnapshot {
  /** End of freshness. Not later than the first expiry of a membership in the snapshot. */
  readonly freshUntil: number;
  /** Number of the request that fetched it, from {@link MembershipCache.nextRequest}. */
  readonly request: number;
}

interface PendingRequest {
  readonly sub: string;
  readonly snapshot: Promise<MembershipSnapshot>;
}

/** Caches each user's memberships for a minute, so that gates do not call the service on every request. */
export class MembershipCache {
  readonly #clock: Clock;
  #snapshots = new BoundedMap<string, CachedSnapshot>(MAX_USERS);
  #failures = new BoundedMap<string, { cause: unknown; at: number }>(MAX_USERS);
  /** By access token. */
  readonly #pending = new Map<string, PendingRequest>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #forgottenAt = new Map<string, number>();
  /** Requests up to this number are not cached, for any user. */
  #allForgottenAt = 0;
  #requests = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Numbers the requests. Take a number before calling the service: {@link remember} uses it to discard responses that
   * are older than what is cached. A counter is used because a clock can be set back.
   */
  nextRequest(): number {
    this.#requests += 1;
    return this.#requests;
  }

  /** Returns the cached snapshot while it is fresh. All memberships in it are active. */
  fresh(sub: string): MembershipSnapshot | undefined {
    const snapshot = this.#snapshots.get(sub);
    if (snapshot === undefined) return undefined;
    const now = this.#clock.now();
    // A fetch time in the future means that the clock was set back, so the age is unknown.
    return now >= snapshot.fetchedAt && now < snapshot.freshUntil ? snapshot : undefined;
  }

  /** Returns a snapshot for use during an outage, without the memberships that have expired since. */
  stale(sub: string): MembershipSnapshot | undefined {
    const snapshot = this.#snapshots.get(sub);
    const now = this.#clock.now();
    if (snapshot === undefined || !isWithin(now - snapshot.fetchedAt, STALE_IF_ERROR_MS)) return undefined;
    return { fetchedAt: snapshot.fetchedAt, memberships: activeAt(snapshot.memberships, now), stale: true };
  }

  /** Caches a response, unless a newer one is cached or the user was forgotten after the request began. */
  remember(sub: string, memberships: readonly Membership[], request: number): MembershipSnapshot {
    const now = this.#clock.now();
    const active = activeAt(memberships, now);
    const snapshot = {
      memberships: active,
      fetchedAt: now,
      freshUntil: Math.min(now + FRESH_MS, firstExpiry(active)),
      request,
    };
    const forgottenAt = Math.max(this.#allForgottenAt, this.#forgottenAt.get(sub) ?? 0);
    const newest = this.#snapshots.get(sub)?.request ?? 0;
    if (request > forgottenAt && request > newest) {
      this.#snapshots.set(sub, snapshot);
      this.#failures.delete(sub);
    }
    return snapshot;
  }

  /**
   * Fetches memberships and caches them. Concurrent calls with the same access token share one request. (Not calls for
   * the same user: the previous token may be rejected while the renewed one is valid.)
   * @throws Any error of `fetchMemberships`.
   */
  fetch(
    { sub, accessToken }: { sub: string; accessToken: string },
    fetchMemberships: () => Promise<readonly Membership[]>,
  ): Promise<MembershipSnapshot> {
    const running = this.#pending.get(accessToken);
    if (running !== undefined) return running.snapshot;
    const request = this.nextRequest();
    const pending: PendingRequest = {
      sub,
      snapshot: fetchMemberships()
        .then((memberships) => this.remember(sub, memberships, request))
        .finally(() => {
          if (this.#pending.get(accessToken) === pending) this.#pending.delete(accessToken);
        }),
    };
    this.#pending.set(accessToken, pending);
    return pending.snapshot;
  }

  /** Drops the cache of a user, or of all users. Responses to requests in flight are not cached either. */
  forget(sub?: string): void {
    if (sub === undefined) {
      this.#discardAllRequests();
      this.#snapshots = new BoundedMap(MAX_USERS);
      this.#failures = new BoundedMap(MAX_USERS);
      this.#pending.clear();
      for (const watched of [...this.#listeners.keys()]) this.#notify(watched);
      return;
    }
    // When the limit is reached, requests of all users are discarded: that is safe, an outdated entry would not be.
    if (this.#forgottenAt.size >= MAX_USERS) this.#discardAllRequests();
    this.#forgottenAt.set(sub, this.nextRequest());
    this.#snapshots.delete(sub);
    this.#failures.delete(sub);
    for (const [accessToken, pending] of this.#pending) {
      if (pending.sub === sub) this.#pending.delete(accessToken);
    }
    this.#notify(sub);
  }

  /** Drops the cache of every user with one of the memberships. The ids can be in any case. */
  forgetMemberships(_membershipIds: readonly string[]): void {
    this.forget();
  }

  /**
   * Calls the listener whenever the user is forgotten.
   * @returns Function that removes the listener.
   */
  onForget(sub: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(sub) ?? new Set();
    this.#listeners.set(sub, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(sub) === listeners) this.#listeners.delete(sub);
    };
  }

  /** Records a failed request, so that the next requests of the user do not wait for another timeout. */
  recordFailure(sub: string, cause: unknown): void {
    this.#failures.set(sub, { cause, at: this.#clock.now() });
  }

  /** Returns the failure of the last {@link RETRY_PAUSE_MS}, if there is one. */
  recentFailure(sub: string): { cause: unknown } | undefined {
    const failure = this.#failures.get(sub);
    return failure !== undefined && isWithin(this.#clock.now() - failure.at, RETRY_PAUSE_MS)
      ? failure
      : undefined;
  }

  #discardAllRequests(): void {
    this.#allForgottenAt = this.nextRequest();
    this.#forgottenAt.clear();
  }

  #notify(sub: string): void {
    for (const listener of [...(this.#listeners.get(sub) ?? [])]) listener();
  }
}

/** Filters by `validUntil`, to the millisecond. A membership with an unreadable date counts as expired. */
function activeAt(memberships: readonly Membership[], now: number): Membership[] {
  return memberships.filter((membership) => membership.isActive && expiryOf(membership) > now);
}

function firstExpiry(memberships: readonly Membership[]): number {
  // A spread would exceed the number of arguments of a call for a list of a hundred thousand.
  return memberships.reduce(
    (first, membership) => Math.min(first, expiryOf(membership)),
    Number.POSITIVE_INFINITY,
  );
}

function expiryOf({ validUntil }: Membership): number {
  if (validUntil === undefined || validUntil === null) return Number.POSITIVE_INFINITY;
  const expiry = Date.parse(validUntil);
  return Number.isNaN(expiry) ? Number.NEGATIVE_INFINITY : expiry;
}

function isWithin(age: number, limit: number): boolean {
  return age >= 0 && age < limit;
}
