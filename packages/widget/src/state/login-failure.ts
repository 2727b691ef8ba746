import { scriptOrigin } from '../browser/addresses.js';

/**
 * Why a sign-in, a sign-out or a session check failed:
 *
 * - `popup_blocked`: the browser blocked the sign-in window;
 * - `popup_closed`: the sign-in window seems to be closed. A response that arrives later still completes the sign-in,
 *   until a new attempt starts;
 * - `opener_severed`: the page's own Cross-Origin-Opener-Policy severs it from its popups;
 * - `origin_refused`: the client doesn't allow this page's origin. The popup shows the setting to change;
 * - `state_mismatch`: the response belongs to another sign-in;
 * - `access_denied`: the user declined;
 * - `code_expired`: the code had expired or was already redeemed. A code is valid for 60 seconds;
 * - `network`: the service or the site's backend sent no response;
 * - `script_missing`: the part of the widget that reads sessions and signs in didn't load, or the browser is too old for
 *   it. The message has the cause;
 * - `service_error`: the service returned an error, or a response that can't be read;
 * - `cookies_blocked`: the browser didn't keep the backend's cookie, or denies sessionStorage to a sign-in by redirect;
 * - `insecure_context`: the page uses plain http, where browsers disable Web Crypto;
 * - `misconfigured`: a setting of the site or the client is wrong. The message says which.
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
  | 'script_missing'
  | 'service_error'
  | 'cookies_blocked'
  | 'insecure_context'
  | 'misconfigured';

/** A failed sign-in, sign-out or session check. */
export interface LoginFailure {
  code: LoginFailureCode;
  /** What failed: a session check, a sign-in or a sign-out. */
  during: 'check' | 'sign-in' | 'sign-out';
  /**
   * An explanation for developers, without codes, verifiers or tokens. Visitors see a message from `messages/` instead.
   */
  message: string;
  /**
   * True if another attempt can succeed although the site's owner must fix something: it uses a redirect, not a popup.
   */
  canRetry?: boolean;
}

/** Failures that only the site's owner can fix. */
const OWNER_CODES: readonly LoginFailureCode[] = [
  'opener_severed',
  'origin_refused',
  'insecure_context',
  'misconfigured',
];

/** Failures that the visitor chose. */
const CHOICES: readonly LoginFailureCode[] = ['access_denied', 'popup_closed'];

/** An error that the widget itself throws, with the code of its failure. */
export class LoginError extends Error {
  readonly code: LoginFailureCode;
  constructor(code: LoginFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

type Explanation = Pick<LoginFailure, 'code' | 'message'>;

/** Explains an error that isn't a {@link LoginError}. */
let explain = (error: unknown): Explanation => ({ code: 'service_error', message: String(error) });

/** Replaces `explain`. The rest of the widget also explains the errors of OAuth. */
export function explainWith(next: (error: unknown) => Explanation): void {
  explain = next;
}

/** Converts an error into a failure. A {@link LoginError} keeps its code, also as the `cause` of another error. */
export function failureOf(error: unknown, during: LoginFailure['during']): LoginFailure {
  const { cause } = Object(error) as { cause?: unknown };
  const own = [cause, error].find((one) => one instanceof LoginError);
  const { code, message } = own ?? explain(error);
  return { code, during, message };
}

/** Returns the failure for a gate with a wrong setting. */
export function misconfigured(message = ''): LoginFailure {
  return { code: 'misconfigured', during: 'check', message };
}

/** True if only the site's owner can fix the failure. */
export function isForOwner({ code }: LoginFailure): boolean {
  return OWNER_CODES.includes(code);
}

/** True if the visitor chose to stop, and nothing is wrong. */
export function isOwnChoice({ code }: LoginFailure): boolean {
  return CHOICES.includes(code);
}

/** Logs a failure, and where to read more about it. */
export function logFailure({ message, code }: LoginFailure): void {
  log('error', code, message);
}

/**
 * Logs a failure that the site's owner may be able to fix. Missing cookies and scripts are usually the visitor's
 * settings, but the site can be the cause too.
 */
export function logForOwner(failure: LoginFailure): void {
  if (isForOwner(failure) || /^cookies_|^script_/.test(failure.code)) logFailure(failure);
}

/**
 * Writes a message for the developer of the site to the console.
 * @param entry code under which the documentation explains the message.
 */
export function log(level: 'error' | 'warn' | 'info', entry: string, message: string): void {
  const service = scriptOrigin();
  // Only a sandbox serves the script over http from another origin, and it also serves the documentation.
  const isSandbox = service?.startsWith('http:') && service !== location.origin;
  const help = isSandbox ? `${service}/docs/troubleshooting#${entry}` : `latchkey explain ${entry}`;
  // biome-ignore lint/suspicious/noConsole: the developer of the site looks for such messages in the console.
  console[level](`Latchkey: ${message} ${help}`);
}
