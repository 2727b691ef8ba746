import type { Migration } from '../../kysely/kysely.js';
import { type Kysely, sql } from '../../kysely/kysely.js';

/** Creates the tables of users, memberships, clients with their credentials, and sessions. */
export const signIn: Migration = { up: createTables };

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.unique())
    .addColumn('name', 'text')
    .addColumn('messenger_user_id', 'bigint', (column) => column.unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('communities')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('community_roles')
    .addColumn('community_id', 'text', (column) =>
      column.notNull().references('communities.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull().check(sql`role in ('OWNER', 'ADMIN')`))
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('community_roles_key', ['community_id', 'user_id'])
    .execute();
  await db.schema
    .createTable('products')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('type', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('products_slug', ['owner_id', 'slug'])
    .execute();
  await db.schema
    .createTable('memberships')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('product_type', 'text', (column) => column.notNull())
    .addColumn('community_id', 'text', (column) => column.references('communities.id').onDelete('cascade'))
    .addColumn('product_id', 'text', (column) => column.references('products.id').onDelete('cascade'))
    .addColumn('valid_from', 'bigint', (column) => column.notNull())
    .addColumn('valid_until', 'bigint')
    .addUniqueConstraint('memberships_community', ['user_id', 'community_id'])
    .addUniqueConstraint('memberships_product', ['user_id', 'product_id'])
    .execute();
  await db.schema
    .createTable('oauth_clients')
    .addColumn('client_id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('type', 'text', (column) => column.notNull().check(sql`type in ('public', 'confidential')`))
    .addColumn('secret_hash', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('logo_url', 'text')
    .addColumn('redirect_uris', 'text', (column) => column.notNull())
    .addColumn('widget_origins', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addCheckConstraint('oauth_clients_secret', sql`(type = 'confidential') = (secret_hash is not null)`)
    .execute();
  await createCredentialTables(db);
  await createSessionTables(db);
}

async function createCredentialTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('authorization_codes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('code_hash', 'text', (column) => column.notNull().unique())
    .addColumn('client_id', 'text', (column) =>
      column.notNull().references('oauth_clients.client_id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('code_challenge', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('spent_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('authorization_codes_consent')
    .on('authorization_codes')
    .columns(['user_id', 'client_id'])
    .execute();
  await db.schema
    .createTable('token_pairs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('code_id', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) =>
      column.notNull().references('oauth_clients.client_id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('access_token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('access_expires_at', 'bigint', (column) => column.notNull())
    .addColumn('access_revoked_at', 'bigint')
    .addColumn('refresh_token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('refresh_expires_at', 'bigint', (column) => column.notNull())
    .addColumn('refresh_spent_at', 'bigint')
    .execute();
  await db.schema.createIndex('token_pairs_code').on('token_pairs').column('code_id').execute();
  await db.schema
    .createIndex('token_pairs_consent')
    .on('token_pairs')
    .columns(['user_id', 'client_id'])
    .execute();
  await db.schema
    .createTable('consents')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('client_id', 'text', (column) =>
      column.notNull().references('oauth_clients.client_id').onDelete('cascade'),
    )
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('granted_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('consents_key', ['user_id', 'client_id', 'scope'])
    .execute();
}

async function createSessionTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_sessions')
    .addColumn('id_hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('sign_in_addresses')
    .addColumn('email', 'text', (column) => column.primaryKey())
    .addColumn('last_asked_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('sign_in_codes')
    .addColumn('attempt_hash', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('spent_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('sign_in_codes_email')
    .on('sign_in_codes')
    .columns(['email', 'created_at'])
    .execute();
}
