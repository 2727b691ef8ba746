import * as z from 'zod';
import { PKCE_MAX_LENGTH, PKCE_MIN_LENGTH } from '../shapes/limits.js';
import { omitEmptyParameters } from './client-credentials.js';

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
