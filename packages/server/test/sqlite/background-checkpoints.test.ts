import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectDatabase } from '../../src/platform/database/open-database.js';
import { BackgroundCheckpoints } from '../../src/platform/database/sqlite/background-checkpoints.js';
import { openNodeSqlite } from '../../src/platform/database/sqlite/node-sqlite.js';
import { defaultLogger, type LogFields } from '../../src/platform/logging/logger.js';
import { databaseUnderTest } from '../service-under-test.js';

const PAGE_BYTES = 4_096;

/** Opens a new file. Each of its rows takes a page. */
async function openFile(options: { threadFile?: string; sqliteVersion?: string } = {}) {
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

  it('run in commits if a thread could lose writes with this version of SQLite', async () => {
    const file = await openFile({ sqliteVersion: '3.51.2' });
    const before = file.fileBytes();
    file.commit(300);
    // The end of a thread would come after its checkpoints.
    await file.checkpoints.close();
    expect(file.fileBytes()).toBe(before);
    expect(file.pagesOfCommit()).toBe(1_000);
    file.commit(1_000);
    expect(file.fileBytes()).toBeGreaterThan(before + 300 * PAGE_BYTES);
    expect(file.warned).toEqual([]);
  });

  it('run in a thread that ignores the options of the program', async () => {
    const loaded = await fileWith("throw new Error('The thread has loaded a module of the program.');");
    vi.stubEnv('NODE_OPTIONS', `--import=${loaded}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const file = await openFile();
    file.commit(100);
    await expect.poll(file.pagesOfCommit).toBe(8_000);
    expect(file.warned).toEqual([]);
  });

  it.each([
    { name: 'moved away', replace: () => undefined },
    { name: 'replaced', replace: (path: string) => writeFileSync(path, '') },
  ])('run in commits, and keep the log, if the file was $name', async ({ replace }) => {
    const file = await openFile();
    file.commit(99);
    renameSync(file.path, `${file.path}.moved`);
    replace(file.path);
    const [written, isThere] = [file.logBytes(), existsSync(file.path)];
    file.commit(1);
    await expect.poll(() => file.warned).toHaveLength(1);
    expect(file.logBytes()).toBeGreaterThanOrEqual(written);
    expect(existsSync(file.path)).toBe(isThere);
  });

  it.each([
    { name: 'has no file', threadFile: '/no/such/thread.mjs' },
    { name: 'is refused by Node', threadFile: 'not-absolute/thread.mjs' },
    {
      name: 'throws',
      script: "import('node:worker_threads').then(() => { throw new Error('disk failed') })",
    },
    { name: 'exits', script: 'process.exit(7)' },
  ])('run in commits, and the log says why, if the thread $name', async ({ threadFile, script = '' }) => {
    const file = await openFile({ threadFile: threadFile ?? (await fileWith(script)) });
    file.commit(100);
    await expect.poll(() => file.warned).toHaveLength(1);
    expect(file.warned[0]).toMatchObject({
      file: file.path,
      error: expect.stringMatching(/failed|thread\.mjs|exit code 7/),
    });
    expect(file.pagesOfCommit()).toBe(1_000);
    file.commit(1_500);
    expect(file.fileBytes()).toBeGreaterThan(1_000 * PAGE_BYTES);
    expect(file.warned).toHaveLength(1);
    // A thread that has ended must not hold up the close.
    await file.checkpoints.close();
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

  it.each([
    { name: 'has run', hasRun: true },
    { name: 'is still starting', hasRun: false },
  ])(
    'leave neither a log nor a thread behind when the database closes and the thread $name',
    async ({ hasRun }) => {
      const path = await newFile();
      const threads: Worker[] = [];
      const remember = (thread: Worker) => void threads.push(thread);
      process.on('worker', remember);
      onTestFinished(() => void process.off('worker', remember));
      const db = await connectDatabase(`sqlite:${path}`);
      await db.schema.createTable('pages').addColumn('content', 'blob').execute();
      for (let unit = 0; unit < 100; unit += 1) {
        await sql`insert into pages values (randomblob(3500))`.execute(db);
      }
      expect(existsSync(`${path}-wal`)).toBe(true);
      if (hasRun) await expect.poll(() => statSync(path).size).toBeGreaterThan(90 * PAGE_BYTES);
      await db.destroy();
      expect(existsSync(`${path}-wal`)).toBe(false);
      expect(statSync(path).size).toBeGreaterThan(90 * PAGE_BYTES);
      // Node's id of a thread that has ended.
      expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
    },
  );
});
