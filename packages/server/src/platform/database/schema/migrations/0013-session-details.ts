import { type Kysely, type Migration, sql } from '../../kysely/kysely.js';

/**
 * Adds the browser, the network and the last use of each session, so that users recognise their sessions. Sessions from
 * before the migration get their details when they are used next.
 */
export const sessionDetails: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('user_sessions').addColumn('browser', 'text').execute();
    await db.schema.alterTable('user_sessions').addColumn('network', 'text').execute();
    await db.schema.alterTable('user_sessions').addColumn('last_used_at', 'bigint').execute();
    await sql`update user_sessions set last_used_at = created_at`.execute(db);
  },
};
