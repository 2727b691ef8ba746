import { randomBytes } from 'node:crypto';
import type { OAuthScope } from '@latchkey/contract/constants';
import type { Row } from '../../migrations/schema.js';
import { sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import { camelCased, countRows, type Position, readPage } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { hashSecret, type NewSecret } from '../../platform/secrets.js';
import { type AuditEntry, auditedWrite, changedFields, recordAudit } from '../audit/audit.js';
import { noteSubmission, submitOnce } from '../users/form-submission.js';
import type { StoredClientSettings } from './client.resource.js';

export interface OAuthClient extends StoredClientSettings {
  clientId: string;
  ownerId: string;
  type: 'public' | 'confidential';
  /** SHA-256 of the secret; null for a public client. */
  secretHash: string | null;
  /** When the operator verified the client; null if it hasn't. */
  verifiedAt: number | null;
}

export interface OwnClientKey {
  clientId: string;
  ownerId: string;
}

const clientById = prepareQuery((db, values: { clientId: string }) =>
  db.selectFrom('oauth_clients').selectAll().where('client_id', '=', values.clientId),
);

export function countOwnClients(db: Database, ownerId: string): Promise<number> {
  return countRows(db.selectFrom('oauth_clients').where('owner_id', '=', ownerId));
}

function settingsRow(settings: StoredClientSettings) {
  return {
    name: settings.name,
    description: settings.description,
    logo_url: settings.logoUrl,
    accent: settings.accent,
    redirect_uris: JSON.stringify(settings.redirectUris),
    widget_origins: JSON.stringify(settings.widgetOrigins),
    scopes: JSON.stringify(settings.scopes),
  };
}

function asClient(row: Row<'oauth_clients'>): OAuthClient {
  const { createdAt: _createdAt, ...client } = camelCased(row);
  return {
    ...client,
    // Only `settingsRow` writes these columns, with validated values.
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    widgetOrigins: JSON.parse(row.widget_origins) as string[],
    scopes: JSON.parse(row.scopes) as OAuthScope[],
  };
}

export async function findClient(db: Database, clientId: string): Promise<OAuthClient | undefined> {
  const row = await clientById.first(db, { clientId });
  return row && asClient(row);
}

/** Stores a client. Returns false if its id is taken. */
export async function insertClient(db: Database, client: OAuthClient, now: number): Promise<boolean> {
  const { clientId, ownerId, type, secretHash, verifiedAt } = client;
  const fixed = {
    client_id: clientId,
    owner_id: ownerId,
    type,
    secret_hash: secretHash,
    verified_at: verifiedAt,
  };
  const entry: AuditEntry = { action: 'client.create', subjectId: clientId, details: { ownerId } };
  return await auditedWrite(db, entry, (transaction) =>
    transaction
      .insertInto('oauth_clients')
      .values({ ...fixed, ...settingsRow(client), created_at: now })
      .onConflict((conflict) => conflict.column('client_id').doNothing()),
  );
}

export function listOwnClients(db: Database, ownerId: string, after?: Position | undefined) {
  const own = db.selectFrom('oauth_clients').selectAll().where('owner_id', '=', ownerId);
  return readPage(own, { by: ['created_at', 'client_id'], after }, asClient);
}

export async function findOwnClient(db: Database, { clientId, ownerId }: OwnClientKey) {
  const client = await findClient(db, clientId);
  return client?.ownerId === ownerId ? client : undefined;
}

export async function registerClient(
  db: Database,
  client: OAuthClient,
  { submissionId, limit }: { submissionId: string; limit: number },
  now: number,
) {
  const { ownerId } = client;
  return await submitOnce(db, {
    submission: { userId: ownerId, id: submissionId },
    now,
    async work(transaction): Promise<{ kind: 'registered' | 'too-many' }> {
      if ((await countOwnClients(transaction, ownerId)) >= limit) return { kind: 'too-many' };
      await insertClient(transaction, client, now);
      return { kind: 'registered' };
    },
    hasEffect: ({ kind }) => kind === 'registered',
  });
}

/** The operator verified what users see, so changing any of it ends the verification. */
function verificationAfter({ name, description, logoUrl, accent }: StoredClientSettings) {
  return sql<number | null>`case
    when name = ${name}
      and coalesce(description, '') = ${description ?? ''}
      and coalesce(logo_url, '') = ${logoUrl ?? ''}
      and coalesce(accent, '') = ${accent ?? ''}
    then verified_at end`;
}

/** The secret changes only with the type: an edit never restores an old secret. */
export async function updateClient(
  db: Database,
  key: OwnClientKey | { clientId: string },
  {
    settings,
    type,
  }: {
    settings?: StoredClientSettings | undefined;
    /** The new type. A client that becomes confidential gets the new secret; one that already is keeps its secret. */
    type?: { to: 'public' } | { to: 'confidential'; newSecretHash: string } | undefined;
  },
): Promise<OAuthClient | undefined> {
  return await inTransaction(db, async (transaction) => {
    const before = await findClient(transaction, key.clientId);
    const row = await transaction
      .updateTable('oauth_clients')
      .set(({ fn, val }) => ({
        // An update needs at least one column to be valid SQL.
        client_id: key.clientId,
        ...(settings && settingsRow(settings)),
        ...(settings && 'ownerId' in key && { verified_at: verificationAfter(settings) }),
        ...(type?.to === 'public' && { type: 'public' as const, secret_hash: null }),
        ...(type?.to === 'confidential' && {
          type: 'confidential' as const,
          secret_hash: fn.coalesce('secret_hash', val(type.newSecretHash)),
        }),
      }))
      .where('client_id', '=', key.clientId)
      .where((eb) => ('ownerId' in key ? eb('owner_id', '=', key.ownerId) : eb.lit(true)))
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const client = asClient(row);
    const details = { fields: changedFields(before, client) };
    await recordAudit(transaction, { action: 'client.change', subjectId: client.clientId, details });
    return client;
  });
}

/** Stores when the operator verified a client. Null withdraws the verification. */
export async function setVerification(db: Database, clientId: string, verifiedAt: number | null) {
  const action = verifiedAt === null ? 'client.withdraw-verification' : 'client.verify';
  await auditedWrite(db, { action, subjectId: clientId }, (transaction) =>
    transaction
      .updateTable('oauth_clients')
      .set({ verified_at: verifiedAt })
      .where('client_id', '=', clientId),
  );
}

/** Deletes a client with its codes, tokens and consents. Returns false if the user doesn't own it. */
export async function deleteClient(db: Database, { clientId, ownerId }: OwnClientKey): Promise<boolean> {
  return await auditedWrite(db, { action: 'client.delete', subjectId: clientId }, (transaction) =>
    transaction.deleteFrom('oauth_clients').where('client_id', '=', clientId).where('owner_id', '=', ownerId),
  );
}

/** The old secret stops working. Submitting the form twice replaces it once. */
export async function rotateClientSecret(
  db: Database,
  key: OwnClientKey,
  { secretHash, submissionId }: { secretHash: string; submissionId: string },
  now: number,
): Promise<{ kind: 'rotated' | 'already-submitted' | 'not-confidential' }> {
  return await inTransaction(db, async (transaction) => {
    if (!(await noteSubmission(transaction, { userId: key.ownerId, id: submissionId }, now))) {
      return { kind: 'already-submitted' };
    }
    return { kind: (await setClientSecret(transaction, key, secretHash)) ? 'rotated' : 'not-confidential' };
  });
}

/** False if there is no such confidential client. Without an `ownerId`, the owner isn't checked. */
export async function setClientSecret(
  db: Database,
  key: OwnClientKey | { clientId: string },
  secretHash: string,
): Promise<boolean> {
  const entry: AuditEntry = { action: 'client.replace-secret', subjectId: key.clientId };
  return await auditedWrite(db, entry, (transaction) =>
    transaction
      .updateTable('oauth_clients')
      .set({ secret_hash: secretHash })
      .where('client_id', '=', key.clientId)
      .where((eb) => ('ownerId' in key ? eb('owner_id', '=', key.ownerId) : eb.lit(true)))
      .where('type', '=', 'confidential'),
  );
}

/** Takes a client's addresses and secret, so nobody signs in until its owner enters new ones. False without such a client. */
export async function disableClient(transaction: Database, key: OwnClientKey): Promise<boolean> {
  const client = await findOwnClient(transaction, key);
  if (client === undefined) return false;
  await updateClient(transaction, key, { settings: { ...client, redirectUris: [], widgetOrigins: [] } });
  await setClientSecret(transaction, key, createClientSecret().hash);
  return true;
}

/** Creates a client id: `oac_` and 24 hex characters (spec, "Resources and their fields"). Client ids aren't secret. */
export function createClientId(): string {
  return `oac_${randomBytes(12).toString('hex')}`;
}

/** Creates a client secret: `ocs_` and 48 hex characters (spec, "Resources and their fields"). */
export function createClientSecret(): NewSecret {
  const text = `ocs_${randomBytes(24).toString('hex')}`;
  return { text, hash: hashSecret(text) };
}
