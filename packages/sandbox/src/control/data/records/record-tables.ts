import type { OwnerField, RecordKind } from './record-kinds.js';

/** Table of one kind of record. Columns with secrets and their hashes are never listed here. */
export interface RecordTable {
  readonly table: string;
  readonly columns: readonly string[];
  /** Columns of the order, the last of them unique together with the first. */
  readonly order: readonly [string, string];
  /** Columns that identify a record. Several are joined with `~`. */
  readonly id: readonly string[];
  /** Columns that a search looks at. */
  readonly searched: readonly string[];
  /** Columns by which a list can be limited. */
  readonly owners: Readonly<Partial<Record<OwnerField, string>>>;
}

const OF_COMMUNITY = { communityId: 'community_id' } as const;
const OF_OWNER = { ownerId: 'owner_id' } as const;
const OF_SALE = {
  userId: 'user_id',
  communityId: 'community_id',
  productId: 'product_id',
  pricingPlanId: 'pricing_plan_id',
} as const;

export const RECORD_TABLES: Readonly<Record<RecordKind, RecordTable>> = {
  users: {
    table: 'users',
    columns: ['id', 'email', 'name', 'messenger_user_id', 'email_verified_at', 'created_at'],
    order: ['created_at', 'id'],
    id: ['id'],
    searched: ['id', 'email', 'name', 'messenger_user_id'],
    owners: {},
  },
  communities: {
    table: 'communities',
    columns: ['id', 'name', 'logo_url', 'accent', 'created_at'],
    order: ['created_at', 'id'],
    id: ['id'],
    searched: ['id', 'name'],
    owners: {},
  },
  roles: {
    table: 'community_roles',
    columns: ['community_id', 'user_id', 'role', 'is_active'],
    order: ['community_id', 'user_id'],
    id: ['community_id', 'user_id'],
    searched: ['community_id', 'user_id', 'role'],
    owners: { userId: 'user_id', ...OF_COMMUNITY },
  },
  plans: {
    table: 'pricing_plans',
    columns: [
      ...['id', 'community_id', 'name', 'price_minor', 'currency', 'period_days', 'renews', 'provider'],
      ...['description', 'benefits', 'created_at', 'archived_at'],
    ],
    order: ['created_at', 'id'],
    id: ['id'],
    searched: ['id', 'name', 'currency', 'provider'],
    owners: OF_COMMUNITY,
  },
  products: {
    table: 'products',
    columns: [
      ...['id', 'owner_id', 'name', 'slug', 'type', 'description', 'price_minor', 'currency'],
      'created_at',
    ],
    order: ['created_at', 'id'],
    id: ['id'],
    searched: ['id', 'name', 'slug', 'type'],
    owners: OF_OWNER,
  },
  memberships: {
    table: 'memberships',
    columns: [
      ...['id', 'user_id', 'product_type', 'community_id', 'product_id', 'valid_from', 'valid_until'],
      ...['pricing_plan_id', 'external_order_id', 'subscription_id', 'subscription_cancelled_at'],
    ],
    order: ['valid_from', 'id'],
    id: ['id'],
    searched: ['id', 'user_id', 'product_type', 'external_order_id'],
    owners: OF_SALE,
  },
  reservations: {
    table: 'checkout_reservations',
    columns: [
      ...['id', 'user_id', 'community_id', 'pricing_plan_id', 'product_id', 'caller_id', 'external_id'],
      ...['success_url', 'cancel_url', 'utm_source', 'created_at', 'paid_at', 'membership_id'],
    ],
    order: ['created_at', 'id'],
    id: ['id'],
    searched: ['id', 'user_id', 'external_id', 'utm_source'],
    owners: OF_SALE,
  },
  drops: {
    table: 'drop_slots',
    columns: ['id', 'community_id', 'name', 'slots', 'slots_used', 'starts_at', 'ends_at', 'created_at'],
    order: ['created_at', 'id'],
    id: ['id'],
    searched: ['id', 'name'],
    owners: OF_COMMUNITY,
  },
  signups: {
    table: 'drop_signups',
    columns: ['id', 'drop_slot_id', 'email', 'phone_number', 'created_at'],
    order: ['created_at', 'id'],
    id: ['id'],
    searched: ['id', 'email', 'phone_number'],
    owners: { dropSlotId: 'drop_slot_id' },
  },
  clients: {
    table: 'oauth_clients',
    columns: [
      ...['client_id', 'owner_id', 'type', 'name', 'description', 'logo_url', 'accent'],
      ...['redirect_uris', 'widget_origins', 'scopes', 'verified_at', 'created_at'],
    ],
    order: ['created_at', 'client_id'],
    id: ['client_id'],
    searched: ['client_id', 'name', 'redirect_uris', 'widget_origins'],
    owners: OF_OWNER,
  },
  keys: {
    table: 'api_keys',
    columns: ['id', 'owner_id', 'name', 'key_ending', 'permissions', 'created_at', 'revoked_at'],
    order: ['created_at', 'id'],
    id: ['id'],
    searched: ['id', 'name', 'key_ending', 'permissions'],
    owners: OF_OWNER,
  },
  webhooks: {
    table: 'webhooks',
    columns: [
      ...['id', 'owner_id', 'community_id', 'product_id', 'url', 'is_active', 'failing_since', 'paused_at'],
      'created_at',
    ],
    order: ['created_at', 'id'],
    id: ['id'],
    searched: ['id', 'url'],
    owners: { ...OF_OWNER, ...OF_COMMUNITY, productId: 'product_id' },
  },
};
