/** The limits of the service (spec, "Limits"). Zod-free: browsers import this file. Seconds unless the name says otherwise. */

/** Lifetime of an authorization code: 60 seconds, single use. */
export const AUTHORIZATION_CODE_LIFETIME_SECONDS = 60;
/** Lifetime of an access token, and the value of `expires_in`: one hour. */
export const ACCESS_TOKEN_LIFETIME_SECONDS = 3600;
/** Lifetime of a refresh token: 30 days, started afresh at every refresh. */
export const REFRESH_TOKEN_LIFETIME_SECONDS = 30 * 24 * 3600;
/** Longest `state` an authorization request may carry, in characters. */
export const STATE_MAX_LENGTH = 1024;
/** Shortest `code_challenge` or `code_verifier`, in characters (RFC 7636 section 4.1). */
export const PKCE_MIN_LENGTH = 43;
/** Longest `code_challenge` or `code_verifier`, in characters (RFC 7636 section 4.1). */
export const PKCE_MAX_LENGTH = 128;
/** Longest `utmSource` of buy-plan, in characters. */
export const UTM_SOURCE_MAX_LENGTH = 100;
/** Validity of an invite link: 24 hours. */
export const INVITE_LINK_LIFETIME_SECONDS = 24 * 3600;
/** Time a webhook receiver has to answer with a 2xx status. */
export const WEBHOOK_RESPONSE_TIMEOUT_SECONDS = 10;
/** Length of a webhook signing secret, in hex characters; used as a literal string, not decoded. */
export const WEBHOOK_SECRET_LENGTH = 64;
/** Smallest `messengerUserId`. */
export const MESSENGER_USER_ID_MIN = 1;

/** Largest integer a path or a JSON number may carry: beyond it JavaScript and JSON lose digits. */
export const INTEGER_MAX = Number.MAX_SAFE_INTEGER;
/** Longest identifier chosen by a caller (`externalOrderId`, `externalId`), in characters. Not part of the spec. */
export const EXTERNAL_ID_MAX_LENGTH = 255;
/** Longest e-mail address, in characters (RFC 5321 section 4.5.3.1.3). Not part of the spec. */
export const EMAIL_MAX_LENGTH = 254;
/** Longest URL in a request, in characters. Not part of the spec. */
export const URL_MAX_LENGTH = 2048;
/** Largest request body, in bytes. Not part of the spec. */
export const REQUEST_BODY_MAX_BYTES = 100_000;
