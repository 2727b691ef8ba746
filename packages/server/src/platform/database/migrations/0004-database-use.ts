import type { Kysely, Migration } from '../kysely.js';

/** Whether a database is a real service's or a sandbox's: it is never both. */
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
