import * as z from 'zod';
import { PKCE_MAX_LENGTH, PKCE_MIN_LENGTH, STATE_MAX_LENGTH } from '../shapes/limits.js';
import { parseScopeList } from '../shapes/oauth-scope.js';
import { omitEmptyParameters } from './client-credentials.js';

/**
 * Query of `GET /oauth/authorize`, each parameter by itself. The endpoint checks everything that depends on the client:
 * its existence, redirect URIs and scopes, and the required challenge. `response_type` is ignored (spec). Empty
 * parameters count as omitted (RFC 6749 section 3.1).
 */
export const authorizationRequestQuery = z.preprocess(
  omitEmptyParameters,
  z.object({
    client_id: z.string().describe('The requesting client.'),
    redirect_uri: z.string().describe('Must exactly match a registered redirect URI.'),
    scope: z
      .string()
      .refine((text) => parseScopeList(text).length > 0, 'must contain a scope')
      .describe('`memberships.read`, `products.read`, or both, separated by a space or a comma.'),
    state: z
      .string()
      .max(STATE_MAX_LENGTH)
      .optional()
      .describe('Returned unchanged. Use a random value, and reject a response with another one.'),
    code_challenge: z
      .string()
      .min(PKCE_MIN_LENGTH)
      .max(PKCE_MAX_LENGTH)
      .optional()
      .describe('base64url(SHA-256(code_verifier)). Required for public clients.'),
    code_challenge_method: z
      .literal('S256')
      .optional()
      .describe('Only `S256`, the default if there is a challenge.'),
  }),
);

/** Query that a successful authorization adds to the redirect URI. `state` is present if the request contained one. */
export const authorizationCodeQuery = z.object({ code: z.string().min(1), state: z.string().optional() });

/** Query that a failed authorization adds to the redirect URI: only `error` and `state`. */
export const authorizationErrorQuery = z.strictObject({
  error: z.enum(['access_denied', 'invalid_scope']),
  state: z.string().optional(),
});
