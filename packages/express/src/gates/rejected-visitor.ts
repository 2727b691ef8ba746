import type { UserIdentity } from '@latchkey/oauth';
import type { Request } from 'express';
import type { MembershipRule } from '../memberships/membership-rule.js';
import type { SiteMembership } from '../memberships/site-membership.js';

/**
 * Reasons for a rejection by a gate:
 * - `signed_out`: the visitor is not signed in.
 * - `no_membership`: the visitor has no running membership of this site.
 * - `other_membership`: the visitor has memberships of this site, but none that satisfies the rule.
 * - `unknown_membership`: the visitor has a running membership that the directory does not contain. It belongs to another
 *   seller, or it was not recorded yet.
 * - `missing_scope`: the visitor did not grant a required scope.
 */
export type RejectionReason =
  | 'signed_out'
  | 'no_membership'
  | 'other_membership'
  | 'unknown_membership'
  | 'missing_scope';

/** Visitor that a gate rejected. */
export interface RejectedVisitor {
  reason: RejectionReason;
  /** Undefined for a signed-out visitor. */
  user: UserIdentity | undefined;
  /** The visitor's running memberships of every seller. */
  memberships: readonly SiteMembership[];
  /** The rule of the gate. Undefined for `requireSignIn` and `requireScope`. */
  rule: MembershipRule | undefined;
  request: Request;
}
