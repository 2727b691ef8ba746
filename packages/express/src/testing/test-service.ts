import { randomBytes, randomUUID } from 'node:crypto';
import { ACCESS_TOKEN_LIFETIME_SECONDS, PATHS } from '@latchkey/contract/constants';
import type { Membership, UserIdentity } from '@latchkey/oauth';
import type { Gates } from '../gates/gates.js';
import type { Clock } from '../platform/clock.js';
import { type Kit, kitOf, type Needs } from '../session/kit.js';
import { forbidInProduction } from './forbid-in-production.js';
import { prepareMembership, type TestMembership } from './test-membership.js';

/** User to sign in. */
export interface TestUser {
  /** @default A new UUID. */
  sub?: string;
  /** @default 'member@example.com' */
  email?: string | null;
  /**
   * Those with a `communityId` or a `productId` are recorded in the directory of the app.
   * @default []
   */
  memberships?: readonly TestMembership[];
}

/** Session of a signed-in visitor. */
export interface TestSession {
  readonly user: UserIdentity;
  /** `name=value`, for a `Cookie` header. Responses may set a newer one. */
  readonly cookie: string;
  /** For `fetch(url, { headers: session.headers })`. */
  readonly headers: { readonly cookie: string };
  /**
   * Replaces the user's memberships, and records them as `signIn` does. The app's cache is dropped, as by a webhook.
   * @throws TypeError as `signIn`.
   */
  setMemberships(memberships: readonly TestMembership[]): Promise<void>;
  /** Revokes the user's tokens at the service, as if the user had withdrawn consent. */
  revoke(): void;
}

/** In-memory service with the endpoints that a session needs. It has no pages for a browser. */
export interface TestService {
  /** Pass it to `latchkey({ fetch: service.fetch })`, so that no request leaves the process. */
  readonly fetch: typeof fetch;
  /** If true, every request fails as if the service was unreachable. */
  isDown: boolean;
  /** All requests so far, as `METHOD /path`, without the check of the client at the start of the app. */
  readonly requests: readonly string[];
  /**
   * Signs a visitor in without a browser, by a session in the app's own session store.
   * @param auth The result of `latchkey()`.
   * @throws Error if `auth` does not use the `fetch` of this service. TypeError for a membership that cannot exist, such
   * as an expired one.
   */
  signIn(auth: Gates, user?: TestUser): Promise<TestSession>;
}

interface Account {
  user: UserIdentity;
  memberships: readonly Membership[];
  clock: Clock;
}

interface TokenPair {
  account: Account;
  scope: string;
  accessToken: string;
  refreshToken: string;
}

const CLIENT_PATH = PATHS.clientIdentity.replace('{clientId}', '');

/** Creates a service for one or more tests. */
export function createTestService(): TestService {
  forbidInProduction('createTestService');
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
      const { pathname } = new URL(request.url);
      const [, clientId] = pathname.split(CLIENT_PATH);
      if (clientId !== undefined) return Response.json({ success: true, data: { clientId, name: 'App' } });
      requests.push(`${request.method} ${pathname}`);
      if (service.isDown) throw new TypeError('fetch failed: the test service is down');
      return respond(request, { pairs, issue });
    },
    async signIn(auth, { sub = randomUUID(), email = 'member@example.com', memberships = [] } = {}) {
      const kit = requireKit(auth, service);
      const account: Account = {
        user: { sub, email },
        memberships: await recordMemberships(kit, memberships),
        clock: kit.clock,
      };
      const pair = issue(account, kit.scopes.join(' '));
      const cookie = await beginSession(kit, pair);
      return {
        user: account.user,
        cookie,
        headers: { cookie },
        async setMemberships(changed) {
          account.memberships = await recordMemberships(kit, changed);
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

function requireKit(auth: Gates, service: TestService): Kit {
  const kit = kitOf(auth);
  if (kit === undefined) {
    throw new Error(
      'signIn needs the result of latchkey(). Check that @latchkey/express is not installed twice, once for the app and once for its tests.',
    );
  }
  if (kit.fetch !== service.fetch) {
    throw new Error(
      'signIn needs an app that calls this service. Pass latchkey({ fetch: service.fetch }) in tests, or the app calls the real service.',
    );
  }
  return kit;
}

async function beginSession(
  { clock, store, sessionCookie }: Needs<'clock' | 'store' | 'sessionCookie'>,
  { account, scope, accessToken, refreshToken }: TokenPair,
): Promise<string> {
  const now = clock.now();
  const cookieValue = await store.begin({
    id: store.newId(),
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
  return `${sessionCookie.name}=${cookieValue}`;
}

interface Tokens {
  pairs: Set<TokenPair>;
  issue(account: Account, scope: string): TokenPair;
}

async function respond(request: Request, { pairs, issue }: Tokens): Promise<Response> {
  // The base URL of the service may have a path.
  const { pathname } = new URL(request.url);
  const isAt = (path: string) => pathname.endsWith(path);
  if (request.method === 'POST' && isAt(PATHS.token)) {
    const form = new URLSearchParams(await request.text());
    const rotated = [...pairs].find((pair) => pair.refreshToken === form.get('refresh_token'));
    if (form.get('grant_type') !== 'refresh_token' || rotated === undefined)
      return errorResponse(400, 'invalid_grant');
    pairs.delete(rotated);
    return tokenResponse(issue(rotated.account, rotated.scope));
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
  if (pair === undefined) return errorResponse(401, 'invalid_token');
  if (isAt(PATHS.userinfo)) return Response.json(pair.account.user);
  if (!isAt(PATHS.memberships)) return new Response(null, { status: 404 });
  return pair.scope.includes('memberships.read')
    ? Response.json({ memberships: pair.account.memberships.filter(isRunning(pair.account.clock)) })
    : errorResponse(403, 'insufficient_scope');
}

function tokenResponse({ accessToken, refreshToken, scope }: TokenPair): Response {
  const body = {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
    scope,
  };
  return Response.json(body, { status: 201 });
}

function errorResponse(status: number, error: string): Response {
  return Response.json({ error, error_description: 'Sent by the test service.' }, { status });
}

/** Returns the memberships as the service lists them, and records those of the site in the app's directory. */
async function recordMemberships(
  { directory, clock }: Needs<'directory' | 'clock'>,
  given: readonly TestMembership[],
): Promise<readonly Membership[]> {
  const prepared = given.map((membership) => prepareMembership(membership, clock.now()));
  const records = prepared.flatMap(({ record }) => record ?? []);
  if (records.length > 0 && directory === undefined) {
    throw new Error(
      'A membership with a communityId or a productId needs an app with a directory. Pass latchkey({ directory: memoryDirectory() }) in tests.',
    );
  }
  await directory?.record(records);
  return prepared.map(({ membership }) => membership);
}

const isRunning =
  (clock: Clock) =>
  ({ validUntil }: Membership) =>
    (validUntil ?? null) === null || Date.parse(validUntil ?? '') > clock.now();

const randomToken = () => randomBytes(32).toString('base64url');
