/** Result of a code exchange or a refresh (spec, "Token pair"). */
export interface TokenSet {
  /** Opaque. Authorizes requests to the resource endpoints. */
  accessToken: string;
  /** Opaque. Works for one refresh, within 30 days. `undefined` if the service issued none: sign in again at `expiresAt`. */
  refreshToken?: string | undefined;
  /** Expiry of the access token, in milliseconds since the epoch. It is never later than the expiry at the service. */
  expiresAt: number;
  /** The granted scopes. The requested ones if the service does not name them. */
  scopes: string[];
}
