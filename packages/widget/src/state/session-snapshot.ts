import type { UserIdentity } from '@latchkey/oauth';
import type { LoginFailure } from './login-failure.js';
import type { LoginState, LoginStatus } from './login-state.js';
import type { Membership } from './membership.js';

/** The public part of a session's state. Immutable: each change creates a new object. Contains no token. */
export interface SessionSnapshot {
  readonly status: LoginStatus;
  readonly signedIn: boolean;
  /** Present only while signed in. Store `sub` as the user's key, never `email`. */
  readonly user?: UserIdentity;
  /** Active memberships. Present only while signed in with the scope `memberships.read`. */
  readonly memberships?: readonly Membership[];
  /** Expiry of the access token, in milliseconds since the epoch. The session renews the token before it. */
  readonly expiresAt?: number;
  /** Present if `status` is `failed`. While signed in, the reason why a sign-out failed. */
  readonly failure?: LoginFailure;
}

/** Returns the public part of a state. */
export function snapshotOf({ status, session, failure }: LoginState): SessionSnapshot {
  return {
    status,
    signedIn: session !== undefined,
    ...(session && { user: session.user, expiresAt: session.expiresAt }),
    ...(session?.memberships && { memberships: session.memberships }),
    ...(failure && { failure }),
  };
}
