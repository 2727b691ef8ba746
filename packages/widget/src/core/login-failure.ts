import { isOAuthClientError, type OAuthClientErrorCode } from '@latchkey/oauth';

/**
 * Why a sign-in did not succeed, or a session could not be looked up:
 *
 * - `popup_blocked`: the browser refused the window;
 * - `popup_closed`: the window seems closed. A hint: an answer that still arrives counts, until a new attempt starts;
 * - `opener_severed`: the page's own Cross-Origin-Opener-Policy cuts it off from its popups;
 * - `origin_refused`: the client does not allow this page's origin; the popup says which setting to change;
 * - `state_mismatch`: an answer came that belongs to another sign-in;
 * - `access_denied`: the user declined;
 * - `code_expired`: the code was expired or spent when it was exchanged (a code lives for 60 seconds);
 * - `network`: no answer, from the service or from the site's backend;
 * - `service_error`: an answer that says so, or that cannot be understood;
 * - `insecure_context`: the page is on plain http, where browsers give no cryptography;
 * - `misconfigured`: something the site's owner has to set right; the message says what.
 */
export type LoginFailureCode =
  | 'popup_blocked'
  | 'popup_closed'
  | 'opener_severed'
  | 'origin_refused'
  | 'state_mismatch'
  | 'access_denied'
  | 'code_expired'
  | 'network'
  | 'service_error'
  | 'insecure_context'
  | 'misconfigured';

/** A failure by name. */
export interface LoginFailure {
  code: LoginFailureCode;
  /** What failed: looking up the session, signing in, or signing out. */
  during: 'check' | 'sign-in' | 'sign-out';
  /** For developers; what users read is in `messages/`. Holds no code, verifier or token. */
  message: string;
}

const FAILURES: Partial<Record<OAuthClientErrorCode, LoginFailureCode>> = {
  access_denied: 'access_denied',
  state_mismatch: 'state_mismatch',
  invalid_grant: 'code_expired',
  network: 'network',
  timeout: 'network',
  insecure_context: 'insecure_context',
  invalid_configuration: 'misconfigured',
  invalid_client: 'misconfigured',
  invalid_request: 'misconfigured',
  invalid_scope: 'misconfigured',
  insufficient_scope: 'misconfigured',
};

/** A failure that arises in the page itself. */
export class LoginProblem extends Error {
  readonly code: LoginFailureCode;
  constructor(code: LoginFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Names the failure behind an error. */
export function failureOf(error: unknown, during: LoginFailure['during']): LoginFailure {
  const code = isOAuthClientError(error)
    ? FAILURES[error.code]
    : error instanceof LoginProblem
      ? error.code
      : undefined;
  return { code: code ?? 'service_error', during, message: String(error) };
}
