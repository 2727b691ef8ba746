import * as z from 'zod';
import { PKCE_MAX_LENGTH, PKCE_MIN_LENGTH, STATE_MAX_LENGTH } from '../shapes/limits.js';
import { parseScopeList } from '../shapes/values.js';

/**
 * Removes parameters with an empty value, which count as omitted (RFC 6749 sections 3.1 and 3.2). Some clients send
 * `client_secret=`. Returns anything but an object unchanged, for the schema to reject.
 */
function omitEmptyParameters(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
}

/** Client credentials in the body (`client_secret_post`). The service checks them before the grant. */
export const clientCredentialsBody = z.preprocess(
  omitEmptyParameters,
  z.object({ client_id: z.string(), client_secret: z.string().optional() }),
);

/** Client credentials. A public client has no secret. */
export type ClientCredentials = z.output<typeof clientCredentialsBody>;

/**
 * Query of `GET /oauth/authorize`, each parameter by itself. The endpoint checks what depends on the client: whether it
 * exists, its redirect URIs and scopes, and whether a challenge is required. `response_type` is ignored (spec). Empty
 * parameters count as omitted (RFC 6749 section 3.1).
 */
export const authorizationRequestQuery = z.preprocess(
  omitEmptyParameters,
  z.object({
    client_id: z.string().describe('The requesting client.'),
    redirect_uri: z.string().describe('Must exactly match a registered redirect URI.'),
    scope: z
      .string()
      .refine((text) => parseScopeList(text).length > 0, 'must contain a scope')
      .describe('`memberships.read`, `products.read`, or both, separated by a space or a comma.'),
    state: z
      .string()
      .max(STATE_MAX_LENGTH)
      .optional()
      .describe('Returned unchanged. Use a random value, and reject a response with another one.'),
    code_challenge: z
      .string()
      .min(PKCE_MIN_LENGTH)
      .max(PKCE_MAX_LENGTH)
      .optional()
      .describe('base64url(SHA-256(code_verifier)). Required for public clients.'),
    code_challenge_method: z
      .literal('S256')
      .optional()
      .describe('Only `S256`, the default if there is a challenge.'),
  }),
);

/** Query that a successful authorization adds to the redirect URI. `state` is present if the request contained one. */
export const authorizationCodeQuery = z.object({ code: z.string().min(1), state: z.string().optional() });

/** Query that a failed authorization adds to the redirect URI: only `error` and `state`. */
export const authorizationErrorQuery = z.strictObject({
  error: z.enum(['access_denied', 'invalid_scope']),
  state: z.string().optional(),
});

const VERIFIER_LENGTH = `must have ${PKCE_MIN_LENGTH} to ${PKCE_MAX_LENGTH} characters`;

const authorizationCodeFields = {
  grant_type: z.literal('authorization_code'),
  code: z.string().describe('The code from the authorization response.'),
  redirect_uri: z.string().describe('The value that was sent to authorize.'),
  code_verifier: z
    .string()
    .min(PKCE_MIN_LENGTH, VERIFIER_LENGTH)
    .max(PKCE_MAX_LENGTH, VERIFIER_LENGTH)
    .optional()
    .describe('Required if the authorization request contained a `code_challenge`.'),
};

const refreshTokenFields = {
  grant_type: z.literal('refresh_token'),
  refresh_token: z.string().describe('The refresh token of the latest token pair.'),
};

const credentialFields = {
  client_id: z.string().describe('The requesting client.'),
  client_secret: z
    .string()
    .optional()
    .describe('Required for confidential clients. Public clients must omit it.'),
};

/**
 * The grant in the body of `POST /oauth/token`, without the client credentials, which the service checks first (see
 * `clientCredentialsBody`). Empty parameters count as omitted. A repeated parameter is an array, which the schema
 * rejects (RFC 6749 section 3.2).
 */
export const tokenGrantBody = z.preprocess(
  omitEmptyParameters,
  z.discriminatedUnion('grant_type', [z.object(authorizationCodeFields), z.object(refreshTokenFields)]),
);

/** Request body of `POST /oauth/token`. */
export const tokenRequestBody = z.preprocess(
  omitEmptyParameters,
  z.discriminatedUnion('grant_type', [
    z.object({ ...credentialFields, ...authorizationCodeFields }),
    z.object({ ...credentialFields, ...refreshTokenFields }),
  ]),
);

export type TokenGrant = z.output<typeof tokenGrantBody>;

/** The token in the body of `POST /oauth/revoke`. The service checks the client credentials before it. */
export const revokedTokenBody = z.preprocess(
  omitEmptyParameters,
  // Any hint is valid: the service must ignore a wrong one (RFC 7009 section 2.1).
  z.object({ token: z.string(), token_type_hint: z.string().optional() }),
);

/** Request body of `POST /oauth/revoke`. */
export const revokeRequestBody = z.preprocess(
  omitEmptyParameters,
  z.object({
    client_id: z.string().describe('Client to which the token belongs.'),
    client_secret: z.string().describe('Required. A public client has no secret and cannot revoke.'),
    token: z.string().describe('An access token or a refresh token.'),
    token_type_hint: z
      .string()
      .optional()
      .describe('`access_token` or `refresh_token`. A wrong hint is ignored.'),
  }),
);
