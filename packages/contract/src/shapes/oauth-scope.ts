/** Scopes that a client can request (spec, "OAuth 2.0 (sign-in)", 3). userinfo requires none. */
export const OAUTH_SCOPES = ['memberships.read', 'products.read'] as const;

export type OAuthScope = (typeof OAUTH_SCOPES)[number];

/** True if the service knows the scope. */
export function isOAuthScope(scope: string): scope is OAuthScope {
  return (OAUTH_SCOPES as readonly string[]).includes(scope);
}

/**
 * Splits the `scope` of an authorization request at spaces and commas (spec, "GET /oauth/authorize"). Removes
 * duplicates and keeps unknown scopes, so that the caller can reject them.
 */
export function parseScopeList(text: string): string[] {
  return [...new Set(text.split(/[ ,]+/).filter((scope) => scope !== ''))];
}

/** Joins scopes with spaces, the format of `scope` in a token pair. */
export function formatScopeList(scopes: readonly string[]): string {
  return scopes.join(' ');
}
