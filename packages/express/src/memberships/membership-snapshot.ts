import { parseTimestamp } from '@latchkey/contract/constants';
import QuickLRU from 'quick-lru';
import type { Clock } from '../platform/clock.js';
import { type SiteMembership, sourceName } from './site-membership.js';

/** A user's running memberships, as rules see them. */
export interface MembershipView {
  /** Running memberships of every seller. */
  readonly memberships: readonly SiteMembership[];
  /** The memberships that belong to this site. */
  readonly known: readonly SiteMembership[];
}

interface TimedMembership {
  membership: SiteMembership;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** A user's running memberships at the time of a response. */
export class MembershipSnapshot implements MembershipView {
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
  /** Number of the request that fetched it, from `MembershipCache.nextRequest`. */
  readonly request: number;
  /** True if the snapshot is old, and only used since the service or the directory doesn't respond. */
  readonly stale: boolean;
  readonly known: readonly SiteMembership[];
  /** When the first membership of this site expires. */
  readonly knownUntil: number;
  /** Number of memberships at the time of the response. */
  readonly size: number;
  readonly #clock: Clock;
  #timed: readonly TimedMembership[];
  #memberships: readonly SiteMembership[];
  /** When the first membership expires. */
  #until: number;
  /** All ids in lower case, created when first needed. */
  #ids: ReadonlySet<string> | undefined;
  #sources: ReadonlySet<string> | undefined;

  constructor(
    memberships: readonly SiteMembership[],
    {
      clock,
      fetchedAt,
      request = 0,
      stale = false,
    }: { clock: Clock; fetchedAt: number; request?: number; stale?: boolean },
  ) {
    const now = clock.now();
    this.#clock = clock;
    this.fetchedAt = fetchedAt;
    this.request = request;
    this.stale = stale;
    this.#timed = runningAt(
      memberships
        .filter(({ isActive }) => isActive !== false)
        .map((membership) => ({ membership, expiresAt: expiryOf(membership) })),
      now,
    );
    this.#memberships = this.#timed.map(({ membership }) => membership);
    this.#until = firstExpiry(this.#timed);
    this.size = this.#timed.length;
    const known = this.#timed.filter(({ membership }) => membership.isKnown);
    this.known = known.map(({ membership }) => membership);
    this.knownUntil = firstExpiry(known);
  }

  /**
   * Running memberships of every seller. Expiring memberships from other sellers don't evict the snapshot: otherwise a
   * seller could defeat a user's cache by granting memberships that expire every moment.
   */
  get memberships(): readonly SiteMembership[] {
    const now = this.#clock.now();
    if (now >= this.#until) {
      this.#timed = runningAt(this.#timed, now);
      this.#memberships = this.#timed.map(({ membership }) => membership);
      this.#until = firstExpiry(this.#timed);
    }
    return this.#memberships;
  }

  /** True if one of the memberships isn't in the directory. */
  get hasUnknown(): boolean {
    return this.known.length < this.#timed.length;
  }

  /** Names of this site's communities and products in it. */
  get sources(): ReadonlySet<string> {
    this.#sources ??= new Set(this.known.map(sourceName).filter((name) => name !== undefined));
    return this.#sources;
  }

  /** Returns the part that is still running, for use during an outage. */
  asStale(): MembershipSnapshot {
    return new MembershipSnapshot(this.memberships, {
      clock: this.#clock,
      fetchedAt: this.fetchedAt,
      stale: true,
    });
  }

  /** True if it contains a membership with one of the ids (in lower case). */
  includesAny(ids: ReadonlySet<string>): boolean {
    for (const _id of this.idsIn(ids)) return true;
    return false;
  }

  /** Yields the ids that its memberships have. All are in lower case. */
  *idsIn(ids: ReadonlySet<string>): Generator<string> {
    this.#ids ??= new Set(this.#timed.map(({ membership }) => membership.id.toLowerCase()));
    const [few, many] = ids.size < this.#ids.size ? [ids, this.#ids] : [this.#ids, ids];
    for (const id of few) if (many.has(id)) yield id;
  }
}

/** Filters by `validUntil`, to the millisecond. A membership with an unreadable date counts as expired. */
function runningAt(timed: readonly TimedMembership[], now: number): readonly TimedMembership[] {
  return timed.filter(({ expiresAt }) => expiresAt > now);
}

/** No spread into `Math.min`: a list can be longer than an argument list. */
function firstExpiry(timed: readonly TimedMembership[]): number {
  return timed.reduce((first, { expiresAt }) => Math.min(first, expiresAt), Number.POSITIVE_INFINITY);
}

function expiryOf({ validUntil }: SiteMembership): number {
  if (validUntil === undefined || validUntil === null) return Number.POSITIVE_INFINITY;
  // `Date.parse` reads a time without an offset as the machine's local time.
  const expiry = parseTimestamp(validUntil) ?? Date.parse(validUntil);
  return Number.isNaN(expiry) ? Number.NEGATIVE_INFINITY : expiry;
}

const MAX_USERS = 5_000;
/** A snapshot with more memberships counts as large. Sellers can grant any number of memberships to a user. */
const LARGE = 200;
/** Maximum number of memberships in all large snapshots together: about 100 MB. */
const MAX_LARGE_TOTAL = 200_000;

/** Snapshots by user. Users with very many memberships only replace each other, not the other users. */
export class SnapshotStorage {
  readonly #small = new QuickLRU<string, MembershipSnapshot>({ maxSize: MAX_USERS });
  /** In the order of their creation. */
  readonly #large = new Map<string, MembershipSnapshot>();
  #largeTotal = 0;

  get(sub: string): MembershipSnapshot | undefined {
    return this.#small.get(sub) ?? (this.#large.size === 0 ? undefined : this.#large.get(sub));
  }

  set(sub: string, snapshot: MembershipSnapshot): void {
    this.delete(sub);
    if (snapshot.size <= LARGE) {
      this.#small.set(sub, snapshot);
      return;
    }
    this.#large.set(sub, snapshot);
    this.#largeTotal += snapshot.size;
    for (const oldest of this.#large.keys()) {
      if (this.#largeTotal <= MAX_LARGE_TOTAL || oldest === sub) break;
      this.delete(oldest);
    }
  }

  delete(sub: string): void {
    this.#small.delete(sub);
    const large = this.#large.get(sub);
    if (large === undefined) return;
    this.#large.delete(sub);
    this.#largeTotal -= large.size;
  }

  clear(): void {
    this.#small.clear();
    this.#large.clear();
    this.#largeTotal = 0;
  }

  /** Returns the users with one of the memberships. Ids are in lower case. */
  usersWith(ids: ReadonlySet<string>): string[] {
    const users: string[] = [];
    for (const [sub, snapshot] of this.#small) if (snapshot.includesAny(ids)) users.push(sub);
    for (const [sub, snapshot] of this.#large) if (snapshot.includesAny(ids)) users.push(sub);
    return users;
  }
}
