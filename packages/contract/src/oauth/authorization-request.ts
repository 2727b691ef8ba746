import * as z from 'zod';
import { PKCE_MAX_LENGTH, PKCE_MIN_LENGTH, STATE_MAX_LENGTH } from '../limits.js';
import { parseScopeList } from '../oauth-scope.js';
import { omitEmptyParameters } from './client-credentials.js';

/**
 * Query of `GET /oauth/authorize`, each parameter by itself. What depends on the client (its existence, its redirect
 * URIs and scopes, whether it must send a challenge) and the order of the checks are the endpoint's.
 * `response_type` is not validated, so it is not read. Empty parameters count as omitted (RFC 6749 section 3.1).
 */
export const authorizationRequestQuery = z.preprocess(
  omitEmptyParameters,
  z.object({
    client_id: z.string().describe('The client that asks.'),
    redirect_uri: z.string().describe('Must exactly match a registered redirect URI.'),
    scope: z
      .string()
      .refine((text) => parseScopeList(text).length > 0, 'must name a scope')
      .describe('`memberships.read`, `products.read`, or both, separated by a space or a comma.'),
    state: z
      .string()
      .max(STATE_MAX_LENGTH)
      .optional()
      .describe('Echoed back. Make it random, and refuse an answer with another one.'),
    code_challenge: z
      .string()
      .min(PKCE_MIN_LENGTH)
      .max(PKCE_MAX_LENGTH)
      .optional()
      .describe('base64url(SHA-256(code_verifier)). Required for public clients.'),
    code_challenge_method: z
      .literal('S256')
      .optional()
      .describe('Only `S256`, which is assumed when a challenge is present.'),
  }),
);

/** Query that a successful authorization adds to the redirect URI; `state` when the request carried one. */
export const authorizationCodeQuery = z.object({ code: z.string().min(1), state: z.string().optional() });

/** Query that a refused authorization adds to the redirect URI: `error` and `state`, nothing else. */
export const authorizationErrorQuery = z.strictObject({
  error: z.enum(['access_denied', 'invalid_scope']),
  state: z.string().optional(),
});
