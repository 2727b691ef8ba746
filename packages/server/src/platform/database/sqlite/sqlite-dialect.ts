import type { Logger } from '../../logging/logger.js';
import { type DirectRead, isRead } from '../kysely/direct-read.js';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from '../kysely/kysely.js';
import { BackgroundCheckpoints } from './background-checkpoints.js';
import type { MemoryContent } from './memory-schema.js';
import { openNodeSqlite, openNodeSqliteReader, type SqliteConnection } from './node-sqlite.js';
import { WriteQueue } from './write-queue.js';

interface WaitingRead {
  readonly query: CompiledQuery;
  resolve(rows: readonly never[]): void;
  reject(error: unknown): void;
}

const BEGIN = { sql: 'begin', parameters: [] };
const COMMIT = { sql: 'commit', parameters: [] };

/**
 * Returns a direct read that runs the reads of one turn of the event loop in one read transaction. A short select spends most
 * of its time on the system calls that lock and unlock the file. A batch needs them once.
 *
 * The transaction begins after the last read of the batch was requested, so each read sees the latest commits. The error of a
 * read affects no other read.
 */
export function batchSqliteReads(reader: SqliteConnection): DirectRead {
  let waiting: WaitingRead[] = [];
  const runAll = () => {
    const reads = waiting;
    waiting = [];
    if (reads.length === 1) runEach(reader, reads);
    else runInTransaction(reader, reads);
  };
  return (query) =>
    new Promise((resolve, reject) => {
      waiting.push({ query, resolve, reject });
      // Requests that have already arrived are read before the callback runs. Their reads join the batch.
      if (waiting.length === 1) setImmediate(runAll);
    });
}

function runInTransaction(reader: SqliteConnection, reads: readonly WaitingRead[]): void {
  try {
    reader.query(BEGIN);
  } catch (error) {
    for (const { reject } of reads) reject(error);
    return;
  }
  runEach(reader, reads);
  try {
    reader.query(COMMIT);
  } catch {
    // After some disk errors SQLite has already ended the transaction. The read that met the error was rejected with it.
  }
}

function runEach(reader: SqliteConnection, reads: readonly WaitingRead[]): void {
  for (const { query, resolve, reject } of reads) {
    try {
      resolve(reader.query(query).rows);
    } catch (error) {
      reject(error);
    }
  }
}

/** Open SQLite database. */
export interface OpenSqlite {
  dialect: Dialect;
  /** Reads committed data. `undefined` for a database in memory. */
  read: DirectRead | undefined;
  /** `undefined` for a file, and before Node 24. */
  content: MemoryContent | undefined;
}

/**
 * Opens a SQLite database with one connection that writes. A database file gets a second connection that reads committed
 * data only.
 *
 * @param path a file, or `:memory:`.
 * @param logger log of a failed thread for checkpoints.
 */
export function openSqlite(path: string, logger: Logger): OpenSqlite {
  const driver = new SqliteDriver(path, logger);
  const dialect: Dialect = {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  const { reader, content } = driver;
  return { dialect, read: reader && batchSqliteReads(reader), content };
}

class TransactionalAdapter extends SqliteAdapter {
  /** The write queue serializes transactions, so Kysely does not have to. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** Lets migrations run in a transaction, which locks out other processes and undoes a failed migration. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #writer: SqliteConnection;
  /** `undefined` for a database in memory. */
  readonly reader: SqliteConnection | undefined;
  readonly #writeQueue: WriteQueue;
  /** `undefined` for a database in memory. */
  readonly #checkpoints: BackgroundCheckpoints | undefined;

  constructor(path: string, logger: Logger) {
    const writer = openNodeSqlite(path);
    const isFile = path !== ':memory:';
    const checkpoints = isFile ? new BackgroundCheckpoints({ path, writer, logger }) : undefined;
    this.#writer = writer;
    this.#checkpoints = checkpoints;
    this.reader = isFile ? openNodeSqliteReader(path) : undefined;
    this.#writeQueue = new WriteQueue(writer, (units) => checkpoints?.committed(units));
  }

  get content(): MemoryContent | undefined {
    return this.#writer.content;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<QueuedConnection> {
    return new QueuedConnection({
      writeQueue: this.#writeQueue,
      writer: this.#writer,
      reader: this.reader,
    });
  }

  /** Every transaction is serializable, because only one writes at a time. */
  async beginTransaction(connection: QueuedConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: QueuedConnection): Promise<void> {
    await connection.end('commit');
  }

  async rollbackTransaction(connection: QueuedConnection): Promise<void> {
    await connection.end('rollback');
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.reader?.close();
    // The last connection to close empties the log and deletes it.
    await this.#checkpoints?.close();
    await this.#writeQueue.close();
  }
}

interface Connections {
  writeQueue: WriteQueue;
  writer: SqliteConnection;
  /** `undefined` for a database in memory, which no second connection can open. */
  reader: SqliteConnection | undefined;
}

/** Connection that Kysely holds during a query or a transaction. Writes wait in the queue. */
class QueuedConnection implements DatabaseConnection {
  readonly #connections: Connections;
  #isInTransaction = false;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async begin(): Promise<void> {
    await this.#connections.writeQueue.begin();
    this.#isInTransaction = true;
  }

  async end(action: 'commit' | 'rollback'): Promise<void> {
    // Kysely also rolls back after a failed commit.
    if (!this.#isInTransaction) return;
    this.#isInTransaction = false;
    await this.#connections.writeQueue.end(action);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { writer, reader } = this.#connections;
    if (this.#isInTransaction) return writer.query(query);
    if (reader !== undefined && isRead(query)) return reader.query(query);
    await this.begin();
    try {
      const result = writer.query(query);
      await this.end('commit');
      return result;
    } catch (error) {
      await this.end('rollback');
      throw error;
    }
  }

  // biome-ignore lint/correctness/useYield: Kysely requires the method, which no query uses.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming queries is not supported.');
  }
}
