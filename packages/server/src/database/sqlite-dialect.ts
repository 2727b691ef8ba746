import { CompiledQuery, type DatabaseConnection, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import { openNodeSqlite } from './node-sqlite.js';

/** Kysely's way to a SQLite database. */
export function openSqlite(path: string): SqliteDialect {
  const database = openNodeSqlite(path);
  return Object.assign(new SqliteDialect({ database }), {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => new ImmediateDriver({ database }),
  });
}

class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDriver extends SqliteDriver {
  /** Taking the write lock at once: a transaction that read first could not get it any more after somebody's write. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}
