import { PERMISSIONS, type Permission } from '@latchkey/contract/constants';
import type { Clock } from './clock.js';
import type { NewId } from './ids.js';
import { type FakeMembership, type FakeUser, fakeUser } from './users.js';

/** Owner of the communities, clients and API keys that name no owner. */
export const DEFAULT_OWNER = 'seller';

/** A community whose memberships the service manages. */
export interface FakeCommunity {
  id: string;
  ownerId: string;
  /** Key owners with the role ADMIN. */
  adminIds: readonly string[];
  /** False: the community has no messenger bot, so the service mints no invite links. */
  hasBot: boolean;
}

export interface FakePlan {
  id: string;
  communityId: string;
  /** Days of access. Null for lifetime access. */
  days: number | null;
}

export interface FakeApiKey {
  key: string;
  ownerId: string;
  permissions: readonly Permission[];
}

/** A drop slot: people sign up for it before it begins. */
export interface FakeDrop {
  id: string;
  communityId: string;
  slots: number | null;
  emails: Set<string>;
}

/** A membership that the service itself has created, with the parts that the OAuth list does not contain. */
export interface MembershipRecord {
  /** The row in the list of the user. */
  membership: FakeMembership;
  user: FakeUser;
  communityId: string;
  planId: string | null;
  /** Order id of the latest provisioning. */
  orderId: string | null;
  /** True if a subscription at a payment provider manages the membership. */
  isSubscription: boolean;
  createdAt: number;
  /** Access period by the clock of the service, in milliseconds since the epoch. No end for lifetime access. */
  period: Period;
}

/** Start and end in milliseconds since the epoch. No end for lifetime access. */
export interface Period {
  from: number;
  until: number | null;
}

/** A checkout that buy-plan has opened. */
export interface Reservation {
  id: string;
  externalId: string;
  plan: FakePlan;
  user: FakeUser;
  successUrl: string;
  cancelUrl: string;
  utmSource: string | null;
  /** The membership, once the buyer has paid. */
  record: MembershipRecord | undefined;
}

/** The keys by which the service finds a user. The email is in lower case. */
export interface UserKeys {
  email?: string;
  messengerUserId?: number;
}

/** Communities, plans, keys, drops, memberships and checkouts of the service. */
export type World = ReturnType<typeof createWorld>;

export function createWorld({ clock, newId }: { clock: Clock; newId: NewId }) {
  const id = () => newId(clock.now());
  const communities: FakeCommunity[] = [];
  const plans: FakePlan[] = [];
  const apiKeys: FakeApiKey[] = [];
  const drops: FakeDrop[] = [];
  const users: FakeUser[] = [];
  const records: MembershipRecord[] = [];
  const reservations: Reservation[] = [];
  /** Adds a resource, with default values for the fields that are not given. */
  const add = <Resource extends object>(list: Resource[], defaults: Resource, given: Partial<Resource>) => {
    const resource = { ...defaults, ...given };
    list.push(resource);
    return resource;
  };

  const addUser = (user: FakeUser): FakeUser => {
    if (!users.includes(user)) users.push(user);
    return user;
  };
  const findUser = ({ email, messengerUserId }: UserKeys) =>
    users.find(
      (user) =>
        (email !== undefined && user.email?.toLowerCase() === email) ||
        (messengerUserId !== undefined && user.messengerUserId === messengerUserId),
    );
  const recordOf = (membership: FakeMembership) => records.find((each) => each.membership === membership);
  const endsAt = (membership: FakeMembership): number => {
    const record = recordOf(membership);
    if (record !== undefined) return record.period.until ?? Number.POSITIVE_INFINITY;
    return membership.validUntil ? Date.parse(membership.validUntil) : Number.POSITIVE_INFINITY;
  };

  return {
    ...{ communities, plans, apiKeys, drops, records, reservations, newId: id },
    addCommunity: (given: Partial<FakeCommunity> = {}): FakeCommunity =>
      add(communities, { id: id(), ownerId: DEFAULT_OWNER, adminIds: [], hasBot: true }, given),
    /** Adds a plan, by default with lifetime access. */
    addPlan: (given: Pick<FakePlan, 'communityId'> & Partial<FakePlan>): FakePlan =>
      add(plans, { id: id(), days: null, communityId: '' }, given),
    /** Adds a key, by default with every permission. Without any, every well-formed key is valid. */
    addApiKey: (given: Pick<FakeApiKey, 'key'> & Partial<FakeApiKey>): FakeApiKey =>
      add(apiKeys, { key: '', ownerId: DEFAULT_OWNER, permissions: [...PERMISSIONS] }, given),
    addDrop: (given: Pick<FakeDrop, 'communityId'> & Partial<FakeDrop>): FakeDrop =>
      add(drops, { id: id(), slots: null, emails: new Set(), communityId: '' }, given),
    /** Registers a user, so that checkouts and provisioning find the user by email and messenger account. */
    addUser,
    findUser,
    /** Returns the user that a checkout or a provisioning names, who is created if unknown. */
    resolveUser(keys: UserKeys): FakeUser {
      const { email = null, messengerUserId } = keys;
      const account = messengerUserId === undefined ? {} : { messengerUserId };
      return findUser(keys) ?? addUser({ ...fakeUser(email), ...account });
    },
    findCommunity: (wanted: string) => communities.find((each) => isSameId(each.id, wanted)),
    findPlan: (wanted: string) => plans.find((each) => isSameId(each.id, wanted)),
    /** Returns the record of a membership in a user's list. Undefined for one that a test has put there. */
    recordOf,
    findRecord: (user: FakeUser, communityId: string) =>
      records.find((each) => each.user === user && each.communityId === communityId),
    /** Returns the end of a membership by the clock of the service, also if its timestamps differ. */
    endsAt,
    isActive: (record: MembershipRecord) => endsAt(record.membership) > clock.now(),
  };
}

/** True for the same UUID in any letter case. */
export function isSameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
