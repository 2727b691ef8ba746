import { messageOf, networkFailureOf } from '@latchkey/contract/constants';
import { isOAuthClientError } from '@latchkey/oauth';

/** Returns the log details of a failed call to the service: codes, statuses and messages, but nothing from the request. */
export function failureDetails(error: unknown): Record<string, unknown> {
  if (isOAuthClientError(error)) {
    const { code, status } = error;
    const message = truncate(error.message);
    // The service chooses these strings, so their length is unlimited.
    const [oauthError, errorDescription] = [error.error, error.errorDescription].map(truncate);
    return {
      ...{ code, message, status, error: oauthError, errorDescription },
      ...(code === 'network' ? networkDetails(error.cause) : { advice: adviceFor(code) }),
    };
  }
  return { message: truncate(messageOf(error)) };
}

function networkDetails(cause: unknown) {
  const { reason, advice } = networkFailureOf(cause);
  return { reason, advice: `Check that serviceUrl is correct. ${advice}` };
}

const LOGGED_TEXT_LENGTH = 500;

function truncate<Text extends string | undefined>(text: Text): Text | string {
  return text !== undefined && text.length > LOGGED_TEXT_LENGTH
    ? `${text.slice(0, LOGGED_TEXT_LENGTH)}…`
    : text;
}

function adviceFor(code: string): string | undefined {
  if (code === 'invalid_client') {
    return 'The service rejected these client credentials. Compare clientId and clientSecret with the developer area. A public client has no secret.';
  }
  if (code === 'invalid_grant') {
    return 'The code has expired or was used before, or the service issued it for another redirect URI or verifier. Give every process the same appUrl and mountPath.';
  }
  if (code === 'invalid_scope') {
    return 'The client is not registered for one of the requested scopes. Check scopes and every requireScope.';
  }
  if (code === 'insufficient_scope') {
    return 'The session was not granted memberships.read. Check scopes here and the scopes of the registered client, then sign in again.';
  }
  if (code === 'timeout') return 'Check that serviceUrl is correct and reachable from this machine.';
  return undefined;
}

/** True if the service didn't respond or is temporarily unavailable, and a retry may succeed. */
export function isOutage(error: unknown): boolean {
  return isOAuthClientError(error) && ['network', 'timeout', 'aborted', 'service_error'].includes(error.code);
}

/** True if the result of the call is unknown: an outage, or a response that can't be parsed. */
export function isInconclusive(error: unknown): boolean {
  return isOutage(error) || (isOAuthClientError(error) && error.code === 'unreadable_response');
}
