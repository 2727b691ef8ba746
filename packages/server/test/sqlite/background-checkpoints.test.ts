import { existsSync, statSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BackgroundCheckpoints } from '../../src/platform/database/background-checkpoints.js';
import { openNodeSqlite } from '../../src/platform/database/node-sqlite.js';
import { connectDatabase } from '../../src/platform/database/open-database.js';
import { defaultLogger, type LogFields } from '../../src/platform/logging/logger.js';
import { databaseUnderTest } from '../service-under-test.js';

const PAGE_BYTES = 4_096;

/** Opens a new file. Each of its rows takes a page. */
async function openFile(options: { threadFile?: string } = {}) {
  const path = await newFile();
  const writer = openNodeSqlite(path);
  const run = (sql: string) => writer.query({ sql, parameters: [] }).rows as Record<string, unknown>[];
  run('create table pages (content blob not null)');
  const warned: LogFields[] = [];
  const logger = { ...defaultLogger, warn: (fields: LogFields) => void warned.push(fields) };
  const checkpoints = new BackgroundCheckpoints({ path, writer, logger, ...options });
  onTestFinished(async () => {
    await checkpoints.close();
    writer.close();
  });
  return {
    ...{ path, checkpoints, warned },
    /** Commits this many units of a page each. */
    commit(units: number) {
      for (let unit = 0; unit < units; unit += 1) {
        run('insert into pages values (randomblob(3500))');
        checkpoints.committed(1);
      }
    },
    fileBytes: () => statSync(path).size,
    logBytes: () => statSync(`${path}-wal`).size,
    /** Returns the number of changed pages after which a commit runs a checkpoint. */
    pagesOfCommit: () => run('PRAGMA wal_autocheckpoint')[0]?.wal_autocheckpoint,
  };
}

async function newFile(): Promise<string> {
  return (await databaseUnderTest()).slice('sqlite:'.length);
}

async function fileWith(script: string): Promise<string> {
  const path = `${await newFile()}.mjs`;
  writeFileSync(path, script);
  return path;
}

describe('Checkpoints of a SQLite file', () => {
  it('run in a thread once a hundred units are committed', async () => {
    const file = await openFile();
    file.commit(99);
    const before = file.fileBytes();
    file.commit(1);
    await expect.poll(file.fileBytes).toBeGreaterThan(before + 90 * PAGE_BYTES);
  });

  it('start again when another hundred units are committed', async () => {
    const file = await openFile();
    file.commit(100);
    await expect.poll(file.fileBytes).toBeGreaterThan(90 * PAGE_BYTES);
    file.commit(100);
    await expect.poll(file.fileBytes).toBeGreaterThan(190 * PAGE_BYTES);
  });

  it('run in a commit after 8,000 pages instead of 1,000 while there is a thread', async () => {
    const file = await openFile();
    expect(file.pagesOfCommit()).toBe(1_000);
    file.commit(100);
    await expect.poll(file.pagesOfCommit).toBe(8_000);
  });

  it('keep the log short although the commits never pause', async () => {
    const file = await openFile();
    // Two pages and their headers per unit: the row, and the page above it.
    file.commit(100);
    await expect.poll(file.pagesOfCommit).toBe(8_000);
    file.commit(20_000);
    expect(file.logBytes()).toBeLessThan(12_000 * PAGE_BYTES);
  });

  it.each([
    { name: 'has no file', threadFile: '/no/such/thread.mjs' },
    { name: 'is refused by Node', threadFile: 'not-absolute/thread.mjs' },
    {
      name: 'throws',
      script: "import('node:worker_threads').then(() => { throw new Error('disk failed') })",
    },
  ])('run in commits, and the log says why, if the thread $name', async ({ threadFile, script = '' }) => {
    const file = await openFile({ threadFile: threadFile ?? (await fileWith(script)) });
    file.commit(100);
    await expect.poll(() => file.warned).toHaveLength(1);
    expect(file.warned[0]).toMatchObject({
      file: file.path,
      error: expect.stringMatching(/failed|thread\.mjs/),
    });
    expect(file.pagesOfCommit()).toBe(1_000);
    file.commit(1_500);
    expect(file.fileBytes()).toBeGreaterThan(1_000 * PAGE_BYTES);
    expect(file.warned).toHaveLength(1);
  });

  it('run in commits again if a thread fails later', async () => {
    const threadFile = await fileWith(`
      import { parentPort } from 'node:worker_threads';
      let asked = 0;
      parentPort.on('message', () => {
        asked += 1;
        if (asked > 1) throw new Error('disk failed');
        parentPort.postMessage('done');
      });`);
    const file = await openFile({ threadFile });
    file.commit(100);
    await expect.poll(file.pagesOfCommit).toBe(8_000);
    file.commit(100);
    await expect.poll(file.pagesOfCommit).toBe(1_000);
    await file.checkpoints.close();
  });

  it('leave no log behind when the database closes', async () => {
    const path = await newFile();
    const db = await connectDatabase(`sqlite:${path}`);
    await db.schema.createTable('pages').addColumn('content', 'blob').execute();
    for (let unit = 0; unit < 100; unit += 1) {
      await sql`insert into pages values (randomblob(3500))`.execute(db);
    }
    expect(existsSync(`${path}-wal`)).toBe(true);
    await db.destroy();
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(statSync(path).size).toBeGreaterThan(90 * PAGE_BYTES);
  });
});
