import type { MembershipSnapshot } from './membership-snapshot.js';
import { sourceName } from './site-membership.js';

/** Maximum number of communities and products with changes. Beyond it, a change affects all memberships. */
const MAX_SOURCES = 1_000;

/** A community or product with a change. Without either, any membership may have changed. */
export interface ChangedSource {
  communityId?: string | undefined;
  productId?: string | undefined;
}

/** Changes of memberships for unknown users. They make cached snapshots outdated without dropping them one by one. */
export class SourceChanges {
  /** Changes that affect all snapshots. */
  readonly #everything = new ChangeWindow();
  /** Changes of any source. They affect visitors who may have become members. */
  readonly #anySource = new ChangeWindow();
  readonly #bySource = new Map<string, ChangeWindow>();
  #last = 0;

  /**
   * Adds a change.
   * @param request number of the request in the sequence.
   * @returns true if the change takes effect now, false if it's merged with later ones.
   */
  add(source: ChangedSource, request: number, now: number): boolean {
    this.#last = request;
    this.#windowOf(source).add(request, now);
    return this.#anySource.add(request, now);
  }

  /** True if a request with this number began before a change in effect. */
  isOldRequest(request: number, now: number): boolean {
    return request < this.#last && request < this.#anySource.latest(now);
  }

  /**
   * True if a change in effect may affect the snapshot. Changes of its own communities and products do. If the visitor
   * has no known membership, or an unknown one, any change does: the visitor may be the new member.
   */
  isOutdated(snapshot: MembershipSnapshot, now: number): boolean {
    const { request } = snapshot;
    if (request >= this.#last) return false;
    if (request < this.#everything.latest(now)) return true;
    const mayBeNew = snapshot.known.length === 0 || snapshot.hasUnknown;
    if (mayBeNew && request < this.#anySource.latest(now)) return true;
    for (const source of snapshot.sources) {
      if (request < (this.#bySource.get(source)?.latest(now) ?? 0)) return true;
    }
    return false;
  }

  #windowOf(source: ChangedSource): ChangeWindow {
    const name = sourceName(source);
    if (name === undefined) return this.#everything;
    const known = this.#bySource.get(name);
    if (known !== undefined) return known;
    if (this.#bySource.size >= MAX_SOURCES) return this.#everything;
    const added = new ChangeWindow();
    this.#bySource.set(name, added);
    return added;
  }
}

/** Milliseconds between two drops. Changes in between are merged into one drop at the end. */
const DROP_PAUSE_MS = 1_000;

/**
 * Changes that make many users' cached memberships outdated. A busy seller can cause many a second, which would defeat
 * the cache, so they take effect at most once a second. None is lost: the last one always takes effect.
 */
class ChangeWindow {
  /** Number of the change in effect. */
  #applied = 0;
  #appliedAt = Number.NEGATIVE_INFINITY;
  #waiting: number | undefined;

  /**
   * Adds a change.
   * @param request number of the request in the sequence.
   * @returns true if the change takes effect now.
   */
  add(request: number, now: number): boolean {
    this.#waiting = request;
    return this.latest(now) === request;
  }

  /** Returns the number of the change in effect. Responses to requests with a lower number are outdated. */
  latest(now: number): number {
    if (this.#waiting === undefined) return this.#applied;
    const age = now - this.#appliedAt;
    // A negative age means that the clock was set back.
    if (age >= 0 && age < DROP_PAUSE_MS) return this.#applied;
    this.#applied = this.#waiting;
    this.#appliedAt = now;
    this.#waiting = undefined;
    return this.#applied;
  }
}
