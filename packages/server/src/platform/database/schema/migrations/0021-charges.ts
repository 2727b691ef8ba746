import type { Kysely } from '../../kysely/kysely.js';
import type { Migration } from './migration.js';

/**
 * Creates the table of charges that were started and have no stored result yet. Earlier versions neither write nor read it. A charge
 * is deleted with its checkout or its buyer.
 */
export const charges: Migration = {
  kind: 'expand',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('charges')
      .addColumn('order_id', 'text', (column) => column.primaryKey())
      .addColumn('reservation_id', 'text', (column) =>
        column.notNull().references('checkout_reservations.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('subscription_id', 'text')
      .addColumn('period_end', 'bigint')
      .addColumn('payment_method', 'text')
      .addColumn('facts', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('lost_at', 'bigint')
      .addColumn('look_up_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('charges_reservation').on('charges').column('reservation_id').execute();
    await db.schema.createIndex('charges_user').on('charges').column('user_id').execute();
    await db.schema.createIndex('charges_subscription').on('charges').column('subscription_id').execute();
  },
};
