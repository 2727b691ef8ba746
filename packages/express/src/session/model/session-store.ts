import type { RefreshResult, SendRefresh } from './refresh-result.js';
import type { Session } from './session.js';

/** Milliseconds for which requests in flight can use a session that another one replaced in its browser. */
export const RETIRED_LIFETIME_MS = 60_000;

/**
 * Converts sessions to cookie values and back. The sealed cookie contains the whole session. A server-side store
 * contains the session, and the cookie a reference to it. Methods that call a server throw {@link SessionStoreError}.
 */
export interface SessionStore {
  /** True if a browser that misses a new cookie keeps tokens that were rotated. */
  readonly cookieHoldsTokens: boolean;
  /** Creates a random id for a new session. */
  newId(): string;
  /** Returns the session of a cookie value: synchronously if cached, undefined if the value is invalid. */
  open(cookieValue: string): Session | undefined | Promise<Session | undefined>;
  /** Returns the session id of a cookie value if it can be determined locally. */
  idOf(cookieValue: string): string | undefined;
  /** Stores a new session. Resolves with its cookie value. */
  begin(session: Session): Promise<string>;
  /** Extends the rolling lifetime of a session. Resolves with its cookie value. */
  touch(session: Session): Promise<string>;
  /** Rotates the tokens with `send`, which is called at most once, and stores the result. Never rejects. */
  refresh(session: Session, send: SendRefresh): Promise<RefreshResult>;
  /**
   * Ends the session, so that copies of its cookie become invalid. Resolves with the stored session if the store has
   * one: another process may have renewed it. If the store does not respond, it rejects and continues in the
   * background, including the revocation of the tokens.
   */
  end(id: string): Promise<Session | undefined>;
  /**
   * Marks a session as replaced by another one in its browser. It ends after {@link RETIRED_LIFETIME_MS}: with a server-side
   * store in all processes, with sealed cookies in this one.
   */
  retire(session: Session): Promise<void>;
  /** True if the session is known to have ended. Does not call a server. */
  hasEnded(session: Session): boolean;
  /** True if this process has called `retire` for the session. */
  wasReplaced(session: Session): boolean;
}

/** Thrown if the session store or the session lock fails. */
export class SessionStoreError extends Error {
  override readonly name = 'SessionStoreError';
}
