import * as z from 'zod';
import { envelopeSchemas } from '../shapes/envelope.js';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../shapes/limits.js';
import {
  booleanSchemas,
  described,
  type Emitted,
  growingSetSchemas,
  listSchemas,
  nullableSchemas,
  nullishSchemas,
  objectSchemas,
  optionalSchemas,
  textSchemas,
  timestampSchemas,
  uuidSchemas,
} from '../shapes/response-schemas.js';
import {
  isOAuthScope,
  MEMBERSHIP_PRODUCT_TYPES,
  OAUTH_ERROR_CODES,
  OAUTH_SERVER_ERROR,
  type OAuthErrorCode,
  SELLER_PRODUCT_TYPES,
} from '../shapes/values.js';

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

/** Response of `GET /oauth/userinfo` (spec, "User identity"). Webhook events describe their user with the same fields. */
export const userIdentitySchemas = objectSchemas({
  sub: described(uuidSchemas, 'Id of the user. It never changes, so use it as the key in a database.'),
  email: described(nullableSchemas(textSchemas), 'Can be null and can change, so never use it as a key.'),
});

export type UserIdentity = Emitted<typeof userIdentitySchemas>;

/** An active membership in an OAuth response (spec, "Membership (OAuth view)"). */
export const membershipSchemas = objectSchemas({
  id: described(uuidSchemas, 'Equals `membershipId` of provisioning.'),
  productType: described(
    growingSetSchemas(MEMBERSHIP_PRODUCT_TYPES),
    'Kind of product that the membership gives access to.',
  ),
  isActive: described(
    { strict: z.literal(true), loose: booleanSchemas.loose },
    'Always true, because only active memberships are listed.',
  ),
  validFrom: described(timestampSchemas, 'Start of the current access period.'),
  validUntil: described(
    nullishSchemas(timestampSchemas),
    'End of the current access period. Absent or null for lifetime access.',
  ),
});

/** Response of `GET /oauth/memberships`: all active memberships, without pagination. */
export const membershipListSchemas = objectSchemas({
  memberships: described(listSchemas(membershipSchemas), 'All active memberships. Empty without access.'),
});

export type Membership = Emitted<typeof membershipSchemas>;

/** A product that the user created as a seller (spec, "Seller product (OAuth view)"). */
export const productSchemas = objectSchemas({
  id: described(uuidSchemas, 'Id of the product.'),
  name: described(textSchemas, 'Display name.'),
  slug: described(textSchemas, 'Last segment of the storefront URL.'),
  type: described(
    nullableSchemas(growingSetSchemas(SELLER_PRODUCT_TYPES)),
    'Kind of product. Null for older products.',
  ),
});

/** Response of `GET /oauth/products`: all products, without pagination. */
export const productListSchemas = objectSchemas({
  products: described(listSchemas(productSchemas), 'All products that the user created as a seller.'),
});

export type Product = Emitted<typeof productSchemas>;

/** Public description of a client (spec, "OAuth client public identity"). Values that aren't set are absent. */
export const clientIdentitySchemas = objectSchemas({
  clientId: described(
    { strict: z.string().regex(/^oac_[0-9a-f]{24}$/, 'not a client id'), loose: z.string().min(1) },
    'Id of the client.',
  ),
  name: described(textSchemas, 'Name of the application.'),
  description: described(optionalSchemas(textSchemas), 'Description of the application. Absent if not set.'),
  logoUrl: described(
    optionalSchemas({ strict: z.url(), loose: z.string() }),
    'URL of its logo. Absent if not set.',
  ),
  widgetOriginAllowed: described(
    optionalSchemas(booleanSchemas),
    "True if the origin in `widget_origin` may receive the client's code. Absent without a `widget_origin`.",
  ),
});

/** Response of `GET /oauth/client/{clientId}`. */
export const clientIdentityResponseSchemas = envelopeSchemas(clientIdentitySchemas);

/** Path parameters of `GET /oauth/client/{clientId}`. Any string is valid: an unknown id is a 404, not a 400. */
export const clientIdentityPath = z.object({
  clientId: z.string().min(1).describe('Id of the client.'),
});

/** Query of `GET /oauth/client/{clientId}`. Any string is valid: for a malformed origin the result is `false`, not an error. */
export const clientIdentityQuery = z.object({
  widget_origin: z
    .string()
    .optional()
    .describe(
      "Browser origin that is to receive the client's authorization code. Only the login widget's callback sends it.",
    ),
});

export type ClientIdentity = Emitted<typeof clientIdentitySchemas>;

type ErrorCode = OAuthErrorCode | typeof OAUTH_SERVER_ERROR;

/** An OAuth error body (spec, "OAuth error body (bare JSON)") with one of the given values of `error`. */
export function oauthErrorSchemas<const Codes extends readonly ErrorCode[]>(codes: Codes) {
  return {
    strict: z.strictObject({ error: z.enum(codes), error_description: z.string().min(1) }),
    loose: looseOAuthError,
  };
}

const looseOAuthError = z.looseObject({
  error: z.string().min(1),
  error_description: z.string().nullish(),
});

/** Response of revoke to invalid or missing client credentials: `error` without a description. */
export const revokeInvalidClientSchemas = {
  strict: z.strictObject({ error: z.literal('invalid_client') }),
  loose: looseOAuthError,
};

/** An OAuth error body with any known `error` and a description. */
export const anyOAuthErrorSchemas = oauthErrorSchemas([...OAUTH_ERROR_CODES, OAUTH_SERVER_ERROR]);
