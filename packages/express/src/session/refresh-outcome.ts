import type { Session } from './session.js';

/** What became of a refresh. */
export type RefreshOutcome =
  /** `cookieValue` is the same promise for every request that gets this successor. */
  | { kind: 'renewed'; session: Session; cookieValue: Promise<string> }
  /** Signed out, or the refresh token is spent, revoked or expired: only signing in again helps. */
  | { kind: 'ended' }
  /** The service could not be asked; nothing is known about the token. */
  | { kind: 'unavailable'; cause: unknown };

/** Asks the service for the successor of a session's tokens. Never rejects. */
export type SendRefresh = (session: Session) => Promise<SentRefresh>;

/** A refresh before it has a cookie. */
export type SentRefresh =
  | { kind: 'renewed'; session: Session }
  /** The refresh token is spent, revoked or expired. */
  | { kind: 'ended' }
  /** The service could not be asked; nothing is known about the token. */
  | { kind: 'unavailable'; cause: unknown };
