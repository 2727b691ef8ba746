/** Values of `errorCode` known today (spec, "Response envelope"). The set can grow: callers accept others. Zod-free. */
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

/** One of the known values of `errorCode`. */
export type EnvelopeErrorCode = (typeof ENVELOPE_ERROR_CODES)[number];

/** Values of `error` on the OAuth surface (spec, "OAuth errors"). Zod-free. */
export const OAUTH_ERROR_CODES = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'access_denied',
  'invalid_token',
  'insufficient_scope',
] as const;

/** One of the seven values of `error` that the spec names. */
export type OAuthErrorCode = (typeof OAUTH_ERROR_CODES)[number];

/**
 * `error` of a 5xx on an OAuth path. The spec names no value for a failure of the service itself; this is the one of
 * RFC 6749 section 4.1.2.1.
 */
export const OAUTH_SERVER_ERROR = 'server_error';
