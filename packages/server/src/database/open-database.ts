import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
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
 * @throws Error when the URL names no engine that is known here, or a file in a folder that does not exist.
 */
export async function openDatabase(url: string): Promise<Database> {
  const db = connectDatabase(url);
  try {
    await migrate(db);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/**
 * Opens a database as it is, whatever schema it has.
 *
 * @param url as {@link openDatabase} takes it.
 * @throws Error as {@link openDatabase} does; with `mustExist` also for a database that this call would have to make.
 */
export function connectDatabase(url: string, { mustExist = false } = {}): Database {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
  if (path === '') {
    // A database URL may hold a password: only what stands before the first colon is told.
    throw new Error(
      `Option "database" starts with "${url.split(':')[0]}:". Use sqlite::memory: or sqlite:/path/to/file.sqlite.`,
    );
  }
  if (path === ':memory:') {
    if (mustExist) {
      throw new Error(
        'Option "database" is sqlite::memory:, which only the process that holds it can see. Name a file.',
      );
    }
  } else if (!existsSync(dirname(resolve(path)))) {
    throw new Error(
      `Option "database" names a file in ${dirname(resolve(path))}, and there is no such folder. Make it first.`,
    );
  } else if (mustExist && !existsSync(path)) {
    throw new Error(
      `Option "database" names ${path}, and there is no such file. A server or "latchkey migrate" makes it.`,
    );
  }
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: openNodeSqlite(path) }) });
}
