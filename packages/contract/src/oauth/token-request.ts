import * as z from 'zod';
import { PKCE_MAX_LENGTH, PKCE_MIN_LENGTH } from '../limits.js';
import { omitEmptyParameters } from './client-credentials.js';

const VERIFIER_LENGTH = `must have ${PKCE_MIN_LENGTH} to ${PKCE_MAX_LENGTH} characters`;

const authorizationCodeFields = {
  grant_type: z.literal('authorization_code'),
  code: z.string().describe('The code that the authorize redirect brought.'),
  redirect_uri: z.string().describe('The same value as sent to authorize.'),
  code_verifier: z
    .string()
    .min(PKCE_MIN_LENGTH, VERIFIER_LENGTH)
    .max(PKCE_MAX_LENGTH, VERIFIER_LENGTH)
    .optional()
    .describe('Required whenever the authorization request carried a `code_challenge`.'),
};

const refreshTokenFields = {
  grant_type: z.literal('refresh_token'),
  refresh_token: z.string().describe('The refresh token of the newest pair.'),
};

const credentialFields = {
  client_id: z.string().describe('The client that asks.'),
  client_secret: z
    .string()
    .optional()
    .describe('Required for confidential clients; public clients must leave it out.'),
};

/**
 * The grant in the body of `POST /oauth/token`, json or form, without the client credentials (those are judged
 * first, see `clientCredentialsBody`). Empty parameters count as omitted; a repeated one arrives as an array and is
 * refused (RFC 6749 section 3.2).
 */
export const tokenGrantBody = z.preprocess(
  omitEmptyParameters,
  z.discriminatedUnion('grant_type', [z.object(authorizationCodeFields), z.object(refreshTokenFields)]),
);

/** The whole body of `POST /oauth/token`. */
export const tokenRequestBody = z.preprocess(
  omitEmptyParameters,
  z.discriminatedUnion('grant_type', [
    z.object({ ...credentialFields, ...authorizationCodeFields }),
    z.object({ ...credentialFields, ...refreshTokenFields }),
  ]),
);

/** The grant of a token request. */
export type TokenGrant = z.output<typeof tokenGrantBody>;
