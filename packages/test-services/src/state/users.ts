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
  /** Account of the messenger that the user has linked. */
  messengerUserId?: number;
  /** Fields of the userinfo response that the specification does not name. Callers must ignore them. */
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

/** A lifetime membership of a community, unless the fields say otherwise. */
export function fakeMembership(membership: Partial<FakeMembership> = {}): FakeMembership {
  return {
    id: crypto.randomUUID(),
    productType: 'community',
    isActive: true,
    validFrom: '2029-01-01T00:00:00.000Z',
    ...membership,
  };
}
