import * as z from 'zod';
import { OAUTH_ERROR_CODES, OAUTH_SERVER_ERROR, type OAuthErrorCode } from '../error-code.js';

type ErrorCode = OAuthErrorCode | typeof OAUTH_SERVER_ERROR;

/** An OAuth error body (spec, "OAuth error body (bare JSON)") with one of the given values of `error`. */
export function oauthErrorViews<const Codes extends readonly ErrorCode[]>(codes: Codes) {
  return {
    exact: z.strictObject({ error: z.enum(codes), error_description: z.string().min(1) }),
    tolerant: tolerantOAuthError,
  };
}

const tolerantOAuthError = z.looseObject({
  error: z.string().min(1),
  error_description: z.string().nullish(),
});

/** The answer of revoke to bad or missing client credentials: `error` alone, no description. */
export const revokeInvalidClientViews = {
  exact: z.strictObject({ error: z.literal('invalid_client') }),
  tolerant: tolerantOAuthError,
};

/** Any OAuth error body that carries a description. */
export const anyOAuthErrorViews = oauthErrorViews([...OAUTH_ERROR_CODES, OAUTH_SERVER_ERROR]);

/** An OAuth error body as the service emits it, except for revoke's `invalid_client`. */
export type OAuthErrorBody = z.output<typeof anyOAuthErrorViews.exact>;

/** An OAuth error body as a caller reads it. */
export type ReceivedOAuthError = z.output<typeof tolerantOAuthError>;
