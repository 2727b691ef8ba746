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
 * Value of `error` in a 5xx response of an OAuth endpoint. The spec names no value for it, so it comes from RFC 6749
 * section 4.1.2.1.
 */
export const OAUTH_SERVER_ERROR = 'server_error';
