import type { Membership, UserIdentity } from '@latchkey/oauth';
import type { Request, Response } from 'express';
import type { MembershipRule } from '../gates/membership-rule.js';
import type { OutsiderReason } from '../gates/outsider.js';

/**
 * Why a signed-in visitor may not pass: no running membership at all, none that fits, or the visitor has not granted
 * what the page needs to know.
 */
export type ForbiddenReason = Exclude<OutsiderReason, 'signed_out'>;

/** What {@link LatchkeyPages.forbidden} is told. */
export interface ForbiddenDetails {
  reason: ForbiddenReason;
  /** The reason in a sentence for the visitor. */
  message: string;
  user: UserIdentity;
  /** What the visitor does have, running now. */
  memberships: readonly Membership[];
  /** The rule of the gate; undefined for `requireScope`. */
  rule: MembershipRule | undefined;
  /** Where the visitor can get what it takes, as `upgradeUrl` says. */
  upgradeUrl: string | undefined;
  /** With `missing_scope`: where a link leads that asks for the permission once more. */
  retryUrl?: string | undefined;
  /** Where a form may POST to sign out. */
  signOutPath: string;
}

/**
 * Why a sign-in came to nothing:
 * - `declined`: the visitor did not consent.
 * - `already_used`: this sign-in was finished before (Back button, reload).
 * - `cookie_missing`: the cookie of the attempt did not come back.
 * - `expired`: more than ten minutes passed, or the service's code ran out.
 * - `invalid_response`: the address lacks what the service sends, or the attempt's cookie does not open.
 * - `refused`: the service refused the request itself; the log says why.
 * - `service_unavailable`: the service could not be reached or did not answer properly.
 */
export type SignInFailure =
  | 'declined'
  | 'already_used'
  | 'cookie_missing'
  | 'expired'
  | 'invalid_response'
  | 'refused'
  | 'service_unavailable';

/** What {@link LatchkeyPages.signInFailed} is told. */
export interface SignInFailedDetails {
  reason: SignInFailure;
  /** The reason in a sentence for the visitor. */
  message: string;
  /** Where a link "Try again" leads. */
  retryUrl: string;
  /** True when the visitor is signed in all the same: another tab was faster, or more was asked for and declined. */
  signedIn: boolean;
}

/** What {@link LatchkeyPages.awaiting} is told. */
export interface AwaitingDetails {
  /**
   * `waiting`: the page is to be loaded again by itself, which its `Refresh` header does. `unconfirmed`: the time for
   * that is over; a link has to do.
   */
  state: 'waiting' | 'unconfirmed';
  /** The state in a sentence for the visitor. */
  message: string;
  user: UserIdentity;
  /** Where a link "Check again" leads: this page. */
  retryUrl: string;
}

/**
 * Own pages. Status and caching headers are set when they are called; they send the body. They may be
 * asynchronous; what they throw goes to Express.
 */
export interface LatchkeyPages {
  /** Status 403: signed in, but the membership, or the permission to ask for it, is missing. */
  forbidden?: ((request: Request, response: Response, details: ForbiddenDetails) => unknown) | undefined;
  /** Status 400, 403, 502 or 503: the way back from the service failed. */
  signInFailed?:
    | ((request: Request, response: Response, details: SignInFailedDetails) => unknown)
    | undefined;
  /** Status 503: the service cannot be asked, and nothing remembered is recent enough. */
  unavailable?: ((request: Request, response: Response) => unknown) | undefined;
  /** Status 202: back from checkout, and the service does not know of the membership yet (`awaitMembership`). */
  awaiting?: ((request: Request, response: Response, details: AwaitingDetails) => unknown) | undefined;
}
