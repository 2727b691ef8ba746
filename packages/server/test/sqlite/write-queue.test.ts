import { describe, expect, it, onTestFinished } from 'vitest';
import {
  openNodeSqlite,
  openNodeSqliteReader,
  type SqliteConnection,
} from '../../src/platform/database/sqlite/node-sqlite.js';
import { WriteQueue } from '../../src/platform/database/sqlite/write-queue.js';
import { databaseUnderTest } from '../service-under-test.js';

interface TestQueue {
  queue: WriteQueue;
  /** Makes every commit take this long, in milliseconds. */
  slowCommits(ms: number): void;
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
  let commitMs = 0;
  const watched: SqliteConnection = {
    query(query) {
      statements.push(query.sql);
      const until = performance.now() + (query.sql === 'commit' ? commitMs : 0);
      while (performance.now() < until);
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
    slowCommits(ms) {
      commitMs = ms;
    },
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
    const { write, committed, statements } = await openQueue();
    const outcomes = await Promise.allSettled(['a', 'b', 'a', 'c', 'b', 'd'].map(write));
    expect(statements.filter((sql) => sql === 'commit')).toHaveLength(1);
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

describe('a commit', () => {
  const commitsIn = (statements: string[]) => statements.filter((sql) => sql === 'commit').length;

  it('waits for as many tasks as the last one had', async () => {
    const { write, committed, statements, slowCommits } = await openQueue();
    slowCommits(20);
    await Promise.all(words(3).map(write));
    const first = write('first');
    const others = new Promise<void>((resolve, reject) => {
      setImmediate(() => Promise.all([write('second'), write('third')]).then(() => resolve(), reject));
    });
    await Promise.all([first, others]);
    expect(commitsIn(statements)).toBe(2);
    expect(committed()).toEqual(['first', 'second', 'third', ...words(3)]);
  });

  it('does not wait for tasks that never arrive', async () => {
    const { write, committed, statements, slowCommits } = await openQueue();
    slowCommits(20);
    await Promise.all(words(3).map(write));
    await write('alone');
    expect(committed()).toEqual(['alone', ...words(3)]);
    expect(commitsIn(statements)).toBe(2);
  });

  it('follows at once on the only task, if the last one was alone too', async () => {
    const { write, committed, slowCommits } = await openQueue();
    slowCommits(20);
    await write('a');
    const written = write('b');
    // The queue opens a group in the first turn of the event loop, and commits it in the second.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(committed()).toEqual(['a', 'b']);
    await written;
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
