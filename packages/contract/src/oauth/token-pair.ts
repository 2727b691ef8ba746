import * as z from 'zod';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../shapes/limits.js';
import { isOAuthScope } from '../shapes/oauth-scope.js';
import { described, type Emitted, objectSchemas, textSchemas } from '../shapes/response-schemas.js';

/** Response of `POST /oauth/token` (spec, "Token pair"). */
export const tokenPairSchemas = objectSchemas({
  access_token: described(textSchemas, 'Opaque. Valid for one hour.'),
  refresh_token: described(textSchemas, 'Opaque. Valid for 30 days and one refresh.'),
  token_type: described(
    { strict: z.literal('Bearer'), loose: z.string().regex(/^bearer$/i, 'not a Bearer token') },
    'Always `Bearer`.',
  ),
  expires_in: described(
    { strict: z.literal(ACCESS_TOKEN_LIFETIME_SECONDS), loose: z.int().positive() },
    'Lifetime of the access token, in seconds.',
  ),
  scope: described(
    {
      strict: z
        .string()
        .refine((text) => text.split(' ').every(isOAuthScope), 'not space-separated known scopes'),
      loose: z.string(),
    },
    'The granted scopes, separated by spaces.',
  ),
});

export type TokenPair = Emitted<typeof tokenPairSchemas>;
