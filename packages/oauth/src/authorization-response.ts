import { AuthorizationResponseError, validateAuthResponse } from 'oauth4webapi';
import { OAuthClientError } from './oauth-client-error.js';

/** Required arguments of oauth4webapi that an authorization response is not compared with. */
const SERVER = { issuer: 'latchkey' };
const CLIENT = { client_id: 'latchkey' };

/** Parameters of an authorization response (spec, "GET /oauth/authorize"). */
const DOCUMENTED = ['code', 'state', 'error'];

/**
 * Reads the authorization code from the query of the redirect URI (RFC 6749 section 4.1.2). `state` is checked before
 * any other parameter.
 *
 * @param parameters the query, or the URL that contains it. The fragment is ignored.
 * @returns the authorization code, valid for 60 seconds.
 * @throws OAuthClientError `state_mismatch`; `access_denied` when the user declined; `invalid_scope`;
 * `authorization_failed` for any other `error`, and when the response contains no code.
 */
export function readAuthorizationResponse(
  parameters: URLSearchParams | URL,
  { expectedState }: { expectedState: string },
): string {
  const query = parameters instanceof URL ? parameters.searchParams : parameters;
  let response: URLSearchParams;
  try {
    // With an undefined expected state, oauth4webapi accepts a response without state. It rejects an empty one.
    response = validateAuthResponse(SERVER, CLIENT, documentedParameters(query), expectedState ?? '');
  } catch (failure) {
    throw validationError(query, failure);
  }
  const [code, ...others] = response.getAll('code');
  if (!code || others.length > 0) {
    throw new OAuthClientError(
      'authorization_failed',
      'The authorization response must contain exactly one code. Start the sign-in again.',
    );
  }
  return code;
}

/** Drops all other parameters: a client must ignore those that it does not know (RFC 6749 section 4.1.2). */
function documentedParameters(query: URLSearchParams): URLSearchParams {
  const documented = new URLSearchParams([...query].filter(([name]) => DOCUMENTED.includes(name)));
  const error = query.get('error');
  // A repeated error still names the reason. oauth4webapi rejects a repeated parameter.
  if (error !== null) documented.set('error', error);
  return documented;
}

/** Maps an error of oauth4webapi. It is not set as `cause`, because it contains the state and the code. */
function validationError(query: URLSearchParams, failure: unknown): OAuthClientError {
  if (failure instanceof AuthorizationResponseError) {
    const { error } = failure;
    const code = error === 'access_denied' || error === 'invalid_scope' ? error : 'authorization_failed';
    return new OAuthClientError(code, `The service returned the error ${error.slice(0, 100)}.`, { error });
  }
  const problem = query.get('state')
    ? 'The state in the authorization response does not match this sign-in'
    : 'The authorization response contains no state';
  return new OAuthClientError(
    'state_mismatch',
    `${problem}. Common causes: the Back button, a second tab, or a dropped cookie. Start the sign-in again.`,
  );
}
