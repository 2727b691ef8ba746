/** What a sign-in or a refresh gives (spec, "Token pair"). */
export interface TokenSet {
  /** Opaque; for the resource endpoints. */
  accessToken: string;
  /** Opaque; good for one refresh, within 30 days. */
  refreshToken: string;
  /** End of the access token, in milliseconds since the epoch by the injected clock; never later than the true end. */
  expiresAt: number;
  /** The scopes that were granted. */
  scopes: string[];
}
