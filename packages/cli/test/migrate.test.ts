import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { databaseText } from '../src/command-line/database-text.js';
import { latchkey, temporaryFile } from './call.js';

describe('latchkey migrate', () => {
  it('applies the pending migrations and lists them; a second run finds none', async ({ onTestFinished }) => {
    const LATCHKEY_DATABASE = `sqlite:${temporaryFile(onTestFinished)}`;
    const first = await latchkey(['migrate'], { LATCHKEY_DATABASE });
    expect(first.code).toBe(0);
    expect(first.out).toMatch(
      /^The database is up to date\. Applied migrations:\n {2}0001-sign-in\n {2}0002-/,
    );
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

  it('rejects a database in memory', async () => {
    const { code, err } = await latchkey(['migrate', '--database', 'sqlite::memory:']);
    expect(code).toBe(2);
    expect(err).toContain('memory');
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
