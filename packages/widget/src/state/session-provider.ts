import type { Clock, OAuthService } from '@latchkey/oauth';
import type { SessionResult, SignedIn } from './login-state.js';

/** An authorization code, with what it takes to redeem it (RFC 6749, section 4.1.3; RFC 7636, section 4.5). */
export interface CodeGrant {
  code: string;
  codeVerifier: string;
  redirectUri: string;
  /** The requested scopes. */
  scopes: readonly string[];
}

/** The service, with the session's clock and `fetch`. */
export type TimedService = OAuthService & { clock: Clock; fetch: typeof fetch };

/** Reads the session. */
export interface SessionReader {
  /** True if a session may exist before a sign-in on this page. */
  readonly mayHaveSession: boolean;
  /**
   * True between a sign-out and the next sign-in, at which the service asks for the account. Absent until it's known.
   */
  readonly hasSignedOut?: boolean;
  /**
   * Reads the session again and refreshes its tokens.
   * @param isCheck true to refresh the tokens only if they're due.
   */
  renew(signal: AbortSignal, isCheck?: boolean): Promise<SessionResult>;
}

/** Provides the session: from tokens in this page (standalone mode), or from the site's server (backend mode). */
export interface SessionProvider extends SessionReader {
  readonly hasSignedOut: boolean;
  /** Redeems an authorization code. */
  exchange(grant: CodeGrant, signal: AbortSignal): Promise<SignedIn>;
  /** Ends the session. If that fails, the session is unchanged. */
  signOut(signal: AbortSignal): Promise<void>;
  /** Returns the current access token, which may have expired. Absent in backend mode. */
  accessToken?(): string | undefined;
  /** Keeps the tokens for the next page of this site in this tab. Absent in backend mode. */
  saveForNextPage?(): void;
}
