import type { OAuthScope } from '@latchkey/contract/constants';
import { noteSubmission, wasSubmitted } from '../../platform/database/form-submission.js';
import type { Insertable, Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import type { Schema } from '../../platform/database/schema.js';
import { inTransaction } from '../../platform/database/transaction.js';

/** A registered client. */
export interface OAuthClient {
  clientId: string;
  ownerId: string;
  /** A public client has no secret. */
  type: 'public' | 'confidential';
  /** SHA-256 of the secret; null for a public client. */
  secretHash: string | null;
  name: string;
  description: string | null;
  logoUrl: string | null;
  redirectUris: readonly string[];
  widgetOrigins: readonly string[];
  scopes: readonly OAuthScope[];
}

/** What a client's owner may change at any time. */
type ClientSettingsRow = Pick<
  OAuthClient,
  'name' | 'description' | 'logoUrl' | 'redirectUris' | 'widgetOrigins' | 'scopes'
>;

/** A client, when it is this owner's. */
interface OwnClientKey {
  clientId: string;
  ownerId: string;
}

/** What to change of a client. The secret changes with the type only, so an edit never brings an old one back. */
interface ClientChanges {
  settings?: ClientSettingsRow | undefined;
  /** The type from now on. The new secret is for a client that had none; one that is confidential keeps its own. */
  type?: { to: 'public' } | { to: 'confidential'; newSecretHash: string } | undefined;
}

const clientById = prepareQuery((db, given: { clientId: string }) =>
  db.selectFrom('oauth_clients').selectAll().where('client_id', '=', given.clientId),
);

async function setSecret(
  db: Database,
  key: OwnClientKey | { clientId: string },
  secretHash: string,
): Promise<boolean> {
  const changed = await db
    .updateTable('oauth_clients')
    .set({ secret_hash: secretHash })
    .where('client_id', '=', key.clientId)
    .where((eb) => ('ownerId' in key ? eb('owner_id', '=', key.ownerId) : eb.lit(true)))
    .where('type', '=', 'confidential')
    .returning('client_id')
    .executeTakeFirst();
  return changed !== undefined;
}

async function countOwn(db: Database, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('oauth_clients')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function asRow(client: OAuthClient): Omit<Insertable<Schema['oauth_clients']>, 'created_at'> {
  return {
    client_id: client.clientId,
    owner_id: client.ownerId,
    type: client.type,
    secret_hash: client.secretHash,
    ...settingsRow(client),
  };
}

function settingsRow(settings: ClientSettingsRow) {
  return {
    name: settings.name,
    description: settings.description,
    logo_url: settings.logoUrl,
    redirect_uris: JSON.stringify(settings.redirectUris),
    widget_origins: JSON.stringify(settings.widgetOrigins),
    scopes: JSON.stringify(settings.scopes),
  };
}

function asClient(row: Selectable<Schema['oauth_clients']>): OAuthClient {
  return {
    clientId: row.client_id,
    ownerId: row.owner_id,
    type: row.type,
    secretHash: row.secret_hash,
    name: row.name,
    description: row.description,
    logoUrl: row.logo_url,
    // Only asRow writes these columns, from checked values.
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    widgetOrigins: JSON.parse(row.widget_origins) as string[],
    scopes: JSON.parse(row.scopes) as OAuthScope[],
  };
}

export async function findClient(db: Database, clientId: string): Promise<OAuthClient | undefined> {
  const row = await clientById.first(db, { clientId });
  return row && asClient(row);
}

/** Every client, oldest first. */
export async function listClients(db: Database, limit: number): Promise<OAuthClient[]> {
  const rows = await db
    .selectFrom('oauth_clients')
    .selectAll()
    .orderBy('created_at')
    .orderBy('client_id')
    .limit(limit)
    .execute();
  return rows.map(asClient);
}

/** Whether the client is new; false when its id is taken. */
export async function insertClient(db: Database, client: OAuthClient, now: number): Promise<boolean> {
  const inserted = await db
    .insertInto('oauth_clients')
    .values({ ...asRow(client), created_at: now })
    .onConflict((conflict) => conflict.column('client_id').doNothing())
    .returning('client_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Every client of a user, oldest first. */
export async function listOwnClients(db: Database, ownerId: string): Promise<OAuthClient[]> {
  const rows = await db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('client_id')
    .execute();
  return rows.map(asClient);
}

/** The client with this id, when it is this owner's. */
export async function findOwnClient(db: Database, key: OwnClientKey): Promise<OAuthClient | undefined> {
  const row = await db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('client_id', '=', key.clientId)
    .where('owner_id', '=', key.ownerId)
    .executeTakeFirst();
  return row && asClient(row);
}

/** Registers a client by a form, which counts once, unless its owner has as many as one may have. */
export async function registerClient(
  db: Database,
  client: OAuthClient,
  { submissionId, limit }: { submissionId: string; limit: number },
  now: number,
): Promise<'registered' | 'sent_before' | 'too_many'> {
  const submission = { userId: client.ownerId, id: submissionId };
  return await inTransaction(db, async (transaction) => {
    if ((await countOwn(transaction, client.ownerId)) >= limit) {
      return (await wasSubmitted(transaction, submission)) ? 'sent_before' : 'too_many';
    }
    if (!(await noteSubmission(transaction, submission, now))) return 'sent_before';
    await transaction
      .insertInto('oauth_clients')
      .values({ ...asRow(client), created_at: now })
      .execute();
    return 'registered';
  });
}

/** Changes a client in one statement and gives it as it is then. */
export async function updateClient(
  db: Database,
  key: OwnClientKey | { clientId: string },
  { settings, type }: ClientChanges,
): Promise<OAuthClient | undefined> {
  const row = await db
    .updateTable('oauth_clients')
    .set(({ fn, val }) => ({
      // Something is always set, or there would be no statement.
      client_id: key.clientId,
      ...(settings && settingsRow(settings)),
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
  return row && asClient(row);
}

/** Gives a confidential client another secret, by a form that counts once; the old secret ends. */
export async function rotateClientSecret(
  db: Database,
  { clientId, ownerId }: OwnClientKey,
  { secretHash, submissionId }: { secretHash: string; submissionId: string },
  now: number,
): Promise<'rotated' | 'sent_before' | 'not_confidential'> {
  return await inTransaction(db, async (transaction) => {
    if (!(await noteSubmission(transaction, { userId: ownerId, id: submissionId }, now))) {
      return 'sent_before';
    }
    const isRotated = await setSecret(transaction, { clientId, ownerId }, secretHash);
    return isRotated ? 'rotated' : 'not_confidential';
  });
}

/** Gives a confidential client another secret, whoever owns it; false when no confidential client has the id. */
export async function setClientSecret(db: Database, clientId: string, secretHash: string): Promise<boolean> {
  return await setSecret(db, { clientId }, secretHash);
}

/** Deletes a client; its codes, tokens and consents go with it. Whether it was the owner's. */
export async function deleteClient(db: Database, { clientId, ownerId }: OwnClientKey): Promise<boolean> {
  const removed = await db
    .deleteFrom('oauth_clients')
    .where('client_id', '=', clientId)
    .where('owner_id', '=', ownerId)
    .returning('client_id')
    .executeTakeFirst();
  return removed !== undefined;
}
