import type { Permission } from '@latchkey/contract/constants';
import { type Answer, requireFixture } from '../session/answer.js';
import { once, type Session } from '../session/session.js';
import { buyPlan, checkMessenger, inviteLink, keyWithout, provision, signUp } from './api-key-calls.js';

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

/** Sends a request with an administrator's key that lacks a permission. */
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

/** Sends requests without a role to all endpoints that the run can call. */
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
