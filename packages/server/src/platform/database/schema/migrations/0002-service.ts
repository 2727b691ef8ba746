import type { Migration } from '../../kysely/kysely.js';
import { type Kysely, sql } from '../../kysely/kysely.js';

/** Creates the tables of API keys, plans, checkout, drops, the messenger and webhooks. */
export const service: Migration = {
  async up(db: Kysely<unknown>) {
    await createPlans(db);
    await extendMemberships(db);
    await createApiKeys(db);
    await createCheckout(db);
    await createDrops(db);
    await createMessenger(db);
    await createWebhooks(db);
    await createExpiryIndexes(db);
    await createFormSubmissions(db);
    await createAreaIndexes(db);
  },
};

async function createPlans(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pricing_plans')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('community_id', 'text', (column) =>
      column.notNull().references('communities.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('price_minor', 'bigint', (column) => column.notNull().check(sql`price_minor >= 0`))
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('period_days', 'integer', (column) => column.check(sql`period_days > 0`))
    .addColumn('renews', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('provider', 'text', (column) => column.notNull().check(sql`provider in ('card', 'crypto')`))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('archived_at', 'bigint')
    .addCheckConstraint('pricing_plans_renewal', sql`renews = 0 or period_days is not null`)
    .execute();
  await db.schema
    .createIndex('pricing_plans_community')
    .on('pricing_plans')
    .columns(['community_id', 'created_at'])
    .execute();
  await db.schema
    .createIndex('community_roles_user')
    .on('community_roles')
    .columns(['user_id', 'community_id'])
    .execute();
}

async function extendMemberships(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('products').addColumn('price_minor', 'bigint').execute();
  await db.schema.alterTable('products').addColumn('currency', 'text').execute();
  for (const name of ['pricing_plan_id', 'external_order_id', 'subscription_id']) {
    await db.schema.alterTable('memberships').addColumn(name, 'text').execute();
  }
  for (const name of ['subscription_cancelled_at', 'lapse_announced_at']) {
    await db.schema.alterTable('memberships').addColumn(name, 'bigint').execute();
  }
  for (const subject of ['community_id', 'product_id']) {
    await db.schema
      .createIndex(`memberships_newest_by_${subject}`)
      .on('memberships')
      .columns([subject, 'valid_from', 'id'])
      .execute();
  }
  await db.schema
    .createIndex('memberships_to_lapse')
    .on('memberships')
    .column('valid_until')
    .where(sql.ref('lapse_announced_at'), 'is', null)
    .execute();
  await db.schema
    .createIndex('memberships_to_renew')
    .on('memberships')
    .column('valid_until')
    .where(sql.ref('subscription_id'), 'is not', null)
    .where(sql.ref('subscription_cancelled_at'), 'is', null)
    .execute();
}

async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key_hash', 'text', (column) => column.notNull().unique())
    .addColumn('key_ending', 'text', (column) => column.notNull())
    .addColumn('permissions', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema.createIndex('api_keys_owner').on('api_keys').columns(['owner_id', 'created_at']).execute();
  await db.schema
    .createTable('provisioning_grants')
    .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('granted_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function createCheckout(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('checkout_reservations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('caller_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('external_id', 'text')
    .addColumn('community_id', 'text', (column) => column.references('communities.id').onDelete('cascade'))
    .addColumn('pricing_plan_id', 'text', (column) =>
      column.references('pricing_plans.id').onDelete('cascade'),
    )
    .addColumn('product_id', 'text', (column) => column.references('products.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('success_url', 'text', (column) => column.notNull())
    .addColumn('cancel_url', 'text', (column) => column.notNull())
    .addColumn('utm_source', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('paid_at', 'bigint')
    .addColumn('membership_id', 'text')
    .addCheckConstraint(
      'checkout_reservations_subject',
      sql`(pricing_plan_id is null) <> (product_id is null)`,
    )
    .execute();
  // A caller has one unpaid reservation per external id. Opening it again updates it.
  await db.schema
    .createIndex('checkout_reservations_open')
    .unique()
    .on('checkout_reservations')
    .columns(['caller_id', 'external_id'])
    .where(sql.ref('paid_at'), 'is', null)
    .execute();
  await db.schema
    .createIndex('checkout_reservations_external_id')
    .on('checkout_reservations')
    .columns(['external_id', 'paid_at'])
    .execute();
  // Opening a reservation again adds an address. A buyer on the page of an earlier address can still pay.
  await db.schema
    .createTable('checkout_links')
    .addColumn('secret_hash', 'text', (column) => column.primaryKey())
    .addColumn('reservation_id', 'text', (column) =>
      column.notNull().references('checkout_reservations.id').onDelete('cascade'),
    )
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('checkout_links_reservation')
    .on('checkout_links')
    .column('reservation_id')
    .execute();
  await db.schema
    .createTable('subscriptions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('reservation_id', 'text', (column) =>
      column.notNull().references('checkout_reservations.id').onDelete('cascade'),
    )
    .addColumn('payment_method', 'text', (column) => column.notNull())
    .addColumn('amount_minor', 'bigint', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('period_days', 'integer', (column) => column.notNull().check(sql`period_days > 0`))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('subscriptions_reservation')
    .on('subscriptions')
    .column('reservation_id')
    .execute();
  await db.schema
    .createTable('payments')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('reservation_id', 'text', (column) =>
      column.references('checkout_reservations.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('community_id', 'text', (column) => column.references('communities.id').onDelete('cascade'))
    .addColumn('product_id', 'text', (column) => column.references('products.id').onDelete('cascade'))
    .addColumn('pricing_plan_id', 'text')
    .addColumn('status', 'text', (column) => column.notNull().check(sql`status in ('succeeded', 'failed')`))
    .addColumn('reason', 'text')
    .addColumn('amount_minor', 'bigint', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('utm_source', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('payments_success')
    .unique()
    .on('payments')
    .column('reservation_id')
    .where(sql.ref('status'), '=', sql.lit('succeeded'))
    .execute();
  await db.schema.createIndex('payments_reservation').on('payments').column('reservation_id').execute();
  for (const subject of ['community_id', 'product_id']) {
    await db.schema
      .createIndex(`payments_newest_by_${subject}`)
      .on('payments')
      .columns([subject, 'created_at', 'id'])
      .execute();
  }
}

async function createDrops(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('drop_slots')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('community_id', 'text', (column) =>
      column.notNull().references('communities.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('slots', 'integer')
    .addColumn('slots_used', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('starts_at', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addCheckConstraint('drop_slots_room', sql`slots is null or slots_used <= slots`)
    .execute();
  await db.schema
    .createIndex('drop_slots_next')
    .on('drop_slots')
    .columns(['community_id', 'starts_at'])
    .execute();
  await db.schema
    .createTable('drop_signups')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('drop_slot_id', 'text', (column) =>
      column.notNull().references('drop_slots.id').onDelete('cascade'),
    )
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('phone_number', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('drop_signups_once', ['drop_slot_id', 'email'])
    .execute();
}

async function createMessenger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('messenger_bots')
    .addColumn('community_id', 'text', (column) =>
      column.primaryKey().references('communities.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('messenger_invites')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('link_hash', 'text', (column) => column.notNull().unique())
    .addColumn('community_id', 'text', (column) =>
      column.notNull().references('communities.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('binds_account', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('messenger_invites_community')
    .on('messenger_invites')
    .column('community_id')
    .execute();
  await db.schema
    .createTable('messenger_join_requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('invite_id', 'text', (column) =>
      column.notNull().references('messenger_invites.id').onDelete('cascade'),
    )
    .addColumn('messenger_user_id', 'bigint', (column) => column.notNull())
    .addColumn('accepted', 'integer', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('messenger_join_requests_invite')
    .on('messenger_join_requests')
    .column('invite_id')
    .execute();
}

async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('community_id', 'text', (column) => column.references('communities.id').onDelete('cascade'))
    .addColumn('product_id', 'text', (column) => column.references('products.id').onDelete('cascade'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('is_active', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('failing_since', 'bigint')
    .addColumn('paused_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addCheckConstraint('webhooks_subject', sql`(community_id is null) <> (product_id is null)`)
    .execute();
  for (const subject of ['community_id', 'product_id', 'owner_id']) {
    await db.schema.createIndex(`webhooks_${subject}`).on('webhooks').column(subject).execute();
  }
  await db.schema
    .createTable('webhook_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('community_id', 'text')
    .addColumn('product_id', 'text')
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('webhook_events_created').on('webhook_events').column('created_at').execute();
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) =>
      column.notNull().references('webhook_events.id').onDelete('cascade'),
    )
    .addColumn('webhook_id', 'text', (column) =>
      column.notNull().references('webhooks.id').onDelete('cascade'),
    )
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('pending', 'delivered', 'failed')`),
    )
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_attempt_at', 'bigint', (column) => column.notNull())
    .addColumn('lease_id', 'text')
    .addColumn('leased_until', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .column('next_attempt_at')
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_endpoint_due')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'next_attempt_at'])
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .execute();
  for (const [name, columns] of [
    ['webhook', ['webhook_id', 'created_at']],
    ['event', ['event_id']],
  ] as const) {
    await db.schema
      .createIndex(`webhook_deliveries_${name}`)
      .on('webhook_deliveries')
      .columns([...columns])
      .execute();
  }
  await db.schema
    .createTable('webhook_attempts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('delivery_id', 'text', (column) =>
      column.notNull().references('webhook_deliveries.id').onDelete('cascade'),
    )
    .addColumn('attempted_at', 'bigint', (column) => column.notNull())
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('status_code', 'integer')
    .addColumn('failure', 'text')
    .execute();
  await db.schema
    .createIndex('webhook_attempts_delivery')
    .on('webhook_attempts')
    .columns(['delivery_id', 'attempted_at'])
    .execute();
}

/** Creates the indexes that find expired rows. */
async function createExpiryIndexes(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['authorization_codes', 'expires_at'],
    ['token_pairs', 'refresh_expires_at'],
    ['user_sessions', 'expires_at'],
    ['sign_in_codes', 'expires_at'],
    ['sign_in_addresses', 'last_asked_at'],
    ['checkout_links', 'expires_at'],
    ['messenger_invites', 'expires_at'],
  ] as const) {
    await db.schema.createIndex(`${table}_expiry`).on(table).column(column).execute();
  }
  await db.schema
    .createIndex('checkout_reservations_expiry')
    .on('checkout_reservations')
    .column('created_at')
    .where(sql.ref('paid_at'), 'is', null)
    .execute();
}

/** Creates the indexes for lists of a user: sessions, clients and consents. */
async function createAreaIndexes(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of [
    ['user_sessions', ['user_id', 'created_at']],
    ['oauth_clients', ['owner_id', 'created_at']],
    ['consents', ['client_id', 'user_id']],
  ] as const) {
    await db.schema
      .createIndex(`${table}_area`)
      .on(table)
      .columns([...columns])
      .execute();
  }
}

async function createFormSubmissions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('form_submissions')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('submitted_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('form_submissions_key', ['user_id', 'id'])
    .execute();
  await db.schema
    .createIndex('form_submissions_expiry')
    .on('form_submissions')
    .columns(['submitted_at', 'id'])
    .execute();
}
