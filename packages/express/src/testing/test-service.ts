import { randomBytes, randomUUID } from 'node:crypto';
import { ACCESS_TOKEN_LIFETIME_SECONDS, PATHS } from '@latchkey/contract/constants';
import type { Membership, UserIdentity } from '@latchkey/oauth';
import type { Kit } from '../kit.js';
import { kitOf } from '../kit-of.js';
import type { Latchkey } from '../latchkey.js';
import { refuseInProduction } from './refuse-in-production.js';

/** Who signs in; what is left out is made up. */
export interface TestUser {
  /** Default: a new UUID. */
  sub?: string;
  /** Default `member@example.com`. */
  email?: string | null;
  /** Default: none. Of each, what is left out is that of a lifetime membership of a community. */
  memberships?: readonly Partial<Membership>[];
}

/** A visitor who is signed in. */
export interface TestSession {
  readonly user: UserIdentity;
  /** `name=value`, for a `Cookie` header. Requests may set a newer one. */
  readonly cookie: string;
  /** For `fetch(url, { headers: session.headers })`. */
  readonly headers: { readonly cookie: string };
  /** Changes what the user has; the app hears of it at once, as by a webhook. */
  setMemberships(memberships: readonly Partial<Membership>[]): void;
  /** Ends the user's tokens at the service, as when they take their consent back there. */
  revoke(): void;
}

/** The service in memory: what the kit asks behind a session, and nothing that needs a browser. */
export interface TestService {
  /** For `latchkey({ fetch: service.fetch })`: no request leaves the process. */
  readonly fetch: typeof fetch;
  /** While true, every request fails as if the service could not be reached. */
  isDown: boolean;
  /** What the kit has asked so far, as `METHOD /path`. */
  readonly requests: readonly string[];
  /**
   * Signs a visitor in, without a browser and without a service, in whatever the app keeps its sessions.
   * @throws Error when `auth` was not made with this service's `fetch`.
   */
  signIn(auth: Latchkey, user?: TestUser): Promise<TestSession>;
}

interface Account {
  user: UserIdentity;
  memberships: readonly Membership[];
}

interface TokenPair {
  account: Account;
  scope: string;
  accessToken: string;
  refreshToken: string;
}

/** Makes a service for one test, or for a whole file of them. */
export function createTestService(): TestService {
  refuseInProduction('createTestService');
  const pairs = new Set<TokenPair>();
  const requests: string[] = [];
  const issue = (account: Account, scope: string): TokenPair => {
    const pair = { account, scope, accessToken: randomToken(), refreshToken: randomToken() };
    pairs.add(pair);
    return pair;
  };
  const service: TestService = {
    isDown: false,
    requests,
    async fetch(input, init) {
      const request = new Request(input, init);
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      if (service.isDown) throw new TypeError('fetch failed: the test service is down');
      return answer(request, { pairs, issue });
    },
    async signIn(auth, { sub = randomUUID(), email = 'member@example.com', memberships = [] } = {}) {
      const kit = kitWith(auth, service);
      const account: Account = { user: { sub, email }, memberships: memberships.map(completeMembership) };
      const pair = issue(account, kit.settings.scopes.join(' '));
      const cookie = await beginSession(kit, pair);
      return {
        user: account.user,
        cookie,
        headers: { cookie },
        setMemberships(changed) {
          account.memberships = changed.map(completeMembership);
          kit.memberships.forget(sub);
        },
        revoke() {
          for (const each of pairs) if (each.account === account) pairs.delete(each);
        },
      };
    },
  };
  return service;
}

function kitWith(auth: Latchkey, service: TestService): Kit {
  const kit = kitOf(auth);
  if (kit === undefined) {
    throw new Error(
      'signIn takes what latchkey() gave. Is @latchkey/express installed twice, once for the app and once for its tests?',
    );
  }
  if (kit.settings.fetch !== service.fetch) {
    throw new Error(
      'signIn needs an app that asks this service: give its fetch to latchkey({ fetch: service.fetch }) in tests, or the app asks the real one.',
    );
  }
  return kit;
}

async function beginSession(
  kit: Kit,
  { account, scope, accessToken, refreshToken }: TokenPair,
): Promise<string> {
  const now = kit.settings.clock.now();
  const cookieValue = await kit.store.begin({
    id: kit.store.newId(),
    user: account.user,
    tokens: {
      accessToken,
      refreshToken,
      expiresAt: now + ACCESS_TOKEN_LIFETIME_SECONDS * 1000,
      scopes: scope.split(' '),
    },
    createdAt: now,
    seenAt: now,
  });
  return `${kit.sessionCookie.name}=${cookieValue}`;
}

interface Tokens {
  pairs: Set<TokenPair>;
  issue(account: Account, scope: string): TokenPair;
}

async function answer(request: Request, { pairs, issue }: Tokens): Promise<Response> {
  // The service may be mounted below a path of its own.
  const { pathname } = new URL(request.url);
  const isAt = (path: string) => pathname.endsWith(path);
  if (request.method === 'POST' && isAt(PATHS.token)) {
    const form = new URLSearchParams(await request.text());
    const spent = [...pairs].find((pair) => pair.refreshToken === form.get('refresh_token'));
    if (form.get('grant_type') !== 'refresh_token' || spent === undefined)
      return refusal(400, 'invalid_grant');
    pairs.delete(spent);
    return tokenAnswer(issue(spent.account, spent.scope));
  }
  if (request.method === 'POST' && isAt(PATHS.revoke)) {
    const token = new URLSearchParams(await request.text()).get('token');
    for (const pair of pairs) {
      if (pair.refreshToken === token || pair.accessToken === token) pairs.delete(pair);
    }
    return new Response(null, { status: 200 });
  }
  const bearer = request.headers.get('authorization');
  const pair = [...pairs].find(({ accessToken }) => bearer === `Bearer ${accessToken}`);
  if (pair === undefined) return refusal(401, 'invalid_token');
  if (isAt(PATHS.userinfo)) return Response.json(pair.account.user);
  if (!isAt(PATHS.memberships)) return new Response(null, { status: 404 });
  return pair.scope.includes('memberships.read')
    ? Response.json({ memberships: pair.account.memberships })
    : refusal(403, 'insufficient_scope');
}

function tokenAnswer({ accessToken, refreshToken, scope }: TokenPair): Response {
  const body = {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
    scope,
  };
  return Response.json(body, { status: 201 });
}

function refusal(status: number, error: string): Response {
  return Response.json({ error, error_description: 'Said by the test service.' }, { status });
}

function completeMembership(membership: Partial<Membership>): Membership {
  return {
    id: randomUUID(),
    productType: 'community',
    isActive: true,
    validFrom: '2020-01-01T00:00:00.000Z',
    ...membership,
  };
}

const randomToken = () => randomBytes(32).toString('base64url');
