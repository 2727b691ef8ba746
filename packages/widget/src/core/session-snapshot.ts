import type { Membership, UserIdentity } from '@latchkey/oauth';
import type { LoginFailure } from './login-failure.js';
import type { LoginState, LoginStatus } from './login-state.js';

/** What a page may know of a session. Immutable; a change gives a new object. Holds no token. */
export interface SessionSnapshot {
  readonly status: LoginStatus;
  readonly signedIn: boolean;
  /** Only when signed in. `sub` is the key to store, never `email`. */
  readonly user?: UserIdentity;
  /** Active memberships, only when signed in; absent when `memberships.read` was not granted. */
  readonly memberships?: readonly Membership[];
  /** End of the access token in milliseconds since the epoch, only when signed in. Renewed ahead of it. */
  readonly expiresAt?: number;
  /** Always when `status` is `failed`; when signed in, why signing out did not work. */
  readonly failure?: LoginFailure;
}

/** The part of a state that is everybody's. */
export function snapshotOf({ status, session, failure }: LoginState): SessionSnapshot {
  return {
    status,
    signedIn: session !== undefined,
    ...(session && { user: session.user, expiresAt: session.expiresAt }),
    ...(session?.memberships && { memberships: session.memberships }),
    ...(failure && { failure }),
  };
}
