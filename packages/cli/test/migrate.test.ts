import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { latchkey, temporaryFile } from './call.js';

describe('latchkey migrate', () => {
  it('brings a database up to date, says what it did, and the second time that there was nothing to do', async ({
    onTestFinished,
  }) => {
    const LATCHKEY_DATABASE = `sqlite:${temporaryFile(onTestFinished)}`;
    const first = await latchkey(['migrate'], { LATCHKEY_DATABASE });
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/^The database is up to date\. Applied:\n {2}0001-sign-in\n {2}0002-/);
    expect(await latchkey(['migrate'], { LATCHKEY_DATABASE })).toMatchObject({
      code: 0,
      out: 'The database was up to date.',
    });
  });

  it('--check only looks: 0 when up to date, 1 when behind or absent', async ({ onTestFinished }) => {
    const file = temporaryFile(onTestFinished);
    const check = () => latchkey(['migrate', '--check', '--database', `sqlite:${file}`]);
    const absent = await check();
    expect(absent.code).toBe(1);
    expect(absent.err).toContain('there is no such file');
    expect(existsSync(file)).toBe(false);
    await latchkey(['migrate', '--database', `sqlite:${file}`]);
    expect(await check()).toMatchObject({ code: 0, out: 'The database is up to date.' });
  });

  it('refuses a database that would be gone at once', async () => {
    const { code, err } = await latchkey(['migrate', '--database', 'sqlite::memory:']);
    expect(code).toBe(2);
    expect(err).toContain('memory');
  });
});
