import { OAuthClientError } from './oauth-client-error.js';

/**
 * Reads the answer to an authorization request from the query of the redirect URI (RFC 6749 section 4.1.2). `state`
 * is checked before anything else is believed.
 *
 * @param parameters the query, or the URL that carries it; a fragment is not read.
 * @returns the authorization code, valid for 60 seconds.
 * @throws OAuthClientError `state_mismatch`; `access_denied` when the user declined; `invalid_scope`;
 * `authorization_failed` for any other `error`, and when there is no code.
 */
export function readAuthorizationResponse(
  parameters: URLSearchParams | URL,
  { expectedState }: { expectedState: string },
): string {
  const query = parameters instanceof URL ? parameters.searchParams : parameters;
  const state = single(query, 'state');
  if (!state || state !== expectedState) {
    throw new OAuthClientError(
      'state_mismatch',
      `The answer ${state ? 'is not of this sign-in' : 'carries no state'}: opened again (Back button, another tab), or a cookie was dropped. Start the sign-in again.`,
    );
  }
  const error = query.get('error');
  if (error !== null) {
    const known = error === 'access_denied' || error === 'invalid_scope' ? error : 'authorization_failed';
    throw new OAuthClientError(known, `The service answered ${error.slice(0, 100)}.`, { error });
  }
  const code = single(query, 'code');
  if (!code) {
    throw new OAuthClientError('authorization_failed', 'The answer carries no code, or more than one.');
  }
  return code;
}

/** A parameter sent more than once has no value (RFC 6749 section 3.1). */
function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}
