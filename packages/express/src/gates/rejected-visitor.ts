import type { Membership, UserIdentity } from '@latchkey/oauth';
import type { Request } from 'express';
import type { MembershipRule } from '../memberships/membership-rule.js';

/**
 * Reasons for a rejection by a gate:
 * - `signed_out`: the visitor is not signed in.
 * - `no_membership`: the visitor has no active membership.
 * - `other_membership`: the visitor has active memberships, but none that satisfies the rule.
 * - `missing_scope`: the visitor did not grant a required scope.
 */
export type RejectionReason = 'signed_out' | 'no_membership' | 'other_membership' | 'missing_scope';

/** Visitor that a gate rejected. */
export interface RejectedVisitor {
  reason: RejectionReason;
  /** Undefined for a signed-out visitor. */
  user: UserIdentity | undefined;
  /** The visitor's active memberships. */
  memberships: readonly Membership[];
  /** The rule of the gate. Undefined for `requireSignIn` and `requireScope`. */
  rule: MembershipRule | undefined;
  request: Request;
}
