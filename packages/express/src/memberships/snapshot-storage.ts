import { BoundedMap } from '../platform/bounded-map.js';
import type { MembershipSnapshot } from './membership-snapshot.js';

const MAX_USERS = 10_000;
/** A snapshot with more memberships counts as large. Sellers can grant any number of memberships to a user. */
const LARGE = 200;
/** Memberships in all large snapshots together: about 100 MB. */
const MAX_LARGE_TOTAL = 200_000;

/** Snapshots by user. Users with very many memberships replace each other only, not the other users. */
export class SnapshotStorage {
  #small = new BoundedMap<string, MembershipSnapshot>(MAX_USERS);
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
    this.#small = new BoundedMap(MAX_USERS);
    this.#large.clear();
    this.#largeTotal = 0;
  }

  /** Returns the users with one of the memberships. The ids are in lower case. */
  usersWith(ids: ReadonlySet<string>): string[] {
    const users: string[] = [];
    for (const [sub, snapshot] of this.#small) if (snapshot.includesAny(ids)) users.push(sub);
    for (const [sub, snapshot] of this.#large) if (snapshot.includesAny(ids)) users.push(sub);
    return users;
  }
}
