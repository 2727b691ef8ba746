import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { addLateUser, expectRestored, fillDatabase, guideFolder } from '../backup-guide.js';
import { createDatabase, onDatabase } from './create-database.js';

/** Rows of all tables, as text. */
async function contentOf(url: string): Promise<Record<string, string[]>> {
  return await onDatabase(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    );
    const content: Record<string, string[]> = {};
    for (const { name } of rows) {
      const { rows: lines } = await client.query<{ line: string }>(
        `select t::text as line from "${name}" t order by 1`,
      );
      content[name] = lines.map(({ line }) => line);
    }
    return content;
  });
}

/** Version of pg_dump, or 0 without one. */
function pgDumpVersion(): number {
  try {
    const text = execFileSync('pg_dump', ['--version'], { encoding: 'utf8' });
    return Number(/ (\d+)/.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

describe('the backup of the self-hosting guide, on PostgreSQL', () => {
  it('saves all tables to a file and loads them into an empty database', async ({ onTestFinished }) => {
    const folder = guideFolder(onTestFinished);
    const live = await createDatabase(onTestFinished);
    await fillDatabase(live);
    const saved = await folder.run(process.execPath, ['backup-postgres.mjs', 'save', live, 'members.json']);
    expect(saved.code, saved.output).toBe(0);
    const content = await contentOf(live);
    await addLateUser(live);

    const restored = await createDatabase(onTestFinished);
    const { latchkey } = await import('../call.js');
    expect(await latchkey(['migrate'], { LATCHKEY_DATABASE: restored })).toMatchObject({ code: 0 });
    const loaded = await folder.run(process.execPath, [
      'backup-postgres.mjs',
      'load',
      restored,
      'members.json',
    ]);
    expect(loaded.code, loaded.output).toBe(0);
    // The times of the migrations are those of the new database.
    expect(await contentOf(restored)).toEqual({ ...content, kysely_migration: expect.any(Array) });
    await expectRestored(restored);
  });

  it('from before the contract migrations loads into a database that has them', async ({
    onTestFinished,
  }) => {
    const folder = guideFolder(onTestFinished);
    const live = await createDatabase(onTestFinished);
    await fillDatabase(live);
    await onDatabase(live, (client) => client.query('create table dropped_since (email text)'));
    const saved = await folder.run(process.execPath, ['backup-postgres.mjs', 'save', live, 'members.json']);
    expect(saved.code, saved.output).toBe(0);
    const restored = await createDatabase(onTestFinished);
    const { latchkey } = await import('../call.js');
    const env = { LATCHKEY_DATABASE: restored };
    expect(await latchkey(['migrate'], env)).toMatchObject({ code: 0 });
    await onDatabase(restored, (client) =>
      client.query(
        `insert into kysely_migration values ('9001-drop', '2026-01-01');
         insert into migration_kinds values ('9001-drop', 'contract', '0001-initial')`,
      ),
    );
    const loaded = await folder.run(process.execPath, [
      ...['backup-postgres.mjs', 'load', restored, 'members.json'],
    ]);
    expect(loaded.code, loaded.output).toBe(0);
    expect(await latchkey(['migrate', '--check', '--contract'], env)).toMatchObject({ code: 0 });
    expect(await latchkey(['migrate', '--contract'], env)).toMatchObject({ code: 0 });
    await expectRestored(restored);
  });

  it('of pg_dump loads with pg_restore; a missing or older pg_dump fails without a file', async ({
    onTestFinished,
  }) => {
    const folder = guideFolder(onTestFinished);
    const live = await createDatabase(onTestFinished);
    await fillDatabase(live);
    const dump = await folder.run('pg_dump', ['--format=custom', '--file=members.dump', live]);
    const { rows } = await onDatabase(live, (client) =>
      client.query<{ version: string }>("select current_setting('server_version_num') as version"),
    );
    if (pgDumpVersion() < Math.floor(Number(rows[0]?.version) / 10_000)) {
      expect(dump.code).not.toBe(0);
      return;
    }
    expect(dump.code, dump.output).toBe(0);
    const restored = await createDatabase(onTestFinished);
    const load = await folder.run('pg_restore', ['--no-owner', `--dbname=${restored}`, 'members.dump']);
    expect(load.code, load.output).toBe(0);
    expect(await contentOf(restored)).toEqual(await contentOf(live));
    await expectRestored(restored);
  });
});
