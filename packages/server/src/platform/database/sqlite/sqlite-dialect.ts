import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Logger } from '../../logging/logger.js';
import { batchReads, type DirectRead, type Engine, isRead, type WaitingRead } from '../kysely/engine.js';
import { BackgroundCheckpoints } from './background-checkpoints.js';
import { openNodeSqlite, openNodeSqliteReader, type SqliteConnection } from './node-sqlite.js';
import { WriteQueue } from './write-queue.js';

const BEGIN = { sql: 'begin', parameters: [] };
const COMMIT = { sql: 'commit', parameters: [] };

/** A short select spends most of its time on locking and unlocking the file, and a batch needs that only once. */
export function batchSqliteReads(reader: SqliteConnection): DirectRead {
  return batchReads((reads) => (reads.length === 1 ? runEach : runInTransaction)(reader, reads));
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

/** One connection writes. A file gets a second connection, which reads committed data only. */
export function openSqlite(path: string, logger: Logger): Engine {
  const driver = new SqliteDriver(path, logger);
  const dialect: Dialect = {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new LocklessCompiler(),
  };
  const { reader, writer } = driver;
  return { dialect, read: reader && batchSqliteReads(reader), content: writer.content };
}

/** Leaves out `for update` and the like: SQLite has no row locks, and one writer at a time. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}

class TransactionalAdapter extends SqliteAdapter {
  /** The write queue serializes transactions, so Kysely doesn't have to. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** Lets migrations run in a transaction: it locks out other processes and undoes a failed migration. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly writer: SqliteConnection;
  /** `undefined` for a database in memory: a second connection can't open it. */
  readonly reader: SqliteConnection | undefined;
  readonly writeQueue: WriteQueue;
  /** `undefined` for a database in memory. */
  readonly #checkpoints: BackgroundCheckpoints | undefined;

  constructor(path: string, logger: Logger) {
    const writer = openNodeSqlite(path);
    const isFile = path !== ':memory:';
    const checkpoints = isFile ? new BackgroundCheckpoints({ path, writer, logger }) : undefined;
    this.writer = writer;
    this.#checkpoints = checkpoints;
    this.reader = isFile ? openNodeSqliteReader(path) : undefined;
    this.writeQueue = new WriteQueue(writer, (units) => checkpoints?.committed(units));
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<QueuedConnection> {
    return new QueuedConnection(this);
  }

  /** Only one transaction writes at a time, so each is serializable. */
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
    await this.writeQueue.close();
  }
}

class QueuedConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver;
  #isInTransaction = false;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async begin(): Promise<void> {
    await this.#driver.writeQueue.begin();
    this.#isInTransaction = true;
  }

  async end(action: 'commit' | 'rollback'): Promise<void> {
    // Kysely also rolls back after a failed commit.
    if (!this.#isInTransaction) return;
    this.#isInTransaction = false;
    await this.#driver.writeQueue.end(action);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { writer, reader } = this.#driver;
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
