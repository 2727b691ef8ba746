import type { Membership, UserIdentity } from '@latchkey/oauth';
import type { Session } from '../session/model/session.js';

/** Decision of a gate to reject a request. */
export type Rejection =
  | { kind: 'signed_out'; hasExpired: boolean }
  | { kind: 'not_a_member'; user: UserIdentity; memberships: readonly Membership[] }
  | { kind: 'missing_scope'; session: Session; missing: readonly string[] }
  /** The service does not respond, and no cached result is recent enough. */
  | { kind: 'unavailable' }
  /** The visitor returned from checkout, and the page reloads itself. */
  | { kind: 'payment_pending'; user: UserIdentity }
  /** The visitor returned from checkout, and the waiting time is over. */
  | { kind: 'payment_unconfirmed'; user: UserIdentity };

/** Decision of a gate. */
export type GateResult =
  | { kind: 'allowed' }
  /** The connection closed or a response was sent, so none follows. */
  | { kind: 'closed' }
  | Rejection;
