import * as z from 'zod';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../limits.js';
import { isOAuthScope } from '../oauth-scope.js';
import { type Emitted, objectViews, textViews } from '../response-views.js';

/** Answer of `POST /oauth/token` (spec, "Token pair"). Tokens are opaque. */
export const tokenPairViews = objectViews({
  access_token: textViews,
  refresh_token: textViews,
  token_type: { exact: z.literal('Bearer'), tolerant: z.string().regex(/^bearer$/i, 'not a Bearer token') },
  expires_in: { exact: z.literal(ACCESS_TOKEN_LIFETIME_SECONDS), tolerant: z.int().positive() },
  scope: {
    exact: z
      .string()
      .refine((text) => text.split(' ').every(isOAuthScope), 'not space-separated known scopes'),
    tolerant: z.string(),
  },
});

/** A token pair as the service emits it. */
export type TokenPair = Emitted<typeof tokenPairViews>;
