import type { Membership, UserIdentity } from '@latchkey/oauth';

/** A session as its keeper knows it. Times are milliseconds since the epoch by the session's clock. */
export interface SignedIn {
  readonly user: UserIdentity;
  /** The active memberships; `undefined` when the scope `memberships.read` was not granted, so that nobody can tell. */
  readonly memberships: readonly Membership[] | undefined;
  /** When the memberships were asked for. */
  readonly readAt: number;
  /** End of the access token. */
  readonly expiresAt: number;
  /** When to look again. */
  readonly renewAt: number;
  /** When to look again if the page is shown again, though nothing is due. Default: not before `renewAt`. */
  readonly checkAt?: number;
  /** When a session that could not be renewed is over. */
  readonly endsAt: number;
}

/** What looking again brings: the session, or that there is none (any more). */
export type RenewalOutcome = SignedIn | 'signed-out' | 'expired';

/** What redeeming a code takes. */
export interface CodeGrant {
  code: string;
  codeVerifier: string;
  redirectUri: string;
}

/** Keeps a session: in this page (standalone), or at the site's own server (backend). Throws OAuthClientError. */
export interface SessionKeeper {
  /** Whether a session may exist before anyone signs in on this page. */
  readonly mayHaveSession: boolean;
  exchange(grant: CodeGrant, signal: AbortSignal): Promise<SignedIn>;
  /** Looks again, and refreshes the tokens. `signed-out` costs no request where the keeper knows. */
  renew(signal: AbortSignal): Promise<RenewalOutcome>;
  /** Forgets the session; a spent or failed attempt to do so leaves it as it was. */
  signOut(signal: AbortSignal): Promise<void>;
  /** The access token as it stands, fresh or not; `undefined` when there is none. */
  accessToken(): string | undefined;
  /** Before this page goes away to one of the same site: leaves the session for it to find. */
  leaveBehind(): void;
  /** Calls back with what another tab made of the session. */
  listen(tell: (outcome: RenewalOutcome) => void): void;
  close(): void;
}
