import { PKCE_MAX_LENGTH, PKCE_MIN_LENGTH } from '@latchkey/contract/constants';
import { type OAuthError, oauthError } from '../messages/oauth-error.js';
import type { FakeClient } from '../state/clients.js';

/** A token request and the client that it names, if the service knows it. */
export interface TokenRequest {
  form: URLSearchParams;
  client: FakeClient | undefined;
}

/** Returns the error of a token request, or undefined if the request satisfies the check. */
export type TokenCheck = (request: TokenRequest) => OAuthError | undefined;

const GRANT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  authorization_code: ['code', 'redirect_uri'],
  refresh_token: ['refresh_token'],
};

export const namesClient: TokenCheck = ({ form }) =>
  form.has('client_id') ? undefined : invalidRequest('client_id is missing.');

/** A public client must omit the secret. A confidential client must send its own. */
export const authenticatesClient: TokenCheck = ({ form, client }) =>
  client !== undefined && form.get('client_secret') === (client.secret ?? null)
    ? undefined
    : oauthError(401, 'invalid_client', 'Client authentication failed.');

export const namesKnownGrant: TokenCheck = ({ form }) =>
  Object.hasOwn(GRANT_FIELDS, form.get('grant_type') ?? '')
    ? undefined
    : invalidRequest('grant_type must be authorization_code or refresh_token.');

export const hasFieldsOfGrant: TokenCheck = ({ form }) => {
  const missing = GRANT_FIELDS[form.get('grant_type') ?? '']?.find((name) => !form.has(name));
  return missing === undefined ? undefined : invalidRequest(`${missing} is missing.`);
};

export const hasVerifierOfAllowedLength: TokenCheck = ({ form }) => {
  const length = form.get('code_verifier')?.length;
  const isAllowed = length === undefined || (length >= PKCE_MIN_LENGTH && length <= PKCE_MAX_LENGTH);
  return isAllowed ? undefined : invalidRequest('code_verifier must have 43 to 128 characters.');
};

function invalidRequest(description: string): OAuthError {
  return oauthError(400, 'invalid_request', description);
}
