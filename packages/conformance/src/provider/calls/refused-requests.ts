import type { Permission } from '@latchkey/contract/constants';
import { type Answer, requireFixture } from '../session/answer.js';
import type { Session } from '../session/session.js';
import { buyPlan, checkMessenger, inviteLink, keyWithout, provision, signUp } from './api-key-calls.js';

/** An endpoint with an API key, its permissions, and a request that is valid except for what the key lacks. */
interface KeyEndpoint {
  readonly permissions: readonly Permission[];
  /** False for the endpoint that no community scopes. */
  readonly needsRole: boolean;
  readonly isRead: boolean;
  send(session: Session, key?: string): Promise<Answer>;
}

const withKey = (key: string | undefined) => (key === undefined ? {} : { key });

const KEY_ENDPOINTS = {
  checkMessenger: {
    permissions: ['MEMBERSHIP_READ'],
    needsRole: true,
    isRead: true,
    send: (session, key) => checkMessenger(session, { account: 1 }, withKey(key)),
  },
  inviteLink: {
    permissions: ['MEMBERSHIP_WRITE'],
    needsRole: false,
    isRead: true,
    send: (session, key) => inviteLink(session, `unknown-${session.newId()}`, withKey(key)),
  },
  provision: {
    permissions: ['MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION'],
    needsRole: true,
    isRead: false,
    send: (session, key) => provision(session, {}, withKey(key)),
  },
  buyPlan: {
    permissions: ['CHECKOUT_WRITE'],
    needsRole: true,
    isRead: false,
    send: (session, key) => buyPlan(session, {}, withKey(key)),
  },
  dropSignup: {
    permissions: ['DROP_NOTIFICATION_WRITE'],
    needsRole: true,
    isRead: false,
    send: (session, key) => signUp(session, {}, withKey(key)),
  },
} satisfies Record<string, KeyEndpoint>;

export type KeyEndpointName = keyof typeof KEY_ENDPOINTS;

const ENDPOINTS = Object.entries(KEY_ENDPOINTS) as readonly [KeyEndpointName, KeyEndpoint][];

export function permissionsOf(name: KeyEndpointName): readonly Permission[] {
  return KEY_ENDPOINTS[name].permissions;
}

function outsiderKey({ fixtures }: Session): string {
  return requireFixture(fixtures.keys.outsider, 'keys.outsider');
}

/** A request of the key with all permissions. */
export function permitted(session: Session, name: KeyEndpointName): Promise<Answer> {
  return KEY_ENDPOINTS[name].send(session, undefined);
}

/** A request of an administrator whose key lacks a permission. */
export function withoutPermission(
  session: Session,
  name: KeyEndpointName,
  permission: Permission,
): Promise<Answer> {
  const key = keyWithout(session, permission);
  return session.once(`${name} without ${permission}`, () => KEY_ENDPOINTS[name].send(session, key));
}

/** A request of a key with all permissions, whose owner has no role in the community. */
export function withoutRole(session: Session, name: KeyEndpointName): Promise<Answer> {
  const key = outsiderKey(session);
  return session.once(`${name} without a role`, () => KEY_ENDPOINTS[name].send(session, key));
}

/** Requests without a permission to all endpoints that the run can call. */
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

/** Requests without a role to all endpoints that the run can call. */
export async function missingRoles(session: Session): Promise<readonly Answer[]> {
  const found: Answer[] = [];
  if (session.fixtures.keys.outsider === undefined) return found;
  for (const [name, { needsRole }] of callable(session)) {
    if (needsRole) found.push(await withoutRole(session, name));
  }
  return found;
}

function callable({ isDestructive, fixtures }: Session): readonly [KeyEndpointName, KeyEndpoint][] {
  if (fixtures.communities.main === undefined) return [];
  return ENDPOINTS.filter(([, { isRead }]) => isRead || isDestructive);
}
