import type { Permission } from '@latchkey/contract/constants';
import { type Answer, requireFixture } from '../session/answer.js';
import { once, type Session } from '../session/session.js';

/** Fields of a request body. `undefined` leaves out a field. */
export type Fields = Readonly<Record<string, unknown>>;

/** Authentication of a request: the fixtures' key, another one, or none. */
export interface KeyOption {
  /** `null` sends no Authorization header. @default keys.full */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export const UNKNOWN_ID = '00000000-0000-4000-8000-00000000dead';

export function fullKey({ fixtures }: Session): string {
  return requireFixture(fixtures.keys.full, 'keys.full');
}

function keyWithout({ fixtures }: Session, permission: Permission): string {
  return requireFixture(fixtures.keys.without[permission], `keys.without.${permission}`);
}

export function mainCommunity({ fixtures }: Session) {
  return requireFixture(fixtures.communities.main, 'communities.main');
}

export async function getWithKey(
  session: Session,
  path: string,
  { key, headers }: KeyOption = {},
): Promise<Answer> {
  return await session.send({ path, headers: { ...authorization(session, key), ...headers } });
}

export async function postWithKey(
  session: Session,
  path: string,
  { body, key, headers }: KeyOption & { body: Fields },
): Promise<Answer> {
  return await session.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...authorization(session, key), ...headers },
    body: JSON.stringify(body),
  });
}

function authorization(session: Session, key: string | null | undefined): Record<string, string> {
  return key === null ? {} : { authorization: `Bearer ${key ?? fullKey(session)}` };
}

/** Returns a function that sends a valid request of a new person, with changes to its body. */
function posts(
  endpoint: 'provisionExternal' | 'buyPlan' | 'dropSignup',
  valid: (session: Session) => Fields,
) {
  return async (session: Session, changes: Fields = {}, option: KeyOption = {}): Promise<Answer> => {
    const { id: communityId } = mainCommunity(session);
    const body = { communityId, email: session.newEmail(), ...valid(session), ...changes };
    return await postWithKey(session, session.paths[endpoint], { body, ...option });
  };
}

/** POST /membership/provision-external with a new order. */
export const provision = posts('provisionExternal', (session) => ({ externalOrderId: session.newId() }));

/** POST /api/checkout/buy-plan */
export const buyPlan = posts('buyPlan', (session) => ({
  pricingPlanId: mainCommunity(session).planId,
  externalId: session.newId(),
  successUrl: 'https://shop.example/paid',
  cancelUrl: 'https://shop.example/cancelled',
}));

/** POST /api/drop-notification/signup */
export const signUp = posts('dropSignup', () => ({}));

/** GET /membership/check-messenger/… */
export async function checkMessenger(
  session: Session,
  { communityId, account = 1 }: { communityId?: string; account?: number | string },
  option: KeyOption = {},
): Promise<Answer> {
  const community = communityId ?? mainCommunity(session).id;
  const path = session.paths.checkMessenger
    .replace('{communityId}', community)
    .replace(`{${session.messengerField}}`, String(account));
  return await getWithKey(session, path, option);
}

/** GET /membership/join-messenger-community-external/{externalId} */
export async function inviteLink(
  session: Session,
  externalId: string,
  option: KeyOption = {},
): Promise<Answer> {
  const path = session.paths.inviteLink.replace('{externalId}', encodeURIComponent(externalId));
  return await getWithKey(session, path, option);
}

/** An endpoint with an API key, and a request that is valid apart from what the key lacks. */
interface KeyEndpoint {
  readonly permissions: readonly Permission[];
  /** True for the endpoint that isn't limited to a community. */
  readonly isGlobal?: true;
  readonly isRead?: true;
  /** Sends the request with a key other than the one with all permissions. */
  send(session: Session, option?: { readonly key: string }): Promise<Answer>;
}

export type KeyEndpointName = 'checkMessenger' | 'inviteLink' | 'provision' | 'buyPlan' | 'dropSignup';

export const KEY_ENDPOINTS: Readonly<Record<KeyEndpointName, KeyEndpoint>> = {
  checkMessenger: {
    permissions: ['MEMBERSHIP_READ'],
    isRead: true,
    send: (session, option) => checkMessenger(session, { account: 1 }, option),
  },
  inviteLink: {
    permissions: ['MEMBERSHIP_WRITE'],
    isGlobal: true,
    isRead: true,
    send: (session, option) => inviteLink(session, `unknown-${session.newId()}`, option),
  },
  provision: {
    permissions: ['MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION'],
    send: (session, option) => provision(session, {}, option),
  },
  buyPlan: {
    permissions: ['CHECKOUT_WRITE'],
    send: (session, option) => buyPlan(session, {}, option),
  },
  dropSignup: {
    permissions: ['DROP_NOTIFICATION_WRITE'],
    send: (session, option) => signUp(session, {}, option),
  },
};

export const withoutPermission = once((session, name: KeyEndpointName, permission: Permission) =>
  KEY_ENDPOINTS[name].send(session, { key: keyWithout(session, permission) }),
);

/** Sends a request with a key that has all permissions but an owner without a role in the community. */
export const withoutRole = once((session, name: KeyEndpointName) =>
  KEY_ENDPOINTS[name].send(session, { key: requireFixture(session.fixtures.keys.outsider, 'keys.outsider') }),
);

/** Sends requests without a permission to all endpoints that the run can call. */
export async function missingPermissions(session: Session): Promise<readonly Answer[]> {
  const found: Answer[] = [];
  for (const [name, { permissions }] of callable(session)) {
    for (const permission of permissions) {
      if (session.fixtures.keys.without[permission] === undefined) continue;
      found.push(await withoutPermission(session, name, permission));
    }
  }
  return found;
}

export async function missingRoles(session: Session): Promise<readonly Answer[]> {
  const found: Answer[] = [];
  if (session.fixtures.keys.outsider === undefined) return found;
  for (const [name, { isGlobal }] of callable(session)) {
    if (isGlobal !== true) found.push(await withoutRole(session, name));
  }
  return found;
}

function callable({ isDestructive, fixtures }: Session) {
  if (fixtures.communities.main === undefined) return [];
  const all = Object.entries(KEY_ENDPOINTS) as readonly [KeyEndpointName, KeyEndpoint][];
  return all.filter(([, { isRead }]) => isRead === true || isDestructive);
}
