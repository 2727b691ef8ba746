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
