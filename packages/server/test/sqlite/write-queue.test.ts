import { describe, expect, it, onTestFinished } from 'vitest';
import {
  openNodeSqlite,
  openNodeSqliteReader,
  type SqliteConnection,
} from '../../src/platform/database/node-sqlite.js';
import { WriteQueue } from '../../src/platform/database/write-queue.js';
import { databaseUnderTest } from '../service-under-test.js';

interface TestQueue {
  queue: WriteQueue;
  /** Every executed statement, in order. */
  statements: string[];
  /** Makes every statement that begins with this text fail from now on. */
  failAt(beginning: string): void;
  /** Queues a task that writes one word. */
  write(word: string): Promise<void>;
  /** Rows that a reader outside of the queue sees. */
  committed(): string[];
}

async function openQueue(file?: string): Promise<TestQueue> {
  const path = file ?? (await databaseUnderTest()).slice('sqlite:'.length);
  const connection = openNodeSqlite(path);
  connection.query({ sql: 'create table if not exists words (word text not null unique)', parameters: [] });
  const statements: string[] = [];
  const failing: string[] = [];
  const watched: SqliteConnection = {
    query(query) {
      statements.push(query.sql);
      if (failing.some((beginning) => query.sql.startsWith(beginning))) throw new Error('disk full');
      return connection.query(query);
    },
    close: () => connection.close(),
  };
  const queue = new WriteQueue(watched);
  const reader = openNodeSqliteReader(path);
  onTestFinished(async () => {
    reader.close();
    await queue.close();
  });
  return {
    queue,
    statements,
    failAt: (beginning) => void failing.push(beginning),
    async write(word) {
      await queue.begin();
      try {
        watched.query({ sql: 'insert into words values (?)', parameters: [word] });
      } catch (error) {
        await queue.end('rollback');
        throw error;
      }
      await queue.end('commit');
    },
    committed: () =>
      (
        reader.query({ sql: 'select word from words order by word', parameters: [] }).rows as {
          word: string;
        }[]
      ).map(({ word }) => word),
  };
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word ${1000 + index}`);

describe('tasks that arrive together', () => {
  it('are committed together', async () => {
    const { write, committed, statements } = await openQueue();
    await Promise.all(words(50).map(write));
    expect(committed()).toEqual(words(50));
    expect(statements.filter((sql) => sql === 'commit')).toHaveLength(1);
    await write('later');
    expect(statements.filter((sql) => sql === 'commit')).toHaveLength(2);
  });

  it('do not fail each other', async () => {
    const { write, committed } = await openQueue();
    const outcomes = await Promise.allSettled(['a', 'b', 'a', 'c', 'b', 'd'].map(write));
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(committed()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('run one after another, however long one takes', async () => {
    const { queue, write, committed, statements } = await openQueue();
    await queue.begin();
    const others = Promise.all(words(3).map(write));
    await new Promise((resolve) => setImmediate(resolve));
    expect(statements).toEqual(['begin immediate', 'savepoint work']);
    await queue.end('rollback');
    await others;
    expect(committed()).toEqual(words(3));
  });
});

describe('queued task', () => {
  it('is acknowledged only after its commit, and is invisible until then', async () => {
    const { queue, statements, write, committed } = await openQueue();
    let isAcknowledged = false;
    const written = write('early').then(() => {
      isAcknowledged = true;
    });
    while (!statements.includes('release work')) await Promise.resolve();
    expect(isAcknowledged).toBe(false);
    expect(committed()).toEqual([]);
    await written;
    expect(statements.at(-1)).toBe('commit');
    expect(committed()).toEqual(['early']);
    void queue;
  });

  it.for(['commit', 'release work'])(
    'fails with its whole group when "%s" fails, and none of the group is stored',
    async (statement) => {
      const { write, committed, failAt } = await openQueue();
      failAt(statement);
      const outcomes = await Promise.allSettled(words(5).map(write));
      expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
      expect(committed()).toEqual([]);
    },
  );

  it('that failed leaves the queue usable', async () => {
    const path = (await databaseUnderTest()).slice('sqlite:'.length);
    const broken = await openQueue(path);
    broken.failAt('begin');
    await expect(broken.write('never')).rejects.toThrow('disk full');
    await expect(broken.write('never')).rejects.toThrow('disk full');
    const { write, committed } = await openQueue(path);
    await write('here');
    expect(committed()).toEqual(['here']);
  });

  it('waits for the other queue of a file without blocking the process', async () => {
    const path = (await databaseUnderTest()).slice('sqlite:'.length);
    const [one, other] = [await openQueue(path), await openQueue(path)];
    await Promise.all(words(40).map((word, index) => (index % 2 === 0 ? one : other).write(word)));
    expect(one.committed()).toEqual(words(40));
  });

  it('that runs when the queue is closed is stored', async () => {
    const path = (await databaseUnderTest()).slice('sqlite:'.length);
    const connection = openNodeSqlite(path);
    connection.query({ sql: 'create table words (word text)', parameters: [] });
    const queue = new WriteQueue(connection);
    await queue.begin();
    connection.query({ sql: 'insert into words values (?)', parameters: ['last'] });
    const ended = queue.end('commit');
    await queue.close();
    await ended;
    expect((await openQueue(path)).committed()).toEqual(['last']);
  });
});
