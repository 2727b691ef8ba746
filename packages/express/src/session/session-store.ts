import type { Session } from './session.js';

/**
 * Turns sessions into cookie values and back. The sealed cookie holds the whole session; a store on a server would
 * hold it there and put a reference into the cookie.
 */
export interface SessionStore {
  /** The session of a cookie value, at once when it is remembered; undefined when the value means nothing here. */
  open(cookieValue: string): Session | undefined | Promise<Session | undefined>;
  /** The cookie value for a session that is new or has changed. */
  save(session: Session): Promise<string>;
  /** Makes every copy of the session's cookie worthless, as far as this store can. */
  end(session: Session): Promise<void>;
  /** True after `end`, as far as this store can know. */
  hasEnded(session: Session): boolean;
}
