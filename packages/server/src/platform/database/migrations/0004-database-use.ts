import type { Kysely, Migration } from '../kysely/kysely.js';

/** Purpose of a database. Servers with another purpose reject it. */
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
