import { type Kysely, type Migration, sql } from '../../kysely/kysely.js';

/**
 * Restricts identifiers that a partner supplied to the partner's community, until their holder proves them. Creates the
 * budgets of sign-in codes, and the browsers that signed in before.
 */
export const proofsAndBudgets: Migration = {
  async up(db: Kysely<unknown>) {
    await createIdentifierTables(db);
    await markProvenAddresses(db);
    await restrictAmbiguousAddresses(db);
    await restrictProvisionedAccounts(db);
    await createSignInTables(db);
  },
};

async function createIdentifierTables(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('email_verified_at', 'bigint').execute();
  await db.schema
    .createTable('community_emails')
    .addColumn('community_id', 'text', (column) =>
      column.notNull().references('communities.id').onDelete('cascade'),
    )
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('linked_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('community_emails_key', ['community_id', 'email'])
    .addUniqueConstraint('community_emails_user', ['community_id', 'user_id'])
    .execute();
  await db.schema.createIndex('community_emails_holder').on('community_emails').column('user_id').execute();
}

async function createSignInTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_budgets')
    .addColumn('key_hash', 'text', (column) => column.primaryKey())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sign_in_budgets_end').on('sign_in_budgets').column('ends_at').execute();
  await db.schema
    .createTable('known_browsers')
    .addColumn('secret_hash', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('known_browsers_end').on('known_browsers').column('expires_at').execute();
  // The budgets replace the table `sign_in_addresses`. It stays, because processes of the earlier version still write it.
}

/** Only provisioning stores an order id, and only provisioning could add an identifier to an existing user. */
const WAS_PROVISIONED = sql`exists (select 1 from memberships
  where memberships.user_id = users.id and memberships.external_order_id is not null)`;

/** An address is proven if its user has signed in, or registered a client or a key. */
async function markProvenAddresses(db: Kysely<unknown>): Promise<void> {
  await sql`update users set email_verified_at = created_at where email is not null and (
    exists (select 1 from user_sessions where user_id = users.id)
    or exists (select 1 from consents where user_id = users.id)
    or exists (select 1 from authorization_codes where user_id = users.id)
    or exists (select 1 from token_pairs where user_id = users.id)
    or exists (select 1 from form_submissions where user_id = users.id)
    or exists (select 1 from oauth_clients where owner_id = users.id)
    or exists (select 1 from api_keys where owner_id = users.id)
    or (messenger_user_id is not null and not ${WAS_PROVISIONED}))`.execute(db);
}

/**
 * A user whom several communities provisioned can have the email address from one of them and the messenger account from
 * another. If nothing else shows that the address is the user's, it then counts only in the provisioning communities.
 */
async function restrictAmbiguousAddresses(db: Kysely<unknown>): Promise<void> {
  const isAmbiguous = sql`users.email is not null and users.email_verified_at is null
    and users.messenger_user_id is not null
    and (select count(distinct memberships.community_id) from memberships
      where memberships.user_id = users.id and memberships.external_order_id is not null) > 1
    and not exists (select 1 from checkout_reservations where user_id = users.id)
    and not exists (select 1 from community_roles where user_id = users.id)
    and not exists (select 1 from products where owner_id = users.id)`;
  await sql`insert into community_emails (community_id, email, user_id, linked_at)
    select memberships.community_id, users.email, users.id, users.created_at
    from users inner join memberships on memberships.user_id = users.id
    where memberships.external_order_id is not null and ${isAmbiguous}`.execute(db);
  await sql`update users set email = null where ${isAmbiguous}`.execute(db);
}

/**
 * A provisioned user's messenger account counts where the user was provisioned, and where the account has joined. An
 * account that joined by the user's own link in one community precedes it there.
 */
async function restrictProvisionedAccounts(db: Kysely<unknown>): Promise<void> {
  await sql`insert into messenger_accounts (community_id, user_id, messenger_user_id, joined_at)
    select memberships.community_id, users.id, users.messenger_user_id, users.created_at
    from users inner join memberships on memberships.user_id = users.id
    where users.messenger_user_id is not null and ${WAS_PROVISIONED} and memberships.community_id is not null
      and (memberships.external_order_id is not null or exists (
        select 1 from messenger_join_requests
        inner join messenger_invites on messenger_invites.id = messenger_join_requests.invite_id
        where messenger_invites.user_id = users.id
          and messenger_invites.community_id = memberships.community_id
          and messenger_join_requests.messenger_user_id = users.messenger_user_id
          and messenger_join_requests.accepted = 1))
    on conflict do nothing`.execute(db);
  await sql`update users set messenger_user_id = null
    where messenger_user_id is not null and ${WAS_PROVISIONED}`.execute(db);
}
