import { type Kysely, type Migration, sql } from '../../kysely/kysely.js';

/**
 * Adds the operator's verification of clients, and the first answer of webhook endpoints. Endpoints that have answered, or
 * are not failing, count as answered: they worked before this migration.
 */
export const verificationAndAnswers: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('oauth_clients').addColumn('verified_at', 'bigint').execute();
    await db.schema.alterTable('webhooks').addColumn('answered_at', 'bigint').execute();
    await db.schema
      .alterTable('webhooks')
      .addColumn('unanswered_attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`
      update webhooks set answered_at = created_at
      where failing_since is null or exists (
        select 1 from webhook_deliveries
        where webhook_deliveries.webhook_id = webhooks.id and webhook_deliveries.status = 'delivered'
      )`.execute(db);
  },
};
