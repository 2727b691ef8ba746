import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openOperator, readSchemaStatus, startServer } from '../../src/index.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { databaseUnderTest } from '../service-under-test.js';

/** Any id that is not root's. */
const UNPRIVILEGED_ID = 65_534;

describe('database file', () => {
  test('keeps acknowledged writes, allows readers beside a writer, and enforces foreign keys', async ({
    onTestFinished,
  }) => {
    const db = await openDatabase(await databaseUnderTest({ isMigrated: false }));
    onTestFinished(() => db.destroy());
    const pragma = async (name: string) =>
      Object.values((await sql.raw<object>(`PRAGMA ${name}`).execute(db)).rows[0] ?? {})[0];
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('foreign_keys')).toBe(1);
    const orphan = { community_id: 'none', user_id: 'none', role: 'OWNER', is_active: 1 } as const;
    await expect(db.insertInto('community_roles').values(orphan).execute()).rejects.toThrow(/FOREIGN KEY/);
  });

  test('is readable by its owner only, and so are the files beside it', async ({ onTestFinished }) => {
    const url = await databaseUnderTest({ isMigrated: false });
    const db = await openDatabase(url);
    onTestFinished(() => db.destroy());
    const path = url.slice('sqlite:'.length);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is readable by its owner only if a link leads to it before it exists', async ({ onTestFinished }) => {
    const url = await databaseUnderTest({ isMigrated: false });
    const path = url.slice('sqlite:'.length);
    const target = `${path}.target`;
    symlinkSync(target, path);
    const db = await openDatabase(url);
    onTestFinished(() => db.destroy());
    for (const file of [target, `${target}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is migrated once, and can be opened again', async () => {
    const url = await databaseUnderTest({ isMigrated: false });
    await (await openDatabase(url)).destroy();
    const db = await openDatabase(url);
    expect(await db.selectFrom('users').selectAll().execute()).toEqual([]);
    await db.destroy();
  });

  test('is not created by a read-only open, and neither is a database in memory', async () => {
    const baseUrl = 'https://members.example';
    const database = await databaseUnderTest({ isMigrated: false });
    await expect(openOperator({ database, baseUrl })).rejects.toThrow(/file .* does not exist/);
    await expect(readSchemaStatus(database)).rejects.toThrow(/file .* does not exist/);
    await expect(openOperator({ database: 'sqlite::memory:', baseUrl })).rejects.toThrow(/memory/);
    expect(existsSync(database.slice('sqlite:'.length))).toBe(false);
  });

  // Closing a file releases all locks that its process has on it. SQLite before 3.51 (Node 22) then lets another process delete the log.
  test.runIf(process.platform === 'linux')(
    'stays locked when the process opens it again',
    async ({ onTestFinished }) => {
      const url = await databaseUnderTest({ isMigrated: false });
      const path = url.slice('sqlite:'.length);
      for (let count = 0; count < 2; count += 1) {
        const db = await openDatabase(url);
        onTestFinished(() => db.destroy());
        const locked = new RegExp(`^\\d+: POSIX .* ${process.pid} \\S+:${statSync(path).ino} `, 'm');
        expect(readFileSync('/proc/locks', 'utf8')).toMatch(locked);
      }
    },
  );

  test('must be writable', async () => {
    const url = await databaseUnderTest();
    const path = url.slice('sqlite:'.length);
    chmodSync(path, 0o444);
    chmodSync(dirname(path), 0o777);
    // No file is read-only for root. The process changes its user after it has loaded, because only root may be able to enter this folder.
    const script = `
      import { readSchemaStatus } from ${JSON.stringify(import.meta.resolve('../../dist/index.js'))};
      if (process.getuid?.() === 0) process.setuid(${UNPRIVILEGED_ID});
      await readSchemaStatus(${JSON.stringify(url)}).then(console.log, ({ message }) => console.log(message));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(output).toContain(`The database ${path} could not be opened: EACCES`);
  });

  test('of another format is reported with the reason, and left unchanged', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    const path = database.slice('sqlite:'.length);
    const text = 'This is a letter, and no database. '.repeat(10);
    writeFileSync(path, text);
    await expect(startServer({ database, mailer: { send: async () => undefined }, port: 0 })).rejects.toThrow(
      `${path} could not be opened: file is not a database`,
    );
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('requires an existing folder', async () => {
    const database = `${await databaseUnderTest({ isMigrated: false })}/missing/service.sqlite`;
    await expect(startServer({ database, mailer: { send: async () => undefined }, port: 0 })).rejects.toThrow(
      /folder .* does not exist/,
    );
  });
});
