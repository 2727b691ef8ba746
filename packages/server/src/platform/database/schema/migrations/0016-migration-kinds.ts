import type { Kysely } from '../../kysely/kysely.js';
import type { Migration } from './migration.js';

/**
 * Creates the table that describes the migrations from this one on. Versions that do not contain a migration learn there if
 * they work on its schema.
 */
export const migrationKinds: Migration = {
  kind: 'expand',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('migration_kinds')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('works_from', 'text')
      .execute();
  },
};
