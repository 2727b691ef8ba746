import * as z from 'zod';
import { omitEmptyParameters } from './client-credentials.js';

/** The token in the body of `POST /oauth/revoke`. The service checks the client credentials before it. */
export const revokedTokenBody = z.preprocess(
  omitEmptyParameters,
  // Any hint is valid, because the service must ignore a wrong one (RFC 7009 section 2.1).
  z.object({ token: z.string(), token_type_hint: z.string().optional() }),
);

/** Request body of `POST /oauth/revoke`. */
export const revokeRequestBody = z.preprocess(
  omitEmptyParameters,
  z.object({
    client_id: z.string().describe('Client to which the token belongs.'),
    client_secret: z.string().describe('Required. A public client has no secret and cannot revoke.'),
    token: z.string().describe('An access token or a refresh token.'),
    token_type_hint: z
      .string()
      .optional()
      .describe('`access_token` or `refresh_token`. A wrong hint is ignored.'),
  }),
);
