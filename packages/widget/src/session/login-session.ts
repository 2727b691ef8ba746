import type { Clock } from '@latchkey/oauth';
import type { SignInOptions } from '../sign-in/sign-in.js';
import type { SessionSnapshot } from '../state/session-snapshot.js';
import type { Timers } from '../time/wake-up.js';
import type { TokenStorage } from './token-store.js';

/** The settings of a session. */
export interface LoginSessionOptions extends SignInOptions {
  /** Id of the public client: `oac_` and 24 hex characters. */
  clientId: string;
  /** Base URL of the service. */
  serviceUrl: string;
  /**
   * Scopes that a sign-in requests.
   * @default ['memberships.read']
   */
  scopes?: readonly string[] | undefined;
  /**
   * Where a standalone session stores its tokens.
   * @default 'memory'
   */
  storage?: TokenStorage | undefined;
  fetch?: typeof fetch | undefined;
  clock?: Clock | undefined;
  timers?: Timers | undefined;
}

/** One user's session at one client, on one page. */
export interface LoginSession {
  /** Path of this site where the Express kit is mounted. Absent in a standalone session. */
  readonly backend?: string | undefined;
  readonly snapshot: SessionSnapshot;
  /** The signed-in user. Store `sub` as the user's key, never `email`. */
  readonly user: SessionSnapshot['user'];
  /** Active memberships. `undefined` if no user is signed in, or `memberships.read` was not granted. */
  readonly memberships: SessionSnapshot['memberships'];
  /** The element that shows the states of this session. Elements set it, so that a page shows each state once. */
  shownBy?: (Element & { requestUpdate(): void }) | undefined;
  /** Scopes that the next sign-in requests. */
  scopes: readonly string[];
  /**
   * Calls the listener with the new snapshot after each change.
   * @returns a function that removes the listener.
   */
  subscribe(listener: (snapshot: SessionSnapshot) => void): () => void;
  /** Prepares the secrets of the next attempt, so that a click can open the popup at once. Makes no network request. */
  prepare(): Promise<void>;
  /**
   * Opens the popup, or leaves the page for a redirect. Call it synchronously in a click. While a popup is open, focuses
   * it. Never throws: snapshots report the result.
   */
  signIn(): void;
  /** Ends the running attempt and closes its popup. Without an attempt, dismisses a failure or an expiry. */
  cancel(): void;
  /** Ends the session. In backend mode, the site's server ends it; `failure` reports an error. */
  signOut(): Promise<void>;
  /** Refreshes the token and the memberships now. Does nothing while signed out. */
  refresh(): Promise<void>;
  /**
   * Returns a valid access token, refreshed if its expiry is near.
   *
   * @throws OAuthClientError `invalid_token` if no user is signed in; `invalid_configuration` in backend mode.
   */
  getAccessToken(): Promise<string>;
  /**
   * Requests an address of this site as the signed-in user: with the access token, or with the cookie in backend mode.
   * Does not follow redirects.
   *
   * @throws OAuthClientError `invalid_configuration` for an address of another site, which must not receive the token;
   * `invalid_token` if no user is signed in. TypeError for the same reasons as `fetch`.
   */
  fetch(address: string, init?: RequestInit): Promise<Response>;
  /** Stops all timers, listeners and requests of the session. */
  dispose(): void;
}
