/** The two scopes a client can ask for (spec, "OAuth 2.0 (sign-in)", 3). `userinfo` needs none. */
export const OAUTH_SCOPES = ['memberships.read', 'products.read'] as const;

/** One of the two scopes. */
export type OAuthScope = (typeof OAUTH_SCOPES)[number];

/** Tells whether a scope is one of the two. */
export function isOAuthScope(scope: string): scope is OAuthScope {
  return (OAUTH_SCOPES as readonly string[]).includes(scope);
}

/**
 * Splits the `scope` of an authorization request at spaces and commas (spec, "GET /oauth/authorize"). Scopes named
 * twice collapse; unknown ones are kept, for the caller to refuse. Empty when the text names none.
 */
export function parseScopeList(text: string): string[] {
  return [...new Set(text.split(/[ ,]+/).filter((scope) => scope !== ''))];
}

/** Joins granted scopes as a token pair's `scope` shows them: separated by single spaces. */
export function formatScopeList(scopes: readonly string[]): string {
  return scopes.join(' ');
}
