import { Kysely, SqliteDialect } from 'kysely';
import { migrate } from './migrate.js';
import { openNodeSqlite } from './node-sqlite.js';
import type { Schema } from './schema.js';

/** The database, or a transaction in it. */
export type Database = Kysely<Schema>;

/**
 * Opens a database and brings it to the newest schema.
 *
 * @param url `sqlite::memory:`, or `sqlite:` and the path of a file.
 * @throws Error when the URL names no engine that is known here.
 */
export async function openDatabase(url: string): Promise<Database> {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
  if (path === '') {
    // A database URL may hold a password: only what stands before the first colon is told.
    throw new Error(
      `Option "database" starts with "${url.split(':')[0]}:". Use sqlite::memory: or sqlite:/path/to/file.sqlite.`,
    );
  }
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: openNodeSqlite(path) }) });
  try {
    await migrate(db);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
