import type { UserIdentity } from '@latchkey/oauth';
import type { Request } from 'express';
import type { MembershipRule } from '../../memberships/membership-rule.js';
import type { SiteMembership } from '../../memberships/site-membership.js';

/** Methods of `req.latchkey`. */
export interface SessionAccess {
  /**
   * Returns the running memberships of every seller; an empty list for a signed-out visitor. `isKnown` is true for those
   * that belong to this site. The result is at most one minute old, or five minutes during an outage of the service.
   * @throws LatchkeyError `service_unavailable`; `insufficient_scope` if the visitor did not grant `memberships.read`;
   * `sign_in_required` if the session has ended.
   */
  memberships(): Promise<readonly SiteMembership[]>;
  /**
   * Checks if the memberships satisfy a rule; false for a signed-out visitor. Use it to adapt a page. To protect a
   * route, use `requireMembership`.
   * @throws LatchkeyError as `memberships()`. LatchkeyOptionsError for an invalid rule.
   */
  has(rule: MembershipRule): Promise<boolean>;
  /**
   * Returns a valid access token, and renews it if necessary. Keep it on the server. A renewal sets a cookie, so call
   * this method before headers are sent.
   * @throws LatchkeyError `sign_in_required` or `service_unavailable`.
   */
  accessToken(): Promise<string>;
}

/** Session of a signed-in visitor. */
export interface SignedInSession extends SessionAccess {
  /**
   * True if the session is within its rolling and absolute lifetime. Reading it does not call the service. A gate does
   * so when the access token has to be renewed.
   */
  readonly signedIn: true;
  /** The signed-in user. Use `sub` as the key of a user in your database, never `email`. */
  readonly user: UserIdentity;
  /** Scopes granted by the visitor. They can be fewer than requested. */
  readonly scopes: readonly string[];
}

/**
 * Session of a signed-out visitor. While the session store does not respond, every visitor appears signed out; gates and
 * the methods then fail with 503.
 */
export interface SignedOutSession extends SessionAccess {
  readonly signedIn: false;
  readonly user: undefined;
  readonly scopes: readonly string[];
}

/**
 * Type of `req.latchkey`, discriminated by `signedIn`. It is set after `app.use(auth.router)`, for signed-out visitors
 * too. With several instances in one app it belongs to the last one mounted. `auth.visitor(request)` returns the
 * session of a specific instance.
 */
export type RequestSession = SignedInSession | SignedOutSession;

/** Request behind a gate, as handlers in `auth.signedIn(…)` receive it. */
export type SignedInRequest<
  Params = Request['params'],
  ResponseBody = unknown,
  RequestBody = unknown,
  Query = Request['query'],
> = Request<Params, ResponseBody, RequestBody, Query> & { latchkey: SignedInSession };

declare global {
  namespace Express {
    interface Request {
      /** The visitor's session. Undefined until `app.use(auth.router)` has run for this request. */
      latchkey?: RequestSession;
    }
  }
}
