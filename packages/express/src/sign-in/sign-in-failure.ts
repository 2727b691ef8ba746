import type { OAuthClientError } from '@latchkey/oauth';
import { isOutage } from '../platform/service-failure.js';

/**
 * Reasons for a failed sign-in:
 * - `declined`: the visitor did not consent.
 * - `already_used`: this sign-in was completed before (Back button, reload).
 * - `cookie_missing`: the browser did not send the cookie of the attempt.
 * - `expired`: more than ten minutes passed, or the code of the service expired.
 * - `invalid_response`: the callback URL lacks required parameters, or the cookie of the attempt cannot be decrypted.
 * - `refused`: the service rejected the request. The log contains its error.
 * - `service_unavailable`: the service did not respond, or the session store failed.
 */
export type SignInFailure =
  | 'declined'
  | 'already_used'
  | 'cookie_missing'
  | 'expired'
  | 'invalid_response'
  | 'refused'
  | 'service_unavailable';

/** Maps an error of the authorization response or the code exchange to a reason. */
export function failureOfError(error: OAuthClientError): SignInFailure {
  if (error.code === 'access_denied') return 'declined';
  if (error.code === 'invalid_grant') return 'expired';
  if (error.code === 'state_mismatch') return 'invalid_response';
  return isOutage(error) ? 'service_unavailable' : 'refused';
}
