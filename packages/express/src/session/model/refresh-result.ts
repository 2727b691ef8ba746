import type { Session } from './session.js';

/** Result of renewing a session. */
export type RefreshResult =
  /** All requests that receive this session share the same `cookieValue` promise. */
  | { kind: 'renewed'; session: Session; cookieValue: Promise<string> }
  /** The visitor signed out, or the service rejected the refresh token. The visitor must sign in again. */
  | { kind: 'ended' }
  /** The service did not respond, so the state of the token is unknown. */
  | { kind: 'unavailable'; cause: unknown };

/** Result of the token request, before the session has a cookie. */
export type TokenRefreshResult =
  | { kind: 'renewed'; session: Session }
  /** The refresh token was already rotated, or is revoked or expired. */
  | { kind: 'ended' }
  /** The service did not respond, so the state of the token is unknown. */
  | { kind: 'unavailable'; cause: unknown };

/** Rotates the tokens of a session at the service. Never rejects. */
export type SendRefresh = (session: Session) => Promise<TokenRefreshResult>;
