import { formatTimestamp } from '@latchkey/contract/constants';
import type { Database } from '@latchkey/server/extension';

/** Kinds of records that can be listed. */
export const RECORD_KINDS = [
  'clients',
  'communities',
  'drops',
  'keys',
  'memberships',
  'plans',
  'products',
  'roles',
  'users',
  'webhooks',
] as const;

/** Kind of a record. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Record without secrets. Times are ISO 8601. */
export type DataRecord = Readonly<Record<string, unknown>>;

/** Rows to read. */
export interface RowRange {
  readonly limit: number;
  readonly offset: number;
}

type Row = Record<string, string | number | null>;

/** Selections by kind. Columns with secrets and their hashes are never selected. */
const SELECTIONS: Readonly<Record<RecordKind, (db: Database, range: RowRange) => Promise<Row[]>>> = {
  users: (db, range) =>
    db
      .selectFrom('users')
      .select(['id', 'email', 'name', 'messenger_user_id', 'email_verified_at', 'created_at'])
      .orderBy('created_at')
      .orderBy('id')
      .limit(range.limit)
      .offset(range.offset)
      .execute(),
  communities: (db, range) =>
    db
      .selectFrom('communities')
      .select(['id', 'name', 'created_at'])
      .orderBy('created_at')
      .orderBy('id')
      .limit(range.limit)
      .offset(range.offset)
      .execute(),
  roles: (db, range) =>
    db
      .selectFrom('community_roles')
      .select(['community_id', 'user_id', 'role', 'is_active'])
      .orderBy('community_id')
      .orderBy('user_id')
      .limit(range.limit)
      .offset(range.offset)
      .execute(),
  plans: (db, range) =>
    db
      .selectFrom('pricing_plans')
      .select(['id', 'community_id', 'name', 'price_minor', 'currency', 'period_days', 'renews', 'provider'])
      .select(['created_at', 'archived_at'])
      .orderBy('created_at')
      .orderBy('id')
      .limit(range.limit)
      .offset(range.offset)
      .execute(),
  products: (db, range) =>
    db
      .selectFrom('products')
      .select(['id', 'owner_id', 'name', 'slug', 'type', 'price_minor', 'currency', 'created_at'])
      .orderBy('created_at')
      .orderBy('id')
      .limit(range.limit)
      .offset(range.offset)
      .execute(),
  memberships: (db, range) =>
    db
      .selectFrom('memberships')
      .select(['id', 'user_id', 'product_type', 'community_id', 'product_id', 'valid_from', 'valid_until'])
      .select(['pricing_plan_id', 'external_order_id', 'subscription_id', 'subscription_cancelled_at'])
      .orderBy('valid_from')
      .orderBy('id')
      .limit(range.limit)
      .offset(range.offset)
      .execute(),
  drops: (db, range) =>
    db
      .selectFrom('drop_slots')
      .select(['id', 'community_id', 'name', 'slots', 'slots_used', 'starts_at', 'ends_at', 'created_at'])
      .orderBy('created_at')
      .orderBy('id')
      .limit(range.limit)
      .offset(range.offset)
      .execute(),
  clients: (db, range) =>
    db
      .selectFrom('oauth_clients')
      .select(['client_id', 'owner_id', 'type', 'name', 'redirect_uris', 'widget_origins', 'scopes'])
      .select(['verified_at', 'created_at'])
      .orderBy('created_at')
      .orderBy('client_id')
      .limit(range.limit)
      .offset(range.offset)
      .execute(),
  keys: (db, range) =>
    db
      .selectFrom('api_keys')
      .select(['id', 'owner_id', 'name', 'key_ending', 'permissions', 'created_at', 'revoked_at'])
      .orderBy('created_at')
      .orderBy('id')
      .limit(range.limit)
      .offset(range.offset)
      .execute(),
  webhooks: (db, range) =>
    db
      .selectFrom('webhooks')
      .select(['id', 'owner_id', 'community_id', 'product_id', 'url', 'is_active', 'paused_at', 'created_at'])
      .orderBy('created_at')
      .orderBy('id')
      .limit(range.limit)
      .offset(range.offset)
      .execute(),
};

/** Lists records of one kind, oldest first. */
export async function listRecords(db: Database, kind: RecordKind, range: RowRange): Promise<DataRecord[]> {
  const rows = await SELECTIONS[kind](db, range);
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [camelCase(column), shown(column, value)]),
    ),
  );
}

const LISTS = new Set(['redirect_uris', 'widget_origins', 'scopes', 'permissions']);
const FLAGS = new Set(['is_active', 'renews']);

function shown(column: string, value: string | number | null): unknown {
  if (typeof value === 'number' && FLAGS.has(column)) return value === 1;
  if (typeof value === 'number' && /(?:_at|_from|_until)$/.test(column)) return formatTimestamp(value);
  return typeof value === 'string' && LISTS.has(column) ? JSON.parse(value) : value;
}

function camelCase(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
