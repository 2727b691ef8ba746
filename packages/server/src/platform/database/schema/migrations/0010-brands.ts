import type { Kysely, Migration } from '../../kysely/kysely.js';

/** Adds the logo and the accent colour of communities, and the accent colour of clients. */
export const brands: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('communities').addColumn('logo_url', 'text').execute();
    await db.schema.alterTable('communities').addColumn('accent', 'text').execute();
    await db.schema.alterTable('oauth_clients').addColumn('accent', 'text').execute();
  },
};
