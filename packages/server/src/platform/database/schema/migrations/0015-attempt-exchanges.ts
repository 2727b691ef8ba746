import { type Kysely, type Migration, sql } from '../../kysely/kysely.js';

/**
 * Adds the request and the response of each webhook attempt, so that a developer can debug an endpoint, and the index that
 * finds recent failures.
 */
export const attemptExchanges: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['request_url', 'request_headers', 'response_headers', 'response_body']) {
      await db.schema.alterTable('webhook_attempts').addColumn(column, 'text').execute();
    }
    await db.schema.alterTable('webhook_attempts').addColumn('response_bytes', 'integer').execute();
    await db.schema
      .createIndex('webhook_deliveries_failed')
      .on('webhook_deliveries')
      .columns(['webhook_id', 'created_at'])
      .where(sql.ref('status'), '=', sql.lit('failed'))
      .execute();
  },
};
