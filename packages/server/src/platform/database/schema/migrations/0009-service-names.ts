import { type Kysely, type Migration, sql } from '../../kysely/kysely.js';

/**
 * Adds the names of the service, and the prefix of each API key. Databases that a server has used before have the names of
 * the spec, because servers had no other names.
 */
export const serviceNames: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('service_names')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('api_key_prefix', 'text', (column) => column.notNull())
      .addColumn('header_prefix', 'text', (column) => column.notNull())
      .addColumn('messenger', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .alterTable('api_keys')
      .addColumn('key_prefix', 'text', (column) => column.notNull().defaultTo('svc_'))
      .execute();
    await sql`
      insert into service_names (id, api_key_prefix, header_prefix, messenger)
      select 1, 'svc_', 'X-Svc-', 'messenger' from database_use`.execute(db);
  },
};
