/** The two scopes a client can ask for (spec, "OAuth 2.0 (sign-in)", 3). `userinfo` needs none. */
export const OAUTH_SCOPES = ['memberships.read', 'products.read'] as const;

/** One of the two scopes. */
export type OAuthScope = (typeof OAUTH_SCOPES)[number];
