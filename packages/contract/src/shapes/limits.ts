// The limits of the service (spec, "Limits"). Browsers import this file, so it must not import zod.

/** Lifetime of an authorization code, in seconds. */
export const AUTHORIZATION_CODE_LIFETIME_SECONDS = 60;
/** Lifetime of an access token, in seconds; the value of `expires_in`. */
export const ACCESS_TOKEN_LIFETIME_SECONDS = 3600;
/** Lifetime of a refresh token, in seconds: 30 days. Each refresh issues a token with the full lifetime. */
export const REFRESH_TOKEN_LIFETIME_SECONDS = 30 * 24 * 3600;
/** Maximum length of `state` in an authorization request, in characters. */
export const STATE_MAX_LENGTH = 1024;
/** Returns the length of a string in characters. An emoji counts once, although it's two units of a JavaScript string. */
export function characterCount(text: string): number {
  return [...text].length;
}

/** Minimum length of `code_challenge` and `code_verifier`, in characters (RFC 7636 section 4.1). */
export const PKCE_MIN_LENGTH = 43;
/** Maximum length of `code_challenge` and `code_verifier`, in characters (RFC 7636 section 4.1). */
export const PKCE_MAX_LENGTH = 128;
/** Maximum length of `utmSource` of buy-plan, in characters. */
export const UTM_SOURCE_MAX_LENGTH = 100;
/** Lifetime of an invite link, in seconds: 24 hours. */
export const INVITE_LINK_LIFETIME_SECONDS = 24 * 3600;
/** How long a webhook receiver may take to respond with a 2xx status, in seconds. */
export const WEBHOOK_RESPONSE_TIMEOUT_SECONDS = 10;
/** Length of a webhook signing secret, in hex characters. The key is the literal string, not the decoded bytes. */
export const WEBHOOK_SECRET_LENGTH = 64;
/** Minimum of `messengerUserId`. */
export const MESSENGER_USER_ID_MIN = 1;

/** Maximum integer in a path or a JSON number. JavaScript rounds larger ones. */
export const INTEGER_MAX = Number.MAX_SAFE_INTEGER;
/** Maximum length of a URL in a request, in characters. Not part of the spec. */
export const URL_MAX_LENGTH = 2048;
/** Maximum size of a request body, in bytes. Not part of the spec. */
export const REQUEST_BODY_MAX_BYTES = 100_000;
