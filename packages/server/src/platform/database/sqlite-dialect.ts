import { type DirectRead, isRead } from './direct-read.js';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from './kysely/kysely.js';
import { openNodeSqlite, openNodeSqliteReader, type SqliteConnection } from './node-sqlite.js';
import { WriteLane } from './write-queue.js';

/** A SQLite database: what Kysely takes, and the short way for what only reads. */
export interface OpenSqlite {
  dialect: Dialect;
  /** Sees what is committed; not there for a database in memory. */
  read: DirectRead | undefined;
}

/**
 * Opens a SQLite database: one connection that writes, and for a file another one that reads, which sees what is
 * committed and nothing else.
 *
 * @param path a file, or `:memory:`.
 */
export function openSqlite(path: string): OpenSqlite {
  const lanes = new SqliteLanes(path);
  const dialect: Dialect = {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => lanes,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  const { reader } = lanes;
  return { dialect, read: reader && ((query) => reader.query(query).rows) };
}

class TransactionalAdapter extends SqliteAdapter {
  /** Kysely need not keep others out: the lane does. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** So that migrations run in a transaction: it keeps other processes out, and leaves nothing half done. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SqliteLanes implements Driver {
  readonly #writer: SqliteConnection;
  /** Not there for a database in memory. */
  readonly reader: SqliteConnection | undefined;
  readonly #lane: WriteLane;

  constructor(path: string) {
    this.#writer = openNodeSqlite(path);
    this.reader = path === ':memory:' ? undefined : openNodeSqliteReader(path);
    this.#lane = new WriteLane(this.#writer);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<LaneConnection> {
    return new LaneConnection({ lane: this.#lane, writer: this.#writer, reader: this.reader });
  }

  /** Every transaction is serializable: there is one writer. */
  async beginTransaction(connection: LaneConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: LaneConnection): Promise<void> {
    await connection.end('keep');
  }

  async rollbackTransaction(connection: LaneConnection): Promise<void> {
    await connection.end('undo');
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.reader?.close();
    await this.#lane.close();
  }
}

interface Lanes {
  lane: WriteLane;
  writer: SqliteConnection;
  /** Not there for a database in memory, which no second connection can see. */
  reader: SqliteConnection | undefined;
}

/** What one caller of Kysely has for the time of a query or a transaction. */
class LaneConnection implements DatabaseConnection {
  readonly #lanes: Lanes;
  #isInWork = false;

  constructor(lanes: Lanes) {
    this.#lanes = lanes;
  }

  async begin(): Promise<void> {
    await this.#lanes.lane.begin();
    this.#isInWork = true;
  }

  async end(outcome: 'keep' | 'undo'): Promise<void> {
    // Kysely also rolls back what failed to commit.
    if (!this.#isInWork) return;
    this.#isInWork = false;
    await this.#lanes.lane.end(outcome);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { writer, reader } = this.#lanes;
    if (this.#isInWork) return writer.query(query);
    if (reader !== undefined && isRead(query)) return reader.query(query);
    await this.begin();
    try {
      const result = writer.query(query);
      await this.end('keep');
      return result;
    } catch (error) {
      await this.end('undo');
      throw error;
    }
  }

  // biome-ignore lint/correctness/useYield: Kysely wants the method; nothing here streams.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Queries are not streamed here.');
  }
}
