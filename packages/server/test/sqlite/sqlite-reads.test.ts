import type { CompiledQuery } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  openNodeSqlite,
  openNodeSqliteReader,
  type SqliteConnection,
} from '../../src/platform/database/sqlite/node-sqlite.js';
import { batchSqliteReads } from '../../src/platform/database/sqlite/sqlite-dialect.js';
import { databaseUnderTest } from '../service-under-test.js';

async function openReads() {
  const path = (await databaseUnderTest()).slice('sqlite:'.length);
  const writer = openNodeSqlite(path);
  const reader = openNodeSqliteReader(path);
  let isOpen = true;
  const close = () => {
    if (isOpen) reader.close();
    isOpen = false;
  };
  onTestFinished(() => {
    close();
    writer.close();
  });
  const run = (sql: string) => writer.query({ sql, parameters: [] });
  run('create table words (word text not null)');
  const statements: string[] = [];
  const failing: string[] = [];
  const watched: SqliteConnection = {
    query(query) {
      statements.push(query.sql);
      const result = reader.query(query);
      if (failing.includes(query.sql)) throw new Error(`${query.sql} failed`);
      return result;
    },
    close,
  };
  const direct = batchSqliteReads(watched);
  return {
    /** Every statement of the reader, in order. */
    statements,
    close,
    /** Makes a statement throw after it ran. */
    failAt: (sql: string) => void failing.push(sql),
    read: async (sql: string): Promise<readonly unknown[]> =>
      direct({ sql, parameters: [] } as unknown as CompiledQuery),
    write: (word: string) => run(`insert into words values ('${word}')`),
  };
}

const COUNT = 'select count(*) as count from words';
const WORDS = 'select word from words';

describe('reads from a SQLite file', () => {
  it('runs the reads of one turn of the event loop in one transaction', async () => {
    const { read, statements } = await openReads();
    await Promise.all([read(COUNT), read(WORDS), read(COUNT)]);
    expect(statements).toEqual(['begin', COUNT, WORDS, COUNT, 'commit']);
  });

  it('runs a single read without a transaction', async () => {
    const { read, statements } = await openReads();
    await read(COUNT);
    await read(WORDS);
    expect(statements).toEqual([COUNT, WORDS]);
  });

  it('sees each commit that was made before the read was requested', async () => {
    const { read, write } = await openReads();
    const early = read(WORDS);
    write('first');
    const late = read(COUNT);
    expect(await late).toEqual([{ count: 1 }]);
    expect(await early).toEqual([{ word: 'first' }]);
    write('second');
    expect(await Promise.all([read(COUNT), read(COUNT)])).toEqual([[{ count: 2 }], [{ count: 2 }]]);
  });

  it('rejects a read that fails, and no other read of its batch', async () => {
    const { read, write } = await openReads();
    write('first');
    const [before, wrong, after] = await Promise.allSettled([
      read(WORDS),
      read('select missing from words'),
      read(COUNT),
    ]);
    expect(before).toMatchObject({ value: [{ word: 'first' }] });
    expect(wrong).toMatchObject({ reason: { message: 'no such column: missing' } });
    expect(after).toMatchObject({ value: [{ count: 1 }] });
    expect(await Promise.all([read(COUNT), read(COUNT)])).toEqual([[{ count: 1 }], [{ count: 1 }]]);
  });

  it('rejects every read of a batch whose transaction does not begin', async () => {
    const { read, close } = await openReads();
    const reads = Promise.allSettled([read(COUNT), read(WORDS)]);
    close();
    for (const one of await reads) {
      expect(one).toMatchObject({ status: 'rejected', reason: { message: 'database is not open' } });
    }
  });

  it('keeps the results of a batch whose transaction SQLite has already ended', async () => {
    const { read, failAt } = await openReads();
    failAt('commit');
    expect(await Promise.all([read(COUNT), read(COUNT)])).toEqual([[{ count: 0 }], [{ count: 0 }]]);
    expect(await Promise.all([read(COUNT), read(COUNT)])).toEqual([[{ count: 0 }], [{ count: 0 }]]);
  });
});
