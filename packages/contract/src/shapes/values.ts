/** Known values of `errorCode` (spec, "Response envelope"). New values can follow, so callers must accept others. */
export const ENVELOPE_ERROR_CODES = [
  'not_found',
  'bad_request',
  'already_exists',
  'unauthorized',
  'forbidden',
  'internal_server_error',
  'service_unavailable',
  'timeout',
  'conflict',
  'precondition_failed',
  'unprocessable_entity',
] as const;

export type EnvelopeErrorCode = (typeof ENVELOPE_ERROR_CODES)[number];

/** Values of `error` in OAuth responses (spec, "OAuth errors"). */
export const OAUTH_ERROR_CODES = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'access_denied',
  'invalid_token',
  'insufficient_scope',
] as const;

export type OAuthErrorCode = (typeof OAUTH_ERROR_CODES)[number];

/**
 * Value of `error` in a 5xx response of an OAuth endpoint. The spec has no value for it, so it comes from RFC 6749
 * section 4.1.2.1.
 */
export const OAUTH_SERVER_ERROR = 'server_error';

/** Scopes that a client can request (spec, "OAuth 2.0 (sign-in)", 3). userinfo requires none. */
export const OAUTH_SCOPES = ['memberships.read', 'products.read'] as const;

export type OAuthScope = (typeof OAUTH_SCOPES)[number];

/** True if the service knows the scope. */
export function isOAuthScope(scope: string): scope is OAuthScope {
  return (OAUTH_SCOPES as readonly string[]).includes(scope);
}

/**
 * Splits the `scope` of an authorization request at spaces and commas (spec, "GET /oauth/authorize"). Removes
 * duplicates and keeps unknown scopes, for the caller to reject.
 */
export function parseScopeList(text: string): string[] {
  return [...new Set(text.split(/[ ,]+/).filter((scope) => scope !== ''))];
}

/** Joins scopes with spaces, the format of `scope` in a token pair. */
export function formatScopeList(scopes: readonly string[]): string {
  return scopes.join(' ');
}

/** Permissions that a user can select for a new API key (spec, "API keys", 2). */
export const SELECTABLE_PERMISSIONS = [
  'MEMBERSHIP_READ',
  'MEMBERSHIP_WRITE',
  'CHECKOUT_WRITE',
  'DROP_NOTIFICATION_WRITE',
] as const;

/** All permissions. `MEMBERSHIP_PROVISION` is granted to vetted partners only, on request. */
export const PERMISSIONS = [...SELECTABLE_PERMISSIONS, 'MEMBERSHIP_PROVISION'] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Product types that a membership gives access to (spec, "Membership (OAuth view)"). */
export const MEMBERSHIP_PRODUCT_TYPES = [
  'community',
  'digital_product',
  'clipping_campaign',
  'agency',
] as const;

export type MembershipProductType = (typeof MEMBERSHIP_PRODUCT_TYPES)[number];

/** Product types that a seller creates (spec, "Seller product (OAuth view)"). Older products have no type. */
export const SELLER_PRODUCT_TYPES = [
  'ebook',
  'course',
  'video',
  'audio',
  'document',
  'consultation',
  'other',
] as const;

export type SellerProductType = (typeof SELLER_PRODUCT_TYPES)[number];

/** Event types. Every active webhook receives all of them (spec, "Events", 2). */
export const WEBHOOK_EVENT_TYPES = [
  'membership.created',
  'membership.updated',
  'payment.success',
  'payment.failed',
  'digital.product.purchase',
] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

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
