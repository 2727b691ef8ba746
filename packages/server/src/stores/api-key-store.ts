import type { Permission } from '@latchkey/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../database/open-database.js';
import type { Schema } from '../database/schema.js';

/** An API key. What it was made of is nowhere in the database. */
export interface ApiKey {
  id: string;
  ownerId: string;
  name: string;
  /** The last four characters of the key, for people to tell their keys apart. */
  ending: string;
  /** Fixed at creation (spec, "API keys", 2). */
  permissions: readonly Permission[];
  createdAt: number;
  /** Null while the key opens anything. */
  revokedAt: number | null;
}

/** Queries about API keys. */
export interface ApiKeyStore {
  /** False when there is a key with this text. */
  insert(key: Omit<ApiKey, 'createdAt' | 'revokedAt'> & { hash: string }, now: number): Promise<boolean>;
  /** The key with this hash, unless it was revoked. */
  findLiving(hash: string): Promise<ApiKey | undefined>;
  /** Every key of a user, newest first, the revoked ones too. */
  list(ownerId: string): Promise<ApiKey[]>;
  /** Ends a key at once. Whether the owner has it; revoking again changes nothing. */
  revoke(key: { id: string; ownerId: string }, now: number): Promise<boolean>;
  /** Lets a user choose MEMBERSHIP_PROVISION for new keys. */
  grantProvisioning(userId: string, now: number): Promise<void>;
  mayProvision(userId: string): Promise<boolean>;
}

export function createApiKeyStore(db: Database): ApiKeyStore {
  return {
    async insert({ id, ownerId, name, ending, permissions, hash }, now) {
      const inserted = await db
        .insertInto('api_keys')
        .values({
          id,
          owner_id: ownerId,
          name,
          key_hash: hash,
          key_ending: ending,
          permissions: JSON.stringify(permissions),
          created_at: now,
          revoked_at: null,
        })
        .onConflict((conflict) => conflict.column('key_hash').doNothing())
        .returning('id')
        .executeTakeFirst();
      return inserted !== undefined;
    },
    async findLiving(hash) {
      const row = await db
        .selectFrom('api_keys')
        .selectAll()
        .where('key_hash', '=', hash)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      return row && asApiKey(row);
    },
    async list(ownerId) {
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(asApiKey);
    },
    async revoke({ id, ownerId }, now) {
      const revoked = await db
        .updateTable('api_keys')
        .set(({ fn, val }) => ({ revoked_at: fn.coalesce('revoked_at', val(now)) }))
        .where('id', '=', id)
        .where('owner_id', '=', ownerId)
        .returning('id')
        .executeTakeFirst();
      return revoked !== undefined;
    },
    async grantProvisioning(userId, now) {
      await db
        .insertInto('provisioning_grants')
        .values({ user_id: userId, granted_at: now })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .execute();
    },
    async mayProvision(userId) {
      const row = await db
        .selectFrom('provisioning_grants')
        .select('user_id')
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

function asApiKey(row: Selectable<Schema['api_keys']>): ApiKey {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    ending: row.key_ending,
    // Only insert writes this column, from the contract's own names.
    permissions: JSON.parse(row.permissions) as Permission[],
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  };
}
