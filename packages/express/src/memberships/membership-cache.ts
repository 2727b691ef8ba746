import { comparableId } from '@latchkey/contract/constants';
import QuickLRU from 'quick-lru';
import type { Clock } from '../platform/clock.js';
import { MembershipSnapshot, SnapshotStorage } from './membership-snapshot.js';
import type { SiteMembership } from './site-membership.js';
import { type ChangedSource, SourceChanges } from './source-changes.js';

/** How long a response from the service is used without another request, in milliseconds. */
export const FRESH_MS = 60_000;
/** How long a response may be used while the service doesn't respond, in milliseconds. */
const STALE_IF_ERROR_MS = 5 * 60_000;
/** Pause after a failed request before the next one for the same user, in milliseconds. */
const RETRY_PAUSE_MS = 5_000;
const MAX_USERS = 10_000;
/** How many changed memberships are compared with the responses to requests in flight. */
const MAX_CHANGES = 10_000;

interface PendingRequest {
  readonly sub: string;
  readonly request: number;
  readonly snapshot: Promise<MembershipSnapshot>;
}

/**
 * Caches each user's memberships for a minute, so gates don't call the service on every request. Users are compared by
 * the {@link comparableId} of their `sub`.
 */
export class MembershipCache {
  readonly #clock: Clock;
  readonly #snapshots = new SnapshotStorage();
  readonly #failures = new QuickLRU<string, { cause: unknown; at: number }>({ maxSize: MAX_USERS / 2 });
  /** By access token. */
  readonly #pending = new Map<string, PendingRequest>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #forgottenAt = new Map<string, number>();
  /** Request number of the last change, by membership id in lower case. */
  readonly #changedAt = new Map<string, number>();
  /** The visitor who had a dropped membership, by membership id in lower case. */
  readonly #visitorOf = new QuickLRU<string, string>({ maxSize: MAX_CHANGES / 2 });
  readonly #sourceChanges = new SourceChanges();
  /** Responses to requests up to this number aren't cached, for any user. */
  #allForgottenAt = 0;
  #requests = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Numbers the requests. Take a number before calling the service: {@link remember} uses it to discard responses that
   * are older than what is cached. It's a counter because a clock can be set back.
   */
  nextRequest(): number {
    this.#requests += 1;
    return this.#requests;
  }

  /** Returns the cached snapshot while it is fresh. Its memberships are running. */
  fresh(sub: string): MembershipSnapshot | undefined {
    const snapshot = this.#snapshotOf(sub);
    if (snapshot === undefined) return undefined;
    const now = this.#clock.now();
    // A fetch time in the future means that the clock was set back, so the age is unknown.
    if (!isWithin(now - snapshot.fetchedAt, FRESH_MS) || now >= snapshot.knownUntil) return undefined;
    return this.#sourceChanges.isOutdated(snapshot, now) ? undefined : snapshot;
  }

  /** Returns the cached snapshot if it's fresh and no membership of any community or product has changed since. */
  freshForRejection(sub: string): MembershipSnapshot | undefined {
    const snapshot = this.fresh(sub);
    if (snapshot === undefined) return undefined;
    return this.#sourceChanges.isOldRequest(snapshot.request, this.#clock.now()) ? undefined : snapshot;
  }

  /** Returns a snapshot for use during an outage, without the memberships that have expired since. */
  stale(sub: string): MembershipSnapshot | undefined {
    const snapshot = this.#snapshotOf(sub);
    if (snapshot === undefined) return undefined;
    return isWithin(this.#clock.now() - snapshot.fetchedAt, STALE_IF_ERROR_MS)
      ? snapshot.asStale()
      : undefined;
  }

  /** Caches a response, unless a newer one is cached, or its content was changed or forgotten after the request began. */
  remember(sub: string, memberships: readonly SiteMembership[], request: number): MembershipSnapshot {
    const clock = this.#clock;
    const snapshot = new MembershipSnapshot(memberships, { clock, fetchedAt: clock.now(), request });
    const user = comparableId(sub);
    const forgottenAt = Math.max(this.#allForgottenAt, this.#forgottenAt.get(user) ?? 0);
    const cached = this.#snapshots.get(user);
    const newest = cached?.request ?? 0;
    if (request > forgottenAt && request > newest && !this.#hasChangedSince(request, memberships)) {
      this.#snapshots.set(user, snapshot);
      this.#failures.delete(user);
    }
    return snapshot;
  }

  /**
   * Fetches memberships and caches them. Concurrent calls with the same access token share one request. (Calls for the
   * same user with different tokens don't: the previous token may be rejected while the renewed one is valid.)
   * @throws any error from `fetchMemberships`.
   */
  fetch(
    { sub, accessToken }: { sub: string; accessToken: string },
    fetchMemberships: () => Promise<readonly SiteMembership[]>,
  ): Promise<MembershipSnapshot> {
    const running = this.#pending.get(accessToken);
    const isShared =
      running !== undefined && !this.#sourceChanges.isOldRequest(running.request, this.#clock.now());
    if (isShared) return running.snapshot;
    const request = this.nextRequest();
    const pending: PendingRequest = {
      sub: comparableId(sub),
      request,
      snapshot: fetchMemberships()
        .then((memberships) => this.remember(sub, memberships, request))
        .finally(() => {
          if (this.#pending.get(accessToken) === pending) this.#pending.delete(accessToken);
        }),
    };
    this.#pending.set(accessToken, pending);
    return pending.snapshot;
  }

  /** Drops the cache of a user, or of all users. Responses to requests in flight aren't cached either. */
  forget(sub?: string): void {
    if (sub === undefined) {
      this.#discardAllRequests();
      this.#snapshots.clear();
      this.#failures.clear();
      this.#pending.clear();
      this.#notifyAll();
      return;
    }
    const user = comparableId(sub);
    // At the limit, all users' requests are discarded. That's safe; an outdated entry wouldn't be.
    if (this.#forgottenAt.size >= MAX_USERS) this.#discardAllRequests();
    this.#forgottenAt.set(user, this.nextRequest());
    this.#snapshots.delete(user);
    this.#failures.delete(user);
    for (const [accessToken, pending] of this.#pending) {
      if (pending.sub === user) this.#pending.delete(accessToken);
    }
    this.#notify(user);
  }

  /**
   * Makes cached memberships outdated after a membership of the community or product has changed for an unknown user.
   * Takes effect at most once a second. The snapshots can still be used during an outage.
   */
  outdate(source: ChangedSource): void {
    if (!this.#sourceChanges.add(source, this.nextRequest(), this.#clock.now())) return;
    this.#notifyAll();
  }

  /** Returns the users with this membership in their cache, or who had it there when it was dropped. */
  visitorsWith(membershipId: string): readonly string[] {
    const id = membershipId.toLowerCase();
    const visitor = this.#visitorOf.get(id);
    return visitor === undefined ? this.#snapshots.usersWith(new Set([id])) : [visitor];
  }

  /** True if the id is the `sub` of a user with memberships that were cached, or are being fetched or awaited. */
  isVisitor(id: string): boolean {
    const user = comparableId(id);
    return (
      this.#snapshots.get(user) !== undefined ||
      this.#forgottenAt.has(user) ||
      this.#listeners.has(user) ||
      [...this.#pending.values()].some(({ sub }) => sub === user)
    );
  }

  /**
   * Drops the cache of every user with one of the memberships, after the directory has changed. Responses to requests
   * in flight aren't cached if they contain one.
   */
  forgetMemberships(membershipIds: readonly string[]): void {
    const ids = new Set(membershipIds.map((id) => String(id).toLowerCase()));
    if (this.#changedAt.size + ids.size > MAX_CHANGES) this.#discardAllRequests();
    const request = this.nextRequest();
    if (ids.size <= MAX_CHANGES) for (const id of ids) this.#changedAt.set(id, request);
    // A later caller must not share a request that began before the change.
    this.#pending.clear();
    for (const user of this.#snapshots.usersWith(ids)) {
      for (const id of this.#snapshots.get(user)?.idsIn(ids) ?? []) this.#visitorOf.set(id, user);
      this.#snapshots.delete(user);
      this.#notify(user);
    }
  }

  /**
   * Calls the listener whenever the user is forgotten, or all users.
   * @returns a function that removes the listener.
   */
  onForget(sub: string, listener: () => void): () => void {
    const user = comparableId(sub);
    const listeners = this.#listeners.get(user) ?? new Set();
    this.#listeners.set(user, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(user) === listeners) this.#listeners.delete(user);
    };
  }

  /** Records a failed request, so the user's next requests don't wait for another timeout. */
  recordFailure(sub: string, cause: unknown): void {
    this.#failures.set(comparableId(sub), { cause, at: this.#clock.now() });
  }

  /** Returns the failure of the last {@link RETRY_PAUSE_MS}, if there is one. */
  recentFailure(sub: string): { cause: unknown } | undefined {
    const failure = this.#failures.get(comparableId(sub));
    return failure !== undefined && isWithin(this.#clock.now() - failure.at, RETRY_PAUSE_MS)
      ? failure
      : undefined;
  }

  #hasChangedSince(request: number, memberships: readonly SiteMembership[]): boolean {
    return (
      this.#changedAt.size > 0 &&
      memberships.some(({ id }) => (this.#changedAt.get(id.toLowerCase()) ?? 0) > request)
    );
  }

  #discardAllRequests(): void {
    this.#allForgottenAt = this.nextRequest();
    this.#forgottenAt.clear();
    this.#changedAt.clear();
  }

  /** An id that is cached as it is needs no comparable form, which costs more than the rest of a lookup. */
  #snapshotOf(sub: string): MembershipSnapshot | undefined {
    return this.#snapshots.get(sub) ?? this.#snapshots.get(comparableId(sub));
  }

  #notifyAll(): void {
    for (const user of [...this.#listeners.keys()]) this.#notify(user);
  }

  #notify(user: string): void {
    for (const listener of [...(this.#listeners.get(user) ?? [])]) listener();
  }
}

function isWithin(age: number, limit: number): boolean {
  return age >= 0 && age < limit;
}
