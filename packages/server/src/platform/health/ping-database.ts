import type { Database } from '../database/open-database.js';

/** Resolves when the database has answered a query. */
export async function pingDatabase(db: Database): Promise<void> {
  // Every schema version has this table. A database without it was never migrated and is not ready.
  await db.selectFrom('users').select('id').limit(1).execute();
}
