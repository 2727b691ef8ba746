import { copyFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addLateUser, expectRestored, fillDatabase, guideFolder } from './backup-guide.js';
import { listeningAt, startLatchkey } from './running-latchkey.js';

/** Rows of all tables, as text. */
function contentOf(file: string): Record<string, string[]> {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("select name from sqlite_master where type = 'table' order by name").all();
  const content = tables.map(({ name }) => [
    String(name),
    database
      .prepare(`select * from "${name}"`)
      .all()
      .map((row) => JSON.stringify(row))
      .sort(),
  ]);
  database.close();
  return Object.fromEntries(content) as Record<string, string[]>;
}

describe('the backup of the self-hosting guide, on SQLite', () => {
  it('copies a database that a running service uses, and the copy serves', async ({ onTestFinished }) => {
    const folder = guideFolder(onTestFinished);
    const [live, backup, restored] = ['live', 'backup', 'restored'].map((name) =>
      folder.path(`${name}.sqlite`),
    );
    if (live === undefined || backup === undefined || restored === undefined) throw new Error('unreachable');
    await fillDatabase(`sqlite:${live}`);
    const mail = ['--smtp-url', 'smtp://127.0.0.1:1'];
    const serve = ['serve', '--port', '0', '--background-work', 'false', ...mail];
    const service = startLatchkey([...serve, '--database', `sqlite:${live}`]);
    onTestFinished(() => void service.process.kill('SIGKILL'));
    await service.waitFor(/The service listens/);

    const saved = await folder.run(process.execPath, ['backup-sqlite.mjs', live, backup]);
    expect(saved.code, saved.output).toBe(0);
    expect(contentOf(backup)).toEqual(contentOf(live));
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    await addLateUser(`sqlite:${live}`);
    const again = await folder.run(process.execPath, ['backup-sqlite.mjs', live, backup]);
    expect(again.code, 'an existing backup is not replaced').toBe(1);

    copyFileSync(backup, restored);
    await expectRestored(`sqlite:${restored}`);
    const second = startLatchkey([...serve, '--database', `sqlite:${restored}`]);
    onTestFinished(() => void second.process.kill('SIGKILL'));
    expect((await fetch(`${await listeningAt(second)}/readyz`)).status).toBe(200);
  });
});

it.each([
  ['backup-postgres.mjs', []],
  ['backup-postgres.mjs', ['save', '', 'members.json']],
  ['backup-postgres.mjs', ['restore', 'postgres://127.0.0.1:1/members', 'members.json']],
  ['backup-sqlite.mjs', []],
])('%s prints how it is called if its arguments are %j', async (program, args) => {
  const { code, output } = await guideFolder(onTestFinished).run(process.execPath, [program, ...args]);
  expect(output).toMatch(/^Usage: node backup-\w+\.mjs [^\n]+\n$/);
  expect(code).toBe(2);
});
