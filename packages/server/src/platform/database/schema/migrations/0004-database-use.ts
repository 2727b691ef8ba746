import type { Kysely, Migration } from '../../kysely/kysely.js';

/** Creates the table with the purpose of the database. Servers with another purpose reject the database. */
export const databaseUse: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('database_use')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('use', 'text', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .execute();
  },
};
