/** Maps OAuth errors to failures. Importing this file is enough. */
import { isOAuthClientError, type OAuthClientErrorCode } from '@latchkey/oauth';
import { explainWith, type LoginFailureCode } from './login-failure.js';

const CODES: Partial<Record<OAuthClientErrorCode, LoginFailureCode>> = {
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

const CONFIDENTIAL = 'The client is not public. Set backend, or use a public client.';

explainWith((error) => {
  // In a browser from before March 2024, whichever error comes first hides the reason.
  if (!AbortSignal.any || !URL.canParse) return { code: 'script_missing', message: `Old browser: ${error}` };
  const { code, error: answer } = isOAuthClientError(error) ? error : {};
  // The service's message asks for the client secret, which must never be in a page.
  const message = answer === 'invalid_client' ? CONFIDENTIAL : String(error);
  return { code: (code && CODES[code]) ?? 'service_error', message };
});
