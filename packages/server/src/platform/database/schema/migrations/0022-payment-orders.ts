import type { Kysely } from '../../kysely/kysely.js';
import type { Migration } from './migration.js';

/** Adds the order id of the payment provider to payments. Payments of earlier versions have none. */
export const paymentOrders: Migration = {
  kind: 'expand',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('payments').addColumn('order_id', 'text').execute();
  },
};
