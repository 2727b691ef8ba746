import type { Membership, UserIdentity } from '@latchkey/oauth';

/**
 * `req.latchkey`: the visitor of a request. It is there once `app.use(auth.router)` has run, whether or not
 * anybody is signed in. With several instances in one app it belongs to the one mounted last.
 */
export interface RequestSession {
  /**
   * True while a session is there that is past neither its rolling nor its absolute end. It does not ask the
   * service; a gate does when the access token is due.
   */
  readonly signedIn: boolean;
  /** Who is signed in; undefined exactly when `signedIn` is false. Store `sub`, never `email`, as the key of a user. */
  readonly user: UserIdentity | undefined;
  /**
   * The memberships that run now; empty when nobody is signed in. At most a minute old, or five minutes while the
   * service cannot be asked.
   * @throws LatchkeyError `service_unavailable`; `sign_in_required` when the session turns out to have ended.
   */
  memberships(): Promise<readonly Membership[]>;
  /**
   * An access token good for the next moments, refreshed when due. Keep it on the server. When it had to be
   * refreshed the answer gets a cookie, so call it before sending headers.
   * @throws LatchkeyError `sign_in_required` when nobody is signed in; `service_unavailable`.
   */
  accessToken(): Promise<string>;
}

declare global {
  namespace Express {
    interface Request {
      /** The visitor. Undefined until `app.use(auth.router)` has run for this request. */
      latchkey?: RequestSession;
    }
  }
}
