import type { Clock, OAuthService } from '@latchkey/oauth';
import type { SessionResult, SignedIn } from './login-state.js';

/** An authorization code, with the values that redeem it. */
export interface CodeGrant {
  code: string;
  codeVerifier: string;
  redirectUri: string;
  /** The requested scopes. */
  scopes: readonly string[];
}

/** The service, the clock and the `fetch` of a session. */
export type TimedService = OAuthService & { clock: Clock; fetch: typeof fetch };

/** Reads the session. */
export interface SessionReader {
  /** True if a session may exist before a sign-in on this page. */
  readonly mayHaveSession: boolean;
  /** True from a sign-out until the next sign-in. The service then asks who signs in. Absent until it is known. */
  readonly hasSignedOut?: boolean;
  /**
   * Reads the session again and refreshes its tokens.
   * @param isCheck true to refresh the tokens only if they are due.
   */
  renew(signal: AbortSignal, isCheck?: boolean): Promise<SessionResult>;
}

/** Provides the session: from tokens in this page (standalone mode), or from the site's server (backend mode). */
export interface SessionProvider extends SessionReader {
  readonly hasSignedOut: boolean;
  /** Redeems an authorization code. */
  exchange(grant: CodeGrant, signal: AbortSignal): Promise<SignedIn>;
  /** Ends the session. If it fails, the session stays unchanged. */
  signOut(signal: AbortSignal): Promise<void>;
  /** The current access token. It may have expired. */
  accessToken?(): string | undefined;
  /** Stores the session for the next page of this site in this tab. */
  saveForNextPage?(): void;
}
