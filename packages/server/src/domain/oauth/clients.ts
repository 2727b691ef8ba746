import type { OAuthScope } from '@latchkey/contract';
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

/** Queries about registered clients. */
export interface ClientStore {
  find(clientId: string): Promise<OAuthClient | undefined>;
  /** The client with this id, when it is this owner's. */
  findOwn(key: OwnClientKey): Promise<OAuthClient | undefined>;
  /** Every client, oldest first. */
  list(limit: number): Promise<OAuthClient[]>;
  /** Every client of a user, oldest first. */
  listOwn(ownerId: string): Promise<OAuthClient[]>;
  /** Whether the client is new; false when its id is taken. */
  insert(client: OAuthClient, now: number): Promise<boolean>;
  /** Registers a client by a form, which counts once, unless its owner has as many as one may have. */
  register(
    client: OAuthClient,
    form: { submissionId: string; limit: number },
    now: number,
  ): Promise<'registered' | 'sent_before' | 'too_many'>;
  /** Changes a client in one statement and gives it as it is then. */
  update(key: OwnClientKey | { clientId: string }, changes: ClientChanges): Promise<OAuthClient | undefined>;
  /** Gives a confidential client another secret, by a form that counts once; the old secret ends. */
  rotateSecret(
    key: OwnClientKey,
    change: { secretHash: string; submissionId: string },
    now: number,
  ): Promise<'rotated' | 'sent_before' | 'not_confidential'>;
  /** Gives a confidential client another secret, whoever owns it; false when no confidential client has the id. */
  setSecret(clientId: string, secretHash: string): Promise<boolean>;
  /** Deletes a client; its codes, tokens and consents go with it. Whether it was the owner's. */
  remove(key: OwnClientKey): Promise<boolean>;
}

const findClient = prepareQuery((db, given: { clientId: string }) =>
  db.selectFrom('oauth_clients').selectAll().where('client_id', '=', given.clientId),
);

export function createClientStore(db: Database): ClientStore {
  return {
    async find(clientId) {
      const row = await findClient.first(db, { clientId });
      return row && asClient(row);
    },
    async list(limit) {
      const rows = await db
        .selectFrom('oauth_clients')
        .selectAll()
        .orderBy('created_at')
        .orderBy('client_id')
        .limit(limit)
        .execute();
      return rows.map(asClient);
    },
    async insert(client, now) {
      const inserted = await db
        .insertInto('oauth_clients')
        .values({ ...asRow(client), created_at: now })
        .onConflict((conflict) => conflict.column('client_id').doNothing())
        .returning('client_id')
        .executeTakeFirst();
      return inserted !== undefined;
    },
    async listOwn(ownerId) {
      const rows = await db
        .selectFrom('oauth_clients')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .orderBy('created_at')
        .orderBy('client_id')
        .execute();
      return rows.map(asClient);
    },
    async findOwn(key) {
      const row = await db
        .selectFrom('oauth_clients')
        .selectAll()
        .where('client_id', '=', key.clientId)
        .where('owner_id', '=', key.ownerId)
        .executeTakeFirst();
      return row && asClient(row);
    },
    async register(client, { submissionId, limit }, now) {
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
    },
    async update(key, { settings, type }) {
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
    },
    async rotateSecret({ clientId, ownerId }, { secretHash, submissionId }, now) {
      return await inTransaction(db, async (transaction) => {
        if (!(await noteSubmission(transaction, { userId: ownerId, id: submissionId }, now))) {
          return 'sent_before';
        }
        const isRotated = await setSecret(transaction, { clientId, ownerId }, secretHash);
        return isRotated ? 'rotated' : 'not_confidential';
      });
    },
    async setSecret(clientId, secretHash) {
      return await setSecret(db, { clientId }, secretHash);
    },
    async remove({ clientId, ownerId }) {
      const removed = await db
        .deleteFrom('oauth_clients')
        .where('client_id', '=', clientId)
        .where('owner_id', '=', ownerId)
        .returning('client_id')
        .executeTakeFirst();
      return removed !== undefined;
    },
  };
}

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
