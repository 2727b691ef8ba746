import type { UserIdentity } from '@latchkey/oauth';
import type { Request, Response } from 'express';
import type { MembershipRule } from '../memberships/membership-rule.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import type { SignInPages } from '../sign-in/send-sign-in-failure.js';
import type { RejectionReason } from './rejected-visitor.js';

/** Reasons for a 403. */
export type ForbiddenReason = Exclude<RejectionReason, 'signed_out'>;

/** Details for `pages.forbidden`. */
export interface ForbiddenDetails {
  reason: ForbiddenReason;
  /** The reason as a sentence for the visitor. */
  message: string;
  user: UserIdentity;
  /** The visitor's running memberships of every seller. */
  memberships: readonly SiteMembership[];
  /** The rule of the gate. Undefined for `requireScope`. */
  rule: MembershipRule | undefined;
  /** Result of the option `upgradeUrl`: the page that sells the membership. */
  upgradeUrl: string | undefined;
  /** Set with `unknown_membership`: ids of memberships that the directory does not contain, newest first. */
  membershipIds?: readonly string[] | undefined;
  /** Set with `missing_scope` and `unknown_membership`: URL of a link that tries again. */
  retryUrl?: string | undefined;
  /** Path for a form that signs out by POST. */
  signOutPath: string;
}

/** Details for `pages.awaiting`. */
export interface AwaitingDetails {
  /**
   * `waiting`: the page reloads itself by its `Refresh` header. `unconfirmed`: the waiting time is over, and the visitor
   * has to use a link.
   */
  state: 'waiting' | 'unconfirmed';
  /** The state as a sentence for the visitor. */
  message: string;
  user: UserIdentity;
  /** Set with `unconfirmed`: ids of memberships that exist, but that the directory does not contain. */
  membershipIds?: readonly string[] | undefined;
  /** URL for a "Check again" link: this page. */
  retryUrl: string;
}

/**
 * Custom pages. Status and caching headers are set before each function is called; the function sends the body. It may
 * be async. Its errors go to Express.
 */
export interface LatchkeyPages extends SignInPages {
  /** Status 403: the visitor lacks the membership, or did not grant a scope. */
  forbidden?: ((request: Request, response: Response, details: ForbiddenDetails) => unknown) | undefined;
  /** Status 503: the service does not respond, and no cached result is recent enough. */
  unavailable?: ((request: Request, response: Response) => unknown) | undefined;
  /** Status 202 of `awaitMembership`: the visitor returned from checkout, but has no membership yet. */
  awaiting?: ((request: Request, response: Response, details: AwaitingDetails) => unknown) | undefined;
}
