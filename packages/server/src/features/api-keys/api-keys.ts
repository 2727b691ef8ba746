import type { Permission } from '@latchkey/contract/constants';
import type { Row } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import { camelCased, countRows, hasRows, type Position, readPage } from '../../platform/database/rows.js';
import { type AuditEntry, auditedWrite } from '../audit/audit.js';
import { submitOnce } from '../users/form-submission.js';

/** An API key. The database contains only a hash of the key itself. */
export type ApiKey = ReturnType<typeof asApiKey>;

export type CallerKey = Pick<ApiKey, 'id' | 'ownerId' | 'permissions'>;

type NewApiKey = Omit<ApiKey, 'createdAt' | 'revokedAt'> & { hash: string };

const findActiveKey = prepareQuery((db, values: { hash: string }) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'owner_id', 'permissions'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('provisioning_grants')
          .select('provisioning_grants.user_id')
          .whereRef('provisioning_grants.user_id', '=', 'api_keys.owner_id'),
      ).as('may_provision'),
    )
    .where('key_hash', '=', values.hash)
    .where('revoked_at', 'is', null),
);

export function countActiveApiKeys(db: Database, ownerId: string): Promise<number> {
  return countRows(db.selectFrom('api_keys').where('owner_id', '=', ownerId).where('revoked_at', 'is', null));
}

function asRow({ id, ownerId, name, prefix, ending, permissions, hash }: NewApiKey, now: number) {
  return {
    id,
    owner_id: ownerId,
    name,
    key_hash: hash,
    key_prefix: prefix,
    key_ending: ending,
    permissions: JSON.stringify(permissions),
    created_at: now,
    revoked_at: null,
  };
}

function asApiKey(row: Row<'api_keys'>) {
  const { keyPrefix: prefix, keyEnding: ending, keyHash: _hash, ...key } = camelCased(row);
  return {
    ...key,
    /** Prefix of the key. Differs from the service's prefix if the service has been renamed since. */
    prefix,
    /** Last four characters of the key, which help owners recognize it. */
    ending,
    permissions: permissionsOf(row),
  };
}

function permissionsOf({ permissions }: { permissions: string }): readonly Permission[] {
  // This column is written only on insert, with permissions from the contract.
  return JSON.parse(permissions) as Permission[];
}

/** Stores a key. Returns false if the same key already exists. */
export async function insertApiKey(db: Database, key: NewApiKey, now: number): Promise<boolean> {
  const { id: subjectId, ownerId, permissions } = key;
  const entry: AuditEntry = { action: 'key.create', subjectId, details: { ownerId, permissions } };
  return await auditedWrite(db, entry, (transaction) =>
    transaction
      .insertInto('api_keys')
      .values(asRow(key, now))
      .onConflict((conflict) => conflict.column('key_hash').doNothing()),
  );
}

/** `may-not-provision`: the key has MEMBERSHIP_PROVISION, and its owner has no provisioning grant. */
export async function createApiKey(
  db: Database,
  key: NewApiKey,
  { submissionId, limit }: { submissionId: string; limit: number },
  now: number,
) {
  const { ownerId } = key;
  return await submitOnce(db, {
    submission: { userId: ownerId, id: submissionId },
    now,
    async work(transaction): Promise<{ kind: 'created' | 'too-many' | 'may-not-provision' }> {
      if (key.permissions.includes('MEMBERSHIP_PROVISION') && !(await mayProvision(transaction, ownerId)))
        return { kind: 'may-not-provision' };
      if ((await countActiveApiKeys(transaction, ownerId)) >= limit) return { kind: 'too-many' };
      await insertApiKey(transaction, key, now);
      return { kind: 'created' };
    },
    hasEffect: ({ kind }) => kind === 'created',
  });
}

/** MEMBERSHIP_PROVISION counts only while the owner has the operator's grant. Withdrawing it takes effect at once. */
export async function findActiveApiKey(db: Database, hash: string): Promise<CallerKey | undefined> {
  const row = await findActiveKey.first(db, { hash });
  if (row === undefined) return undefined;
  const permissions = permissionsOf(row).filter(
    (permission) => permission !== 'MEMBERSHIP_PROVISION' || Boolean(row.may_provision),
  );
  return { id: row.id, ownerId: row.owner_id, permissions };
}

export async function findApiKey(db: Database, { id, ownerId }: { id: string; ownerId: string }) {
  const own = db.selectFrom('api_keys').selectAll().where('owner_id', '=', ownerId);
  const row = await own.where('id', '=', id).executeTakeFirst();
  return row && asApiKey(row);
}

export function listActiveApiKeys(db: Database, ownerId: string, after?: Position | undefined) {
  const own = db.selectFrom('api_keys').selectAll().where('owner_id', '=', ownerId);
  const active = own.where('revoked_at', 'is', null);
  return readPage(active, { by: ['created_at', 'id'], direction: 'desc', after }, asApiKey);
}

export async function listRevokedApiKeys(db: Database, ownerId: string, limit: number): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(asApiKey);
}

/** Revokes a key. Returns false if the user doesn't own it. Revoking it again changes nothing. */
export async function revokeApiKey(
  db: Database,
  { id, ownerId }: { id: string; ownerId: string },
  now: number,
): Promise<boolean> {
  const isRevoked = await auditedWrite(db, { action: 'key.revoke', subjectId: id }, (transaction) =>
    transaction
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('owner_id', '=', ownerId)
      .where('revoked_at', 'is', null),
  );
  return isRevoked || (await findApiKey(db, { id, ownerId })) !== undefined;
}

export async function grantProvisioning(db: Database, userId: string, now: number): Promise<void> {
  await auditedWrite(db, { action: 'provisioning.allow', subjectId: userId }, (transaction) =>
    transaction
      .insertInto('provisioning_grants')
      .values({ user_id: userId, granted_at: now })
      .onConflict((conflict) => conflict.column('user_id').doNothing()),
  );
}

export async function withdrawProvisioning(db: Database, userId: string): Promise<void> {
  await auditedWrite(db, { action: 'provisioning.withdraw', subjectId: userId }, (transaction) =>
    transaction.deleteFrom('provisioning_grants').where('user_id', '=', userId),
  );
}

/** True if the operator lets the user create keys with MEMBERSHIP_PROVISION. */
export async function mayProvision(db: Database, userId: string): Promise<boolean> {
  return await hasRows(db.selectFrom('provisioning_grants').where('user_id', '=', userId));
}
