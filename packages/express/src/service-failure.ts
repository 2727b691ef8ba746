import { isOAuthClientError } from '@latchkey/oauth';

/** What the log gets of a failed call: names and numbers, nothing that was sent. */
export function failureDetails(error: unknown): Record<string, unknown> {
  if (isOAuthClientError(error)) {
    const { code, status } = error;
    const message = brief(error.message);
    // Of the service's own words, which may be anything.
    const [oauthError, errorDescription] = [error.error, error.errorDescription].map(brief);
    return { code, message, status, error: oauthError, errorDescription, advice: adviceFor(code) };
  }
  return { message: brief(error instanceof Error ? error.message : String(error)) };
}

const BRIEF_LENGTH = 500;

function brief<Text extends string | undefined>(text: Text): Text | string {
  return text !== undefined && text.length > BRIEF_LENGTH ? `${text.slice(0, BRIEF_LENGTH)}…` : text;
}

function adviceFor(code: string): string | undefined {
  if (code === 'invalid_client') {
    return 'The service does not accept these client credentials: compare clientId and clientSecret with the developer area (a public client has no secret).';
  }
  if (code === 'invalid_scope') {
    return 'The client is not registered for one of the scopes that were asked for: those in scopes, and in requireScope.';
  }
  if (code === 'insufficient_scope') {
    return 'The session was not granted memberships.read: check scopes here and those registered for the client, then sign in again.';
  }
  if (code === 'network' || code === 'timeout')
    return 'Is serviceUrl right, and reachable from this machine?';
  return undefined;
}

/** True when the service did not answer, or not now: trying again later may help. */
export function isOutage(error: unknown): boolean {
  return isOAuthClientError(error) && ['network', 'timeout', 'aborted', 'service_error'].includes(error.code);
}

/** True when nothing was learnt: the service did not answer, or with something that cannot be read. */
export function isInconclusive(error: unknown): boolean {
  return isOutage(error) || (isOAuthClientError(error) && error.code === 'unreadable_response');
}
