import type { UserIdentity } from '@latchkey/oauth';
import type { Membership } from './membership.js';

/** A signed-in user's session. Times are milliseconds since the epoch. */
export interface SignedIn {
  readonly user: UserIdentity;
  /** The active memberships. `undefined` if the scope `memberships.read` was not granted. */
  readonly memberships: readonly Membership[] | undefined;
  /** Time at which the memberships were requested. */
  readonly readAt: number;
  /** Expiry of the access token. */
  readonly expiresAt: number;
  /** Time of the next renewal. */
  readonly renewAt: number;
  /** Time at which a session that cannot be renewed counts as expired. */
  readonly endsAt: number;
}

/** The result of a session lookup or renewal. */
export type SessionResult =
  | { kind: 'signed-in'; session: SignedIn }
  | { kind: 'signed-out' }
  | { kind: 'expired' };
