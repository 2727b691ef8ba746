import { planResource, productResource, type Resource } from '@latchkey/server/extension';

/** Table of one kind of record. Columns with secrets and their hashes are never listed here. */
export interface RecordTable {
  /** One record, in a sentence. */
  readonly one: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** Columns that a search looks at. */
  readonly searched: readonly string[];
  /** Fields by which a list can be limited. */
  readonly owners: readonly OwnerField[];
  /** Columns of the order, the last of them unique together with the first. */
  readonly order: readonly [string, string];
  /** Columns that identify a record. Several are joined with `~`. */
  readonly id: readonly string[];
}

/** Fields by which records belong to another one, and the kind of that one. */
export const OWNER_KINDS = {
  userId: 'users',
  ownerId: 'users',
  communityId: 'communities',
  productId: 'products',
  pricingPlanId: 'plans',
  dropSlotId: 'drops',
} as const;

export type OwnerKinds = typeof OWNER_KINDS;

/** Field by which a record belongs to another one. */
export type OwnerField = keyof OwnerKinds;

export const OWNER_FIELDS = Object.keys(OWNER_KINDS) as readonly OwnerField[];

type Row = Pick<RecordTable, 'one' | 'table' | 'columns' | 'searched'> & Partial<RecordTable>;

const recordTable = (row: Row): RecordTable => ({
  owners: [],
  order: ['created_at', 'id'],
  id: ['id'],
  ...row,
});
const columnsOf = ({ fields }: Pick<Resource, 'fields'>) => fields.map(({ column }) => column);
const OF_SALE = ['userId', 'communityId', 'productId', 'pricingPlanId'] as const;

/** All kinds. Those that belong to a record are listed with it in this order. */
export const RECORD_TABLES = {
  users: recordTable({
    one: 'user',
    table: 'users',
    columns: ['id', 'email', 'name', 'messenger_user_id', 'email_verified_at', 'created_at'],
    searched: ['id', 'email', 'name', 'messenger_user_id'],
  }),
  communities: recordTable({
    one: 'community',
    table: 'communities',
    columns: ['id', 'name', 'logo_url', 'accent', 'created_at'],
    searched: ['id', 'name'],
  }),
  memberships: recordTable({
    one: 'membership',
    table: 'memberships',
    columns: [
      ...['id', 'user_id', 'product_type', 'community_id', 'product_id', 'valid_from', 'valid_until'],
      ...['pricing_plan_id', 'external_order_id', 'subscription_id', 'subscription_cancelled_at'],
    ],
    order: ['valid_from', 'id'],
    searched: ['id', 'user_id', 'product_type', 'external_order_id'],
    owners: OF_SALE,
  }),
  plans: recordTable({
    one: 'plan',
    table: 'pricing_plans',
    columns: ['id', 'community_id', ...columnsOf(planResource), 'created_at', 'archived_at'],
    searched: ['id', 'name', 'currency', 'provider'],
    owners: ['communityId'],
  }),
  roles: recordTable({
    one: 'role',
    table: 'community_roles',
    columns: ['community_id', 'user_id', 'role', 'is_active'],
    order: ['community_id', 'user_id'],
    id: ['community_id', 'user_id'],
    searched: ['community_id', 'user_id', 'role'],
    owners: ['userId', 'communityId'],
  }),
  drops: recordTable({
    one: 'drop',
    table: 'drop_slots',
    columns: ['id', 'community_id', 'name', 'slots', 'slots_used', 'starts_at', 'ends_at', 'created_at'],
    searched: ['id', 'name'],
    owners: ['communityId'],
  }),
  reservations: recordTable({
    one: 'reservation',
    table: 'checkout_reservations',
    columns: [
      ...['id', 'user_id', 'community_id', 'pricing_plan_id', 'product_id', 'caller_id', 'external_id'],
      ...['success_url', 'cancel_url', 'utm_source', 'created_at', 'paid_at', 'membership_id'],
    ],
    searched: ['id', 'user_id', 'external_id', 'utm_source'],
    owners: OF_SALE,
  }),
  products: recordTable({
    one: 'product',
    table: 'products',
    columns: ['id', 'owner_id', ...columnsOf(productResource), 'created_at'],
    searched: ['id', 'name', 'slug', 'type'],
    owners: ['ownerId'],
  }),
  clients: recordTable({
    one: 'client',
    table: 'oauth_clients',
    columns: [
      ...['client_id', 'owner_id', 'type', 'name', 'description', 'logo_url', 'accent'],
      ...['redirect_uris', 'widget_origins', 'scopes', 'verified_at', 'created_at'],
    ],
    order: ['created_at', 'client_id'],
    id: ['client_id'],
    searched: ['client_id', 'name', 'redirect_uris', 'widget_origins'],
    owners: ['ownerId'],
  }),
  keys: recordTable({
    one: 'API key',
    table: 'api_keys',
    columns: ['id', 'owner_id', 'name', 'key_ending', 'permissions', 'created_at', 'revoked_at'],
    searched: ['id', 'name', 'key_ending', 'permissions'],
    owners: ['ownerId'],
  }),
  webhooks: recordTable({
    one: 'webhook',
    table: 'webhooks',
    columns: [
      ...['id', 'owner_id', 'community_id', 'product_id', 'url', 'is_active', 'failing_since', 'paused_at'],
      'created_at',
    ],
    searched: ['id', 'url'],
    owners: ['ownerId', 'communityId', 'productId'],
  }),
  signups: recordTable({
    one: 'signup',
    table: 'drop_signups',
    columns: ['id', 'drop_slot_id', 'email', 'phone_number', 'created_at'],
    searched: ['id', 'email', 'phone_number'],
    owners: ['dropSlotId'],
  }),
} as const;

export type RecordKind = keyof typeof RECORD_TABLES;

export const RECORD_KINDS = Object.keys(RECORD_TABLES).sort() as readonly RecordKind[];
