import * as z from 'zod';
import { OAUTH_ERROR_CODES, OAUTH_SERVER_ERROR, type OAuthErrorCode } from '../shapes/error-code.js';

type ErrorCode = OAuthErrorCode | typeof OAUTH_SERVER_ERROR;

/** An OAuth error body (spec, "OAuth error body (bare JSON)") with one of the given values of `error`. */
export function oauthErrorSchemas<const Codes extends readonly ErrorCode[]>(codes: Codes) {
  return {
    strict: z.strictObject({ error: z.enum(codes), error_description: z.string().min(1) }),
    loose: looseOAuthError,
  };
}

const looseOAuthError = z.looseObject({
  error: z.string().min(1),
  error_description: z.string().nullish(),
});

/** Response of revoke to invalid or missing client credentials: `error` without a description. */
export const revokeInvalidClientSchemas = {
  strict: z.strictObject({ error: z.literal('invalid_client') }),
  loose: looseOAuthError,
};

/** An OAuth error body with any known `error` and a description. */
export const anyOAuthErrorSchemas = oauthErrorSchemas([...OAUTH_ERROR_CODES, OAUTH_SERVER_ERROR]);
