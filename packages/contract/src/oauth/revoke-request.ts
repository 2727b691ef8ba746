import * as z from 'zod';
import { omitEmptyParameters } from './client-credentials.js';

/** What is revoked, in the body of `POST /oauth/revoke`; the client credentials beside it are judged first. */
export const revokedTokenBody = z.preprocess(
  omitEmptyParameters,
  // A wrong hint only misleads the search, it fails nothing (RFC 7009 section 2.1): any text passes.
  z.object({ token: z.string(), token_type_hint: z.string().optional() }),
);

/** The whole body of `POST /oauth/revoke`. */
export const revokeRequestBody = z.preprocess(
  omitEmptyParameters,
  z.object({
    client_id: z.string().describe('The client that the token belongs to.'),
    client_secret: z.string().describe('Required; a public client has none, and cannot revoke.'),
    token: z.string().describe('An access token or a refresh token.'),
    token_type_hint: z
      .string()
      .optional()
      .describe('`access_token` or `refresh_token`; a wrong hint is ignored.'),
  }),
);
