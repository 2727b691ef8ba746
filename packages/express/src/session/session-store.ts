import type { RefreshOutcome, SendRefresh } from './refresh-outcome.js';
import type { Session } from './session.js';

/**
 * Turns sessions into cookie values and back. The sealed cookie holds the whole session; a store on a server holds it
 * there and puts a reference into the cookie. What asks a server rejects with a `SessionStoreError` when it fails.
 */
export interface SessionStore {
  /** True when a browser that misses a new cookie is left with tokens that are spent. */
  readonly cookieHoldsTokens: boolean;
  /** A random id for a session that begins. */
  newId(): string;
  /** The session of a cookie value, at once when it is remembered; undefined when the value means nothing here. */
  open(cookieValue: string): Session | undefined | Promise<Session | undefined>;
  /** The id of the session that a cookie value stands for, when that is known without asking anybody. */
  idOf(cookieValue: string): string | undefined;
  /** The cookie value of a session that begins. */
  begin(session: Session): Promise<string>;
  /** The cookie value of a session that was used, with its rolling end moved on. */
  touch(session: Session): Promise<string>;
  /** Renews a session's tokens with `send`, which is called at most once, and keeps what it gave. Never rejects. */
  refresh(session: Session, send: SendRefresh): Promise<RefreshOutcome>;
  /**
   * Makes every copy of the session's cookie worthless, as far as this store can. Gives the session as it was last kept,
   * when the store knows more than the cookie: another process may have renewed it. A store that cannot be told at once
   * goes on trying, and gives the tokens back itself then.
   */
  end(id: string): Promise<Session | undefined>;
  /** Another session took this one's place in its browser; requests under way may still finish with it. */
  retire(session: Session): Promise<void>;
  /** True after `end`, as far as this store can know at once. */
  hasEnded(session: Session): boolean;
  /** True after `retire` in this process. */
  wasReplaced(session: Session): boolean;
}

/** A session store, or the lock beside it, did not do what it was asked to. */
export class SessionStoreError extends Error {
  override readonly name = 'SessionStoreError';
}
