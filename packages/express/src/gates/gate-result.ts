import type { UserIdentity } from '@latchkey/oauth';
import type { SiteMembership } from '../memberships/site-membership.js';
import type { Session } from '../session/model/session.js';

/** Decision of a gate to reject a request. */
export type Rejection =
  | { kind: 'signed_out'; hasExpired: boolean }
  | {
      kind: 'not_a_member';
      reason: 'no_membership' | 'other_membership';
      user: UserIdentity;
      memberships: readonly SiteMembership[];
    }
  /** The directory does not contain a membership that could satisfy the rule. */
  | {
      kind: 'unknown_membership';
      user: UserIdentity;
      memberships: readonly SiteMembership[];
      ids: readonly string[];
    }
  | { kind: 'missing_scope'; session: Session; missing: readonly string[] }
  /** The service does not respond, and no cached result is recent enough. */
  | { kind: 'unavailable' }
  /** The visitor returned from checkout, and the page reloads itself. */
  | { kind: 'payment_pending'; user: UserIdentity }
  /** The visitor returned from checkout, and the waiting time is over. */
  | { kind: 'payment_unconfirmed'; user: UserIdentity; ids: readonly string[] };

/** Decision of a gate. */
export type GateResult =
  | { kind: 'allowed' }
  /** The connection closed or a response was sent, so none follows. */
  | { kind: 'closed' }
  | Rejection;
