import {
  AUTHORIZATION_CODE_LIFETIME_SECONDS,
  REFRESH_TOKEN_LIFETIME_SECONDS,
} from '@latchkey/contract/constants';
import type { Clock, FakeUser } from './world.js';

/** An OAuth client that is registered at the service. */
export interface FakeClient {
  clientId: string;
  name: string;
  /** Owner of the client, as for keys. If it's missing, the owner of the communities without an owner. */
  ownerId?: string;
  /** Present for a confidential client. */
  secret?: string;
  /** If it's missing, the service accepts every redirect URI: the apps under test listen on free ports. */
  redirectUris?: readonly string[];
  /** If it's missing, the widget may receive codes on every origin. */
  allowedOrigins?: readonly string[];
}

export const PUBLIC_CLIENT = `oac_${'a'.repeat(24)}`;
export const CONFIDENTIAL_CLIENT = `oac_${'c'.repeat(24)}`;
export const CLIENT_SECRET = `ocs_${'5'.repeat(48)}`;

export const DEFAULT_CLIENTS: readonly FakeClient[] = [
  { clientId: PUBLIC_CLIENT, name: 'A public client' },
  { clientId: CONFIDENTIAL_CLIENT, name: 'A confidential client', secret: CLIENT_SECRET },
];

export type FindClient = (clientId: string) => FakeClient | undefined;

/** With unchecked credentials, every id belongs to a public client. */
export function clientFinder(clients: readonly FakeClient[], isUnchecked: boolean): FindClient {
  return (clientId) => {
    const known = clients.find((client) => client.clientId === clientId);
    return known ?? (isUnchecked ? { clientId, name: 'A shop' } : undefined);
  };
}

/** A user's consent, which a code or a token pair is based on. */
export interface Grant {
  user: FakeUser;
  clientId: string;
  /** Space-separated scopes. */
  scope: string;
}

export interface AuthorizationCode extends Grant {
  redirectUri: string;
  /** Undefined if the authorization request had no `code_challenge`. */
  challenge: string | undefined;
  issuedAt: number;
  isSpent: boolean;
}

export interface TokenPair extends Grant {
  access: string;
  refresh: string;
  issuedAt: number;
  lifetimeSeconds: number;
  isAccessRevoked: boolean;
  isRefreshSpent: boolean;
}

/** Returns a new code or token. `serial` counts from 1 for each kind. */
export type NewToken = (kind: 'code' | 'access' | 'refresh', serial: number, clientId: string) => string;

/** Returns a random token of this many bytes, as base64url. */
export function randomToken(bytes = 32): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return btoa(String.fromCharCode(...random))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export type Grants = ReturnType<typeof createGrants>;

export function createGrants({
  clock,
  newToken,
  accessTokenSeconds,
}: {
  clock: Clock;
  newToken: () => NewToken;
  accessTokenSeconds: () => number;
}) {
  const codes = new Map<string, AuthorizationCode>();
  const byAccess = new Map<string, TokenPair>();
  const byRefresh = new Map<string, TokenPair>();
  const serials = { code: 0, access: 0, refresh: 0 };
  const next = (kind: keyof typeof serials, { clientId }: Grant) =>
    newToken()(kind, ++serials[kind], clientId);
  const hasLivedFor = (issuedAt: number, seconds: number) => clock.now() - issuedAt >= seconds * 1000;
  const findAccess = (value: string): TokenPair | undefined => {
    const pair = byAccess.get(value);
    if (pair === undefined || pair.isAccessRevoked) return undefined;
    return hasLivedFor(pair.issuedAt, pair.lifetimeSeconds) ? undefined : pair;
  };

  return {
    issueCode(grant: Grant & { redirectUri: string; challenge: string | undefined }): string {
      const code = next('code', grant);
      codes.set(code, { ...grant, issuedAt: clock.now(), isSpent: false });
      return code;
    },
    /** True if a code was issued for a challenge and isn't used yet. */
    hasChallenge(value: string): boolean {
      const code = codes.get(value);
      return code?.challenge !== undefined && !code.isSpent;
    },
    /** Uses up a code, even if redeeming it then fails. Returns undefined unless it was valid. */
    takeCode(value: string): AuthorizationCode | undefined {
      const code = codes.get(value);
      if (code === undefined || code.isSpent) return undefined;
      code.isSpent = true;
      return hasLivedFor(code.issuedAt, AUTHORIZATION_CODE_LIFETIME_SECONDS) ? undefined : code;
    },
    issuePair(grant: Grant): TokenPair {
      const { user, clientId, scope } = grant;
      const pair: TokenPair = {
        ...{ user, clientId, scope, issuedAt: clock.now(), lifetimeSeconds: accessTokenSeconds() },
        ...{ access: next('access', grant), refresh: next('refresh', grant) },
        ...{ isAccessRevoked: false, isRefreshSpent: false },
      };
      byAccess.set(pair.access, pair);
      byRefresh.set(pair.refresh, pair);
      return pair;
    },
    /** Uses up a refresh token and revokes its access token. Returns undefined unless it was valid. */
    takeRefreshToken(value: string): TokenPair | undefined {
      const pair = byRefresh.get(value);
      if (pair === undefined || pair.isRefreshSpent) return undefined;
      if (hasLivedFor(pair.issuedAt, REFRESH_TOKEN_LIFETIME_SECONDS)) return undefined;
      pair.isRefreshSpent = pair.isAccessRevoked = true;
      return pair;
    },
    findAccess,
    isLiveAccessToken: (value: string): boolean => findAccess(value) !== undefined,
    revoke(value: string): void {
      const pair = byRefresh.get(value) ?? byAccess.get(value);
      if (pair !== undefined) pair.isAccessRevoked = pair.isRefreshSpent = true;
    },
    /** Revokes every pair that belongs to the grant of a used refresh token. */
    revokeSuccessors(spent: string): void {
      const pair = byRefresh.get(spent);
      for (const other of byRefresh.values()) {
        if (other.user === pair?.user && other.clientId === pair.clientId && other.issuedAt >= pair.issuedAt)
          other.isAccessRevoked = other.isRefreshSpent = true;
      }
    },
    revokeAccessTokens(): void {
      for (const pair of byAccess.values()) pair.isAccessRevoked = true;
    },
    revokeEverything(): void {
      for (const pair of byAccess.values()) pair.isAccessRevoked = pair.isRefreshSpent = true;
    },
    revokeUser(user: FakeUser): void {
      for (const pair of byAccess.values()) {
        if (pair.user === user) pair.isAccessRevoked = pair.isRefreshSpent = true;
      }
    },
    hasLiveRefreshToken: (user: FakeUser): boolean =>
      [...byRefresh.values()].some((pair) => pair.user === user && !pair.isRefreshSpent),
  };
}
