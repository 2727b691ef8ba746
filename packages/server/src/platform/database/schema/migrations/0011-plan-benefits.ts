import type { Kysely, Migration } from '../../kysely/kysely.js';

/** Adds the description and the benefits of plans, and the description of products. */
export const planBenefits: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('pricing_plans').addColumn('description', 'text').execute();
    await db.schema
      .alterTable('pricing_plans')
      .addColumn('benefits', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
    await db.schema.alterTable('products').addColumn('description', 'text').execute();
  },
};
