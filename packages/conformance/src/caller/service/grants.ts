import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { SCRIPTED_IDS } from './credentials.js';

/** The user who signs in at the authorize endpoint. */
export interface Visitor {
  readonly sub: string;
  readonly email: string | null;
  readonly memberships: readonly object[];
}

/** An authorization code, before it is redeemed. */
export interface CodeGrant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string | undefined;
  readonly scope: string;
  readonly visitor: Visitor;
}

/** A token pair. */
export interface Pair {
  readonly access: string;
  readonly refresh: string;
  readonly clientId: string;
  readonly scope: string;
  readonly visitor: Visitor;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Returns a visitor with a new `sub`. */
export function newVisitor(changes: Partial<Visitor> = {}): Visitor {
  const sub = randomUUID();
  return { sub, email: `user-${sub.slice(0, 8)}@example.com`, memberships: [membership()], ...changes };
}

/** Returns a membership of the community of the scripted service. */
export function membership(changes: object = {}): object {
  return {
    id: SCRIPTED_IDS.membershipId,
    productType: 'community',
    isActive: true,
    validFrom: '2026-01-01T00:00:00.000Z',
    validUntil: '2099-01-01T00:00:00.000Z',
    ...changes,
  };
}

/** Codes and tokens of the scripted service. */
export class Grants {
  /** Seconds for which access tokens are valid. The specification names 3600; shorter ones make apps refresh. */
  lifetimeSeconds = 3600;
  /** True if codes and tokens contain every character that they may contain. */
  isOdd = false;
  readonly #codes = new Map<string, CodeGrant>();
  readonly #byAccess = new Map<string, Pair>();
  readonly #byRefresh = new Map<string, Pair>();

  issueCode(grant: CodeGrant): string {
    const code = this.#newToken();
    this.#codes.set(code, grant);
    return code;
  }

  /** Returns the grant of a code and removes it, because a code can be redeemed once. */
  takeCode(code: string): CodeGrant | undefined {
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    return grant;
  }

  /** True if a code was issued for a challenge. */
  hasChallenge(code: string): boolean {
    return this.#codes.get(code)?.challenge !== undefined;
  }

  issuePair(grant: Pick<Pair, 'clientId' | 'scope' | 'visitor'>): Pair {
    const expiresAt = Date.now() + this.lifetimeSeconds * 1000;
    const pair = { ...grant, access: this.#newToken(), refresh: this.#newToken(), expiresAt };
    this.#byAccess.set(pair.access, pair);
    this.#byRefresh.set(pair.refresh, pair);
    return pair;
  }

  /** Returns the pair of an unspent refresh token, and revokes both of its tokens. */
  takeRefreshToken(refresh: string): Pair | undefined {
    const pair = this.#byRefresh.get(refresh);
    if (pair !== undefined) this.revoke(refresh);
    return pair;
  }

  /** Returns the pair of a valid access token. */
  ofAccessToken(access: string): Pair | undefined {
    const pair = this.#byAccess.get(access);
    return pair === undefined || Date.now() >= pair.expiresAt ? undefined : pair;
  }

  revoke(token: string): void {
    const pair = this.#byRefresh.get(token) ?? this.#byAccess.get(token);
    if (pair === undefined) return;
    this.#byAccess.delete(pair.access);
    if (pair.refresh === token) this.#byRefresh.delete(pair.refresh);
  }

  #newToken(): string {
    const random = randomBytes(24).toString('hex');
    // The characters of a bearer token (RFC 6750 section 2.1). A parser of JWTs finds three parts.
    return this.isOdd ? `a.${random}~+/_-.b==` : random;
  }
}

/** True if a verifier has the challenge. */
export function matchesChallenge(verifier: string, challenge: string): boolean {
  return createHash('sha256').update(verifier).digest('base64url') === challenge;
}
