import { createHash } from 'node:crypto';

/** Request as it reaches the service. */
export interface ServiceRequest {
  method: string;
  path: string;
  headers: Headers;
  form: URLSearchParams;
}

export interface ServiceResponse {
  status: number;
  body: unknown;
}

/** Service of a simulation. */
export interface SimulatedService {
  handle(request: ServiceRequest): Promise<ServiceResponse>;
  /** Issues a code as the user's approval does. */
  issueCode(authorization: URL): Promise<string>;
  /** Revokes all tokens, as a user does on the service's pages. */
  revokeAll(): Promise<void>;
  /** True if every grant has a user of its own, so that a page's user names its grant. */
  readonly namesGrants: boolean;
}

const CODE_LIFETIME_MS = 60_000;
const ACCESS_LIFETIME_MS = 3_600_000;
const REFRESH_LIFETIME_MS = 30 * 24 * 3_600_000;

interface Grant {
  number: number;
  challenge: string | null;
  codeUntil: number;
  isRedeemed: boolean;
}

interface Pair {
  grant: Grant;
  accessUntil: number;
  refreshUntil: number;
  isAccessRevoked: boolean;
  isRefreshSpent: boolean;
}

const INVALID_GRANT: ServiceResponse = { status: 400, body: { error: 'invalid_grant' } };
const INVALID_TOKEN: ServiceResponse = { status: 401, body: { error: 'invalid_token' } };

/**
 * The token rules of the specification ("OAuth credentials") without a database, for thousands of schedules a second. A test
 * compares it with the real server. Every grant has a user of its own, so that a page's user names the grant.
 */
export function createTokenRules(now: () => number): SimulatedService {
  const grants = new Map<string, Grant>();
  const byAccess = new Map<string, Pair>();
  const byRefresh = new Map<string, Pair>();
  let serial = 0;

  const issuePair = (grant: Grant): ServiceResponse => {
    serial += 1;
    const [access, refresh] = [`access-${grant.number}-${serial}`, `refresh-${grant.number}-${serial}`];
    const pair = {
      ...{ grant, isAccessRevoked: false, isRefreshSpent: false },
      ...{ accessUntil: now() + ACCESS_LIFETIME_MS, refreshUntil: now() + REFRESH_LIFETIME_MS },
    };
    byAccess.set(access, pair);
    byRefresh.set(refresh, pair);
    return {
      status: 201,
      body: {
        ...{ access_token: access, refresh_token: refresh, token_type: 'Bearer' },
        ...{ expires_in: ACCESS_LIFETIME_MS / 1000, scope: 'memberships.read' },
      },
    };
  };
  const end = (pair: Pair) => Object.assign(pair, { isAccessRevoked: true, isRefreshSpent: true });
  const endGrant = (grant: Grant) => {
    for (const pair of byRefresh.values()) if (pair.grant === grant) end(pair);
  };

  const redeem = (form: URLSearchParams): ServiceResponse => {
    const grant = grants.get(form.get('code') ?? '');
    if (grant === undefined) return INVALID_GRANT;
    if (grant.isRedeemed) {
      endGrant(grant);
      return INVALID_GRANT;
    }
    grant.isRedeemed = true;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return now() < grant.codeUntil && challenge === grant.challenge ? issuePair(grant) : INVALID_GRANT;
  };
  const rotate = (form: URLSearchParams): ServiceResponse => {
    const pair = byRefresh.get(form.get('refresh_token') ?? '');
    if (pair === undefined || pair.isRefreshSpent || now() >= pair.refreshUntil) return INVALID_GRANT;
    end(pair);
    return issuePair(pair.grant);
  };
  const revoke = (form: URLSearchParams): ServiceResponse => {
    const token = form.get('token') ?? '';
    const pair = byRefresh.get(token);
    if (pair !== undefined) endGrant(pair.grant);
    const access = byAccess.get(token);
    if (access !== undefined) access.isAccessRevoked = true;
    return { status: 200, body: '' };
  };
  const read = (path: string, headers: Headers): ServiceResponse => {
    const pair = byAccess.get((headers.get('authorization') ?? '').replace('Bearer ', ''));
    if (pair === undefined || pair.isAccessRevoked || now() >= pair.accessUntil) return INVALID_TOKEN;
    const { number } = pair.grant;
    if (path === '/oauth/userinfo') {
      return { status: 200, body: { sub: subjectOf(number), email: `user-${number}@example.com` } };
    }
    return { status: 200, body: { memberships: [] } };
  };

  return {
    namesGrants: true,
    async handle({ path, form, headers }) {
      if (path === '/oauth/token')
        return form.get('grant_type') === 'refresh_token' ? rotate(form) : redeem(form);
      if (path === '/oauth/revoke') return revoke(form);
      if (path.startsWith('/oauth/client/')) {
        return {
          status: 200,
          body: { success: true, data: { clientId: '', name: '', widgetOriginAllowed: true } },
        };
      }
      return read(path, headers);
    },
    async issueCode(authorization) {
      const number = grants.size + 1;
      const challenge = authorization.searchParams.get('code_challenge');
      grants.set(`code-${number}`, {
        number,
        challenge,
        codeUntil: now() + CODE_LIFETIME_MS,
        isRedeemed: false,
      });
      return `code-${number}`;
    },
    async revokeAll() {
      for (const pair of byRefresh.values()) end(pair);
    },
  };
}

/** Returns the id of the user of a grant. */
export function subjectOf(grant: number): string {
  return `00000000-0000-4000-8000-${String(grant).padStart(12, '0')}`;
}
