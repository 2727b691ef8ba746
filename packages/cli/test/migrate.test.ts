import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { messageInFlags } from '../src/command-line/command-failure.js';
import { databaseText } from '../src/command-line/text.js';
import { latchkey, temporaryFile } from './call.js';

describe('latchkey migrate', () => {
  it('applies the pending migrations and lists them; a second run finds none', async ({ onTestFinished }) => {
    const LATCHKEY_DATABASE = `sqlite:${temporaryFile(onTestFinished)}`;
    const first = await latchkey(['migrate'], { LATCHKEY_DATABASE });
    expect(first.code).toBe(0);
    expect(first.out).toBe('The database is up to date. Applied migrations:\n  0001-initial');
    expect(await latchkey(['migrate'], { LATCHKEY_DATABASE })).toMatchObject({
      code: 0,
      out: 'The database was already up to date.',
    });
  });

  it('--check exits with 0 if the database is up to date, 1 if it is behind or missing, and changes nothing', async ({
    onTestFinished,
  }) => {
    const file = temporaryFile(onTestFinished);
    const check = () => latchkey(['migrate', '--check', '--database', `sqlite:${file}`]);
    const absent = await check();
    expect(absent.code).toBe(1);
    expect(absent.err).toContain('which does not exist');
    expect(existsSync(file)).toBe(false);
    await latchkey(['migrate', '--database', `sqlite:${file}`]);
    expect(await check()).toMatchObject({ code: 0, out: 'The database is up to date.' });
  });

  it.each(['127.0.0.1', 'localhost'])('says that nothing accepts connections at %s', async (host) => {
    for (const command of [
      ['migrate', '--check'],
      ['admin', 'list', 'plans'],
    ]) {
      const { code, err } = await latchkey([
        ...command,
        '--database',
        `postgres://latchkey@${host}:1/latchkey`,
      ]);
      expect([code, err]).toEqual([
        1,
        expect.stringContaining(
          'No connection: nothing accepts connections there (ECONNREFUSED). Check the port',
        ),
      ]);
    }
  });

  it('has a message for attempts at several addresses, which have none', () => {
    const refused = (address: string) =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' });
    const both = new AggregateError([refused('::1:1'), refused('127.0.0.1:1')]);
    expect(messageInFlags(both)).toContain('nothing accepts connections there (ECONNREFUSED)');
  });

  it('rejects a database in memory', async () => {
    const { code, err } = await latchkey(['migrate', '--database', 'sqlite::memory:']);
    expect(code).toBe(2);
    expect(err).toContain('memory');
  });
});

/** Migrates a new database, changes it by SQL, and returns its settings. */
async function changedDatabase(onTestFinished: (end: () => void) => void, statements: string) {
  const file = temporaryFile(onTestFinished);
  const LATCHKEY_DATABASE = `sqlite:${file}`;
  await latchkey(['migrate'], { LATCHKEY_DATABASE });
  const database = new DatabaseSync(file);
  database.exec(statements);
  database.close();
  return { LATCHKEY_DATABASE };
}

describe('latchkey migrate on the schema of a newer version', () => {
  it('succeeds if the newer version has only added to it', async ({ onTestFinished }) => {
    const env = await changedDatabase(
      onTestFinished,
      `insert into kysely_migration values ('9001-more', '2026-01-01');
       insert into migration_kinds values ('9001-more', 'expand', null)`,
    );
    expect((await latchkey(['migrate'], env)).code).toBe(0);
    expect(await latchkey(['migrate', '--check'], env)).toMatchObject({
      code: 0,
      out: 'Migrations of a newer version, with which this version works:\n  9001-more\nThe database is up to date.',
    });
  });

  it('fails with the next step if the newer version has removed something', async ({ onTestFinished }) => {
    const env = await changedDatabase(
      onTestFinished,
      `insert into kysely_migration values ('9001-less', '2026-01-01');
       insert into migration_kinds values ('9001-less', 'contract', '9001-less')`,
    );
    const failed = await latchkey(['migrate'], env);
    expect(failed).toMatchObject({ code: 1, docs: 'migration_failed' });
    expect(failed.err).toContain(
      'The database has the migrations 9001-less of a newer version of the service, after which this version does not work. Run that version or a later one.',
    );
    const inJson = await latchkey(['migrate', '--json'], env);
    expect(JSON.parse(inJson.err.split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'migration_failed' },
    });
    const checked = await latchkey(['migrate', '--check'], env);
    expect(checked).toMatchObject({
      code: 1,
      out: 'Migrations of a newer version, after which this version does not work:\n  9001-less',
    });
    const compared = await latchkey(['migrate', '--check', '--json'], env);
    expect(JSON.parse(compared.out)).toMatchObject({ unknown: ['9001-less'], incompatible: ['9001-less'] });
    const served = await latchkey(['serve', '--port', '0', '--smtp-url', 'smtp://127.0.0.1:9'], env);
    expect(served.code).toBe(1);
    expect(served.err).toContain('The service did not start: The database has the migrations 9001-less');
  });
});

describe('latchkey migrate on a schema from before the first release', () => {
  it('fails with the way to create the database again', async ({ onTestFinished }) => {
    const env = await changedDatabase(onTestFinished, "update kysely_migration set name = '0001-sign-in'");
    for (const args of [['migrate'], ['migrate', '--check']]) {
      const { code, err, docs } = await latchkey(args, env);
      expect([code, docs]).toEqual([1, 'migration_failed']);
      expect(err).toMatch(/from before the first release.*0001-sign-in.*delete the file/);
    }
  });
});

describe('latchkey serve --migrate false', () => {
  it('does not start on a database without the schema', async ({ onTestFinished }) => {
    const LATCHKEY_DATABASE = `sqlite:${temporaryFile(onTestFinished)}`;
    const args = ['serve', '--migrate', 'false', '--port', '0', '--smtp-url', 'smtp://127.0.0.1:9'];
    const { code, err } = await latchkey(args, { LATCHKEY_DATABASE });
    expect(code).toBe(1);
    expect(err).toMatch(/lacks the migrations 0001-initial.* Run "latchkey migrate" of this version first/);
  });
});

describe('the environment of a migration', () => {
  it('is named without its password, on standard error and in JSON', async ({ onTestFinished }) => {
    const database = `sqlite:${temporaryFile(onTestFinished)}`;
    const { code, out, err } = await latchkey(['migrate', '--database', database, '--json']);
    expect({ code, err }).toEqual({ code: 0, err: `Database SQLite ${database.slice('sqlite:'.length)}` });
    expect(JSON.parse(out)).toMatchObject({ applied: expect.arrayContaining([expect.any(String)]) });
    const compared = await latchkey(['migrate', '--database', database, '--check', '--json']);
    expect(JSON.parse(compared.out)).toMatchObject({ pending: [], unknown: [] });
    expect(databaseText('postgres://root:hidden@db.example:5432/shop?password=hidden')).toBe(
      'PostgreSQL db.example:5432/shop',
    );
  });
});
