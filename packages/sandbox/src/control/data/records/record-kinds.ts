export const RECORD_KINDS = [
  'clients',
  'communities',
  'drops',
  'keys',
  'memberships',
  'plans',
  'products',
  'reservations',
  'roles',
  'signups',
  'users',
  'webhooks',
] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];

export const RECORD_NAMES: Readonly<Record<RecordKind, string>> = {
  clients: 'client',
  communities: 'community',
  drops: 'drop',
  keys: 'API key',
  memberships: 'membership',
  plans: 'plan',
  products: 'product',
  reservations: 'reservation',
  roles: 'role',
  signups: 'signup',
  users: 'user',
  webhooks: 'webhook',
};

/** Record without secrets. Times are ISO 8601. */
export type DataRecord = Readonly<Record<string, unknown>>;

/** Fields by which records belong to another one. Each kind has some of them. */
export const OWNER_FIELDS = [
  'userId',
  'ownerId',
  'communityId',
  'productId',
  'pricingPlanId',
  'dropSlotId',
] as const;

/** Field by which a record belongs to another one. */
export type OwnerField = (typeof OWNER_FIELDS)[number];
