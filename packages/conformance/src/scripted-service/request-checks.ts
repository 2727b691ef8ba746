import {
  characterCount,
  PKCE_MAX_LENGTH,
  PKCE_MIN_LENGTH,
  parseScopeList,
  STATE_MAX_LENGTH,
} from '@latchkey/contract/constants';
import type { FakeClient } from './grants.js';

/** The body of an OAuth error with its status (specification, "OAuth errors"). */
export interface OAuthError {
  status: number;
  error: string;
  error_description?: string;
}

export function oauthError(status: number, error: string, description?: string): OAuthError {
  return { status, error, ...(description === undefined ? {} : { error_description: description }) };
}

export interface AuthorizeRequest {
  query: URLSearchParams;
  client: FakeClient | undefined;
}

/** Returns the error that isn't redirected, or undefined if the request passes the check. */
export type AuthorizeCheck = (request: AuthorizeRequest) => OAuthError | undefined;

export const namesKnownClient: AuthorizeCheck = ({ client }) =>
  client === undefined ? invalidRequest('client_id is unknown.') : undefined;

export const hasChallengeIfPublic: AuthorizeCheck = ({ query, client }) =>
  client?.secret === undefined && !query.has('code_challenge')
    ? invalidRequest('A public client must send code_challenge.')
    : undefined;

export const hasRegisteredRedirectUri: AuthorizeCheck = ({ query, client }) => {
  const redirectUri = query.get('redirect_uri') ?? '';
  const isRegistered = client?.redirectUris?.includes(redirectUri) ?? URL.canParse(redirectUri);
  return isRegistered ? undefined : invalidRequest('redirect_uri is not registered.');
};

export const hasScope: AuthorizeCheck = ({ query }) =>
  parseScopeList(query.get('scope') ?? '').length > 0 ? undefined : invalidRequest('scope is missing.');

export const hasStateOfAllowedLength: AuthorizeCheck = ({ query }) =>
  characterCount(query.get('state') ?? '') <= STATE_MAX_LENGTH
    ? undefined
    : invalidRequest('state is longer than 1024 characters.');

export const hasSupportedChallenge: AuthorizeCheck = ({ query }) => {
  const length = query.get('code_challenge')?.length ?? PKCE_MIN_LENGTH;
  const method = query.get('code_challenge_method') ?? 'S256';
  return length >= PKCE_MIN_LENGTH && length <= PKCE_MAX_LENGTH && method === 'S256'
    ? undefined
    : invalidRequest('code_challenge must be the S256 challenge of a verifier.');
};

function invalidRequest(description: string): OAuthError {
  return oauthError(400, 'invalid_request', description);
}

export interface TokenRequest {
  form: URLSearchParams;
  client: FakeClient | undefined;
  /** True if the code was issued for a challenge, so its verifier is required. */
  hasChallenge: boolean;
}

export type TokenCheck = (request: TokenRequest) => OAuthError | undefined;

const GRANT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  authorization_code: ['code', 'redirect_uri'],
  refresh_token: ['refresh_token'],
};

export const namesClient: TokenCheck = ({ form }) =>
  form.get('client_id') ? undefined : invalidRequest('client_id is missing.');

/** A public client must not send a secret. A confidential client must send its own. */
export const authenticatesClient: TokenCheck = ({ form, client }) =>
  client !== undefined && (form.get('client_secret') || undefined) === client.secret
    ? undefined
    : oauthError(401, 'invalid_client', 'Client authentication failed.');

export const namesKnownGrant: TokenCheck = ({ form }) =>
  Object.hasOwn(GRANT_FIELDS, form.get('grant_type') ?? '')
    ? undefined
    : invalidRequest('grant_type must be authorization_code or refresh_token.');

export const hasFieldsOfGrant: TokenCheck = ({ form, hasChallenge }) => {
  const required = GRANT_FIELDS[form.get('grant_type') ?? ''] ?? [];
  const missing = [...required, ...(hasChallenge ? ['code_verifier'] : [])].find((name) => !form.get(name));
  return missing === undefined ? undefined : invalidRequest(`${missing} is missing.`);
};

export const hasVerifierOfAllowedLength: TokenCheck = ({ form }) => {
  const length = form.get('code_verifier')?.length;
  const isAllowed = length === undefined || (length >= PKCE_MIN_LENGTH && length <= PKCE_MAX_LENGTH);
  return isAllowed ? undefined : invalidRequest('code_verifier must have 43 to 128 characters.');
};
