import type { Membership, UserIdentity } from '@latchkey/oauth';
import type { Request } from 'express';
import type { MembershipRule } from './gates/membership-rule.js';

/** What can be asked of a visitor's session. */
export interface SessionAccess {
  /**
   * The memberships that run now; empty when nobody is signed in. At most a minute old, or five minutes while the
   * service cannot be asked.
   * @throws LatchkeyError `service_unavailable`; `insufficient_scope` when the visitor has not granted
   * `memberships.read`; `sign_in_required` when the session turns out to have ended.
   */
  memberships(): Promise<readonly Membership[]>;
  /**
   * Whether the memberships satisfy a rule; false when nobody is signed in. For what a page shows: what it protects
   * goes behind `requireMembership`.
   * @throws LatchkeyError as `memberships()`; LatchkeyOptionsError for a rule that cannot be meant.
   */
  has(rule: MembershipRule): Promise<boolean>;
  /**
   * An access token good for the next moments, refreshed when due. Keep it on the server. When it had to be
   * refreshed the answer gets a cookie, so call it before sending headers.
   * @throws LatchkeyError `sign_in_required` when nobody is signed in; `service_unavailable`.
   */
  accessToken(): Promise<string>;
}

/** Somebody is signed in. */
export interface SignedInSession extends SessionAccess {
  /**
   * True while a session is there that is past neither its rolling nor its absolute end. It does not ask the
   * service; a gate does when the access token is due.
   */
  readonly signedIn: true;
  /** Who is signed in. Store `sub`, never `email`, as the key of a user. */
  readonly user: UserIdentity;
  /** What the visitor has granted, as the service said: it may be less than was asked for. */
  readonly scopes: readonly string[];
}

/** Nobody is signed in, as far as is known: while the session store cannot be asked, gates and these methods answer 503. */
export interface SignedOutSession extends SessionAccess {
  readonly signedIn: false;
  readonly user: undefined;
  readonly scopes: readonly string[];
}

/**
 * `req.latchkey`: the visitor of a request. It is there once `app.use(auth.router)` has run, whether or not
 * anybody is signed in; `signedIn` tells the two apart, for TypeScript as well. With several instances in one app it
 * belongs to the one mounted last: `auth.visitor(request)` gives that of a certain one.
 */
export type RequestSession = SignedInSession | SignedOutSession;

/** A request that has passed a gate: what handlers in `auth.signedIn(…)` get. */
export type SignedInRequest<
  Params = Request['params'],
  ResponseBody = unknown,
  RequestBody = unknown,
  Query = Request['query'],
> = Request<Params, ResponseBody, RequestBody, Query> & { latchkey: SignedInSession };

declare global {
  namespace Express {
    interface Request {
      /** The visitor. Undefined until `app.use(auth.router)` has run for this request. */
      latchkey?: RequestSession;
    }
  }
}
