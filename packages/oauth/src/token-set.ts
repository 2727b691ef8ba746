/** Result of a code exchange or a refresh (spec, "Token pair"). */
export interface TokenSet {
  /** Opaque. Authorizes requests to the resource endpoints. */
  accessToken: string;
  /** Opaque. Works for one refresh, within 30 days. */
  refreshToken: string;
  /** Expiry of the access token, in milliseconds since the epoch. It is never later than the expiry at the service. */
  expiresAt: number;
  /** The granted scopes. */
  scopes: string[];
}
