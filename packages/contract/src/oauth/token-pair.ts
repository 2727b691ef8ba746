import * as z from 'zod';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../limits.js';
import { isOAuthScope } from '../oauth-scope.js';
import { described, type Emitted, objectViews, textViews } from '../response-views.js';

/** Answer of `POST /oauth/token` (spec, "Token pair"). Tokens are opaque. */
export const tokenPairViews = objectViews({
  access_token: described(textViews, 'Opaque; valid for one hour.'),
  refresh_token: described(textViews, 'Opaque; valid for 30 days, and for one refresh.'),
  token_type: described(
    { exact: z.literal('Bearer'), tolerant: z.string().regex(/^bearer$/i, 'not a Bearer token') },
    'Always `Bearer`.',
  ),
  expires_in: described(
    { exact: z.literal(ACCESS_TOKEN_LIFETIME_SECONDS), tolerant: z.int().positive() },
    'Lifetime of the access token, in seconds.',
  ),
  scope: described(
    {
      exact: z
        .string()
        .refine((text) => text.split(' ').every(isOAuthScope), 'not space-separated known scopes'),
      tolerant: z.string(),
    },
    'The granted scopes, separated by spaces.',
  ),
});

/** A token pair as the service emits it. */
export type TokenPair = Emitted<typeof tokenPairViews>;
