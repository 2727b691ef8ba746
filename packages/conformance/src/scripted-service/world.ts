import { PERMISSIONS, type Permission } from '@latchkey/contract/constants';

/** The source of the current time, in milliseconds since 1970. Tests inject their own. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export type NewId = (now: number) => string;

export const randomId: NewId = () => crypto.randomUUID();

/** An id that begins with the time (UUID version 7). */
export const timeOrderedId: NewId = (now) => {
  const time = now.toString(16).padStart(12, '0');
  const random = crypto.randomUUID().slice(15);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random}`;
};

/** Returns the id that belongs to a string: always the same one, and a different one for every string. */
export function derivedId(text: string): string {
  const hex = [1, 2, 3, 4].map((seed) => hash(text, seed).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** FNV-1a with a seed. Tests' ids need no cryptographic hash, and Web Crypto has no synchronous one. */
function hash(text: string, seed: number): number {
  let value = Math.imul(0x811c9dc5, seed);
  for (const character of `${seed} ${text}`) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
    value ^= value >>> 15;
  }
  return value >>> 0;
}

/** A membership as `GET /oauth/memberships` lists it. */
export interface FakeMembership {
  id: string;
  productType: string;
  isActive: boolean;
  validFrom: string;
  /** Absent or null for lifetime access. */
  validUntil?: string | null;
}

/** A product that the user sells, as `GET /oauth/products` lists it. */
export interface FakeProduct {
  id: string;
  name: string;
  slug: string;
  type: string | null;
}

/** A user of the service. Tests may change the lists at any time. */
export interface FakeUser {
  /** Key of the user in tests. Requests and events contain `subOf()` and `userIdOf()` of the service. */
  sub: string;
  email: string | null;
  memberships: FakeMembership[];
  products?: FakeProduct[];
  messengerUserId?: number;
  /** Fields of the userinfo response that the specification doesn't have. Callers must ignore them. */
  extraFields?: Readonly<Record<string, unknown>>;
}

export function fakeUser(
  email: string | null,
  memberships: readonly Partial<FakeMembership>[] = [],
): FakeUser {
  return {
    sub: crypto.randomUUID(),
    email,
    memberships: memberships.map(fakeMembership),
    extraFields: { locale: 'en' },
  };
}

/** Returns a membership: by default a lifetime membership in a community. */
export function fakeMembership(membership: Partial<FakeMembership> = {}): FakeMembership {
  return {
    id: crypto.randomUUID(),
    productType: 'community',
    isActive: true,
    validFrom: '2029-01-01T00:00:00.000Z',
    ...membership,
  };
}

/** Owner of communities, clients and API keys without an owner. */
export const DEFAULT_OWNER = 'seller';

/** A community with memberships that the service manages. */
export interface FakeCommunity {
  id: string;
  ownerId: string;
  /** Key owners with the role ADMIN. */
  adminIds: readonly string[];
  /** False if the community has no messenger bot, so the service creates no invite links. */
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

/** A membership that the service itself created, with what the OAuth list doesn't contain. */
export interface MembershipRecord {
  /** The row in the user's list. */
  membership: FakeMembership;
  user: FakeUser;
  communityId: string;
  planId: string | null;
  /** Order id of the latest provisioning. */
  orderId: string | null;
  /** True if a subscription at a payment provider manages the membership. */
  isSubscription: boolean;
  createdAt: number;
  /** Access period by the service's clock, in milliseconds since the epoch. No end for lifetime access. */
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

/** What the service finds a user by. The email address is in lower case. */
export interface UserKeys {
  email?: string;
  messengerUserId?: number;
}

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
    /** Adds a key, by default with every permission. If there are none, every well-formed key is valid. */
    addApiKey: (given: Pick<FakeApiKey, 'key'> & Partial<FakeApiKey>): FakeApiKey =>
      add(apiKeys, { key: '', ownerId: DEFAULT_OWNER, permissions: [...PERMISSIONS] }, given),
    addDrop: (given: Pick<FakeDrop, 'communityId'> & Partial<FakeDrop>): FakeDrop =>
      add(drops, { id: id(), slots: null, emails: new Set(), communityId: '' }, given),
    /** Registers a user: checkouts and provisioning then find them by email and messenger account. */
    addUser,
    findUser,
    /** Returns the user for a checkout or a provisioning, who is created if unknown. */
    resolveUser(keys: UserKeys): FakeUser {
      const { email = null, messengerUserId } = keys;
      const account = messengerUserId === undefined ? {} : { messengerUserId };
      return findUser(keys) ?? addUser({ ...fakeUser(email), ...account });
    },
    findCommunity: (wanted: string) => communities.find((each) => isSameId(each.id, wanted)),
    findPlan: (wanted: string) => plans.find((each) => isSameId(each.id, wanted)),
    /** Returns the record of a membership in a user's list. Undefined if a test has put it there. */
    recordOf,
    findRecord: (user: FakeUser, communityId: string) =>
      records.find((each) => each.user === user && each.communityId === communityId),
    /** Returns the end of a membership by the service's clock, even if its timestamps differ. */
    endsAt,
    isActive: (record: MembershipRecord) => endsAt(record.membership) > clock.now(),
  };
}

/** True for the same UUID in any case. */
export function isSameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
