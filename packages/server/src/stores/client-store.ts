import type { OAuthScope } from '@latchkey/contract';
import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../database/open-database.js';
import type { Schema } from '../database/schema.js';

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

/** Queries about registered clients. */
export interface ClientStore {
  find(clientId: string): Promise<OAuthClient | undefined>;
  /** Every client, oldest first. */
  list(limit: number): Promise<OAuthClient[]>;
  /** Whether the client is new; false when its id is taken. */
  insert(client: OAuthClient, now: number): Promise<boolean>;
  /** Replaces everything but id and owner. Whether the client exists. */
  update(client: OAuthClient): Promise<boolean>;
}

export function createClientStore(db: Database): ClientStore {
  return {
    async find(clientId) {
      const row = await db
        .selectFrom('oauth_clients')
        .selectAll()
        .where('client_id', '=', clientId)
        .executeTakeFirst();
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
    async update(client) {
      const { client_id, owner_id: _, ...changed } = asRow(client);
      const updated = await db
        .updateTable('oauth_clients')
        .set(changed)
        .where('client_id', '=', client_id)
        .returning('client_id')
        .executeTakeFirst();
      return updated !== undefined;
    },
  };
}

function asRow(client: OAuthClient): Omit<Insertable<Schema['oauth_clients']>, 'created_at'> {
  return {
    client_id: client.clientId,
    owner_id: client.ownerId,
    type: client.type,
    secret_hash: client.secretHash,
    name: client.name,
    description: client.description,
    logo_url: client.logoUrl,
    redirect_uris: JSON.stringify(client.redirectUris),
    widget_origins: JSON.stringify(client.widgetOrigins),
    scopes: JSON.stringify(client.scopes),
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
