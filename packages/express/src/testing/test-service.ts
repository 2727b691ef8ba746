import { randomUUID } from 'node:crypto';
import type { FakeClient, FakeMembership } from '@latchkey/conformance/scripted-service/browser';
import {
  ACCESS_TOKEN_LIFETIME_SECONDS,
  DAY_MS,
  MEMBERSHIP_PRODUCT_TYPES,
  type MembershipProductType,
  PATHS,
} from '@latchkey/contract/constants';
import type { UserIdentity } from '@latchkey/oauth';
import type { Gates } from '../gates/gates.js';
import { type Clock, systemClock } from '../platform/clock.js';
import { type Kit, kitOf, type Needs } from '../session/kit.js';
import { forbidInProduction } from './manual-clock.js';

/** User to sign in. */
export interface TestUser {
  /** @default a new UUID */
  sub?: string;
  /** @default 'member@example.com' */
  email?: string | null;
  /**
   * Memberships with a `communityId` or a `productId` are recorded in the app's directory.
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
   * Replaces the user's memberships, and records them like `signIn`. Drops the app's cache, like a webhook.
   * @throws TypeError like `signIn`.
   */
  setMemberships(memberships: readonly TestMembership[]): Promise<void>;
  /** Revokes the user's tokens at the service, as if the user had withdrawn consent. */
  revoke(): void;
}

/** An in-memory service with the endpoints that a session needs. It has no pages for a browser. */
export interface TestService {
  /** Pass it to `latchkey({ fetch: service.fetch })`: no request then leaves the process. */
  readonly fetch: typeof fetch;
  /** Set it to true to make every request fail as if the service were unreachable. */
  isDown: boolean;
  /** All requests so far, as `METHOD /path`, without the check of the client when the app starts. */
  readonly requests: readonly string[];
  /**
   * Signs a visitor in without a browser, by creating a session in the app's own session store.
   * @param auth the result of `latchkey()`.
   * @throws Error if `auth` doesn't use this service's `fetch`. TypeError for a membership that can't exist, such as an
   * expired one.
   */
  signIn(auth: Gates, user?: TestUser): Promise<TestSession>;
}

const CLIENT_PATH = PATHS.clientIdentity.replace('{clientId}', '');

/** Creates a service for one or more tests. */
export function createTestService(): TestService {
  forbidInProduction('createTestService');
  const requests: string[] = [];
  const clients: FakeClient[] = [];
  let clock: Clock = systemClock;
  const loaded = loadScriptedService().then(({ createFakeService, fakeFetch }) => {
    const fake = createFakeService({
      ...{ reading: 'first', against: null, clients, clock: { now: () => clock.now() } },
    });
    return { fake, fetch: fakeFetch(fake) };
  });
  // The first call reports the error.
  loaded.catch(() => {});
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
      // The service's base URL may have a path.
      const url = new URL(pathname.slice(pathname.lastIndexOf('/oauth/')), request.url);
      return (await loaded).fetch(url, init);
    },
    async signIn(auth, { sub = randomUUID(), email = 'member@example.com', memberships = [] } = {}) {
      const { fake } = await loaded;
      const kit = requireKit(auth, service);
      ({ clock } = kit);
      const { clientId, clientSecret: secret } = kit.service;
      clients.push({ clientId, name: 'App', ...(secret !== undefined && { secret }) });
      const user = { sub, email, memberships: await recordMemberships(kit, memberships) };
      const scope = kit.scopes.join(' ');
      const { access, refresh } = fake.issuePair({ user, clientId, scope });
      const cookie = await beginSession(kit, {
        user: { sub, email },
        accessToken: access,
        refreshToken: refresh,
      });
      return {
        user: { sub, email },
        cookie,
        headers: { cookie },
        async setMemberships(changed) {
          user.memberships = await recordMemberships(kit, changed);
          kit.memberships.forget(sub);
        },
        revoke: () => fake.revokeUser(user),
      };
    },
  };
  return service;
}

/** Loaded on demand: only this helper needs the package. */
async function loadScriptedService() {
  try {
    return await import('@latchkey/conformance/scripted-service/browser');
  } catch (cause) {
    throw new Error(
      'createTestService needs the package @latchkey/conformance, which contains the fake of the service. Install it as a development dependency.',
      { cause },
    );
  }
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
  { clock, scopes, store, sessionCookie }: Needs<'clock' | 'scopes' | 'store' | 'sessionCookie'>,
  { user, accessToken, refreshToken }: { user: UserIdentity; accessToken: string; refreshToken: string },
): Promise<string> {
  const now = clock.now();
  const cookieValue = await store.begin({
    id: store.newId(),
    user,
    tokens: {
      accessToken,
      refreshToken,
      expiresAt: now + ACCESS_TOKEN_LIFETIME_SECONDS * 1000,
      scopes: [...scopes],
    },
    createdAt: now,
    seenAt: now,
  });
  return `${sessionCookie.name}=${cookieValue}`;
}

/** Returns the memberships as the service lists them, and records the site's in the app's directory. */
async function recordMemberships(
  { directory, clock }: Needs<'directory' | 'clock'>,
  given: readonly TestMembership[],
): Promise<FakeMembership[]> {
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

/**
 * A running membership of a test user, for lifetime unless you say otherwise. With `communityId` or `productId`, it's
 * recorded in the app's directory. Without either, it belongs to another seller and isn't in the directory.
 */
export interface TestMembership {
  /** @default a new UUID */
  id?: string;
  /** @default 'digital_product' with `productId`, otherwise 'community' */
  productType?: MembershipProductType | (string & {});
  /** ISO-8601, not later than now. */
  validFrom?: string;
  /** ISO-8601, later than now. Null for lifetime access. To test expiry, move the clock. */
  validUntil?: string | null;
  communityId?: string;
  productId?: string;
  pricingPlanId?: string | null;
}

/** A membership as the service lists it, and its record for the directory. */
const FIELDS = ['id', 'productType', 'validFrom', 'validUntil', 'communityId', 'productId', 'pricingPlanId'];

/**
 * Fills in a membership's missing fields.
 * @throws TypeError for a membership that the service never lists or no directory can contain.
 */
function prepareMembership(given: TestMembership, now: number) {
  const { id = randomUUID(), communityId, productId, pricingPlanId, validUntil } = given;
  const { productType = productId === undefined ? 'community' : 'digital_product' } = given;
  const { validFrom = new Date(now - DAY_MS).toISOString() } = given;
  const problem = problemOf({ ...given, productType, validFrom }, now);
  if (problem !== undefined) throw new TypeError(`The membership of a test user ${problem}`);
  const membership: FakeMembership = {
    id,
    productType,
    isActive: true,
    validFrom,
    ...(validUntil === undefined ? {} : { validUntil }),
  };
  if (communityId === undefined && productId === undefined) return { membership, record: undefined };
  return { membership, record: { membershipId: id, communityId, productId, pricingPlanId, observedAt: now } };
}

function problemOf(
  given: TestMembership & { productType: string; validFrom: string },
  now: number,
): string | undefined {
  const { productType, communityId, productId, pricingPlanId, validFrom, validUntil } = given;
  if ('isActive' in given && given.isActive !== true) {
    return 'has isActive false, but the service lists active memberships only. Omit the membership.';
  }
  const unknown = Object.keys(given).find((key) => key !== 'isActive' && !FIELDS.includes(key));
  if (unknown !== undefined) return `has the unknown field ${unknown}. The fields are ${FIELDS.join(', ')}.`;
  if (!MEMBERSHIP_PRODUCT_TYPES.some((type) => type === productType)) {
    return `has the unknown productType ${quoted(productType)}. Use ${MEMBERSHIP_PRODUCT_TYPES.join(', ')}.`;
  }
  if (communityId !== undefined && productId !== undefined) {
    return 'has a communityId and a productId, but a membership belongs to one of them. Use two memberships.';
  }
  if (productType === 'community' && productId !== undefined) {
    return "has productType community and a productId. Use productType 'digital_product', or a communityId.";
  }
  if (productType === 'digital_product' && communityId !== undefined) {
    return "has productType digital_product and a communityId. Use productType 'community', or a productId.";
  }
  if (typeof pricingPlanId === 'string' && communityId === undefined && productId === undefined) {
    return 'has a pricingPlanId, but the directory contains a plan only with its community or product. Add a communityId or a productId.';
  }
  if (!(Date.parse(validFrom) <= now)) {
    return `has the validFrom ${quoted(validFrom)}, which is not a time until now. The service lists running memberships only.`;
  }
  if (validUntil !== undefined && validUntil !== null && !(Date.parse(validUntil) > now)) {
    return `has the validUntil ${quoted(validUntil)}, which is not a time after now. The service lists running memberships only. Omit the membership, or move the clock past its end.`;
  }
  return undefined;
}

const quoted = (value: unknown) => JSON.stringify(value);
