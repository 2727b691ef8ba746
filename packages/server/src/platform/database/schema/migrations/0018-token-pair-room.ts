import { type Kysely, PostgresAdapter, sql } from '../../kysely/kysely.js';
import type { Migration } from './migration.js';

/**
 * Leaves a tenth of each new page of token pairs free on PostgreSQL. A refresh changes its old pair once, and the changed row then
 * stays on its page, so none of the six indexes gets an entry for it. SQLite changes rows in their place.
 */
export const tokenPairRoom: Migration = {
  kind: 'expand',
  async up(db: Kysely<unknown>) {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    // The lock excludes neither reads nor writes. Existing pages stay as they are.
    await sql`alter table token_pairs set (fillfactor = 90)`.execute(db);
  },
};
