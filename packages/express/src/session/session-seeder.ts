import type { MembershipCache } from '../memberships/membership-cache.js';
import type { Clock } from '../platform/clock.js';
import type { MembershipDirectory } from '../stores/kit-store.js';
import type { SessionStore } from './session.js';

/** Parts of an instance that `@latchkey/express/testing` needs to create sessions. */
export interface SessionSeeder {
  fetch: typeof fetch | undefined;
  clock: Clock;
  scopes: readonly string[];
  cookieName: string;
  store: SessionStore;
  memberships: MembershipCache;
  directory: MembershipDirectory | undefined;
}

const seeders = new WeakMap<object, SessionSeeder>();

/** Makes an instance available to `@latchkey/express/testing`. */
export function registerSeeder(auth: object, seeder: SessionSeeder): void {
  seeders.set(auth, seeder);
}

/** Returns undefined if `auth` is not an instance, or comes from another copy of this package. */
export function seederOf(auth: object): SessionSeeder | undefined {
  return seeders.get(auth);
}
