import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxScenario } from '@latchkey/sandbox';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startLatchkey } from '../running-latchkey.js';
import { type ControlSandbox, startControlSandbox } from './control-sandbox.js';

const { community } = sandboxScenario;
const ID = '5eed0000-0000-4000-8000-000000000777';

let sandbox: ControlSandbox;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-seed-'));
  sandbox = await startControlSandbox();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const fileWith = (content: string) => {
  const file = join(folder, 'data.json');
  writeFileSync(file, content);
  return file;
};

describe('latchkey seed', () => {
  it('creates numbered users with a membership, and keeps those that exist', async () => {
    const args = ['seed', 'users', '--count', '3', '--community', community.id];
    expect(await sandbox.run(...args)).toMatchObject({ code: 0, out: 'Created 3, kept 0.' });
    const again = await sandbox.run('seed', 'users', '--count', '4');
    expect(again).toMatchObject({ code: 0, out: 'Created 1, kept 3.' });
    expect(again.err).toContain(
      'Kept users, record 1: Another user has the email address person-1@example.com.',
    );
    const { operator } = sandbox;
    const { records: found } = await operator.list('users', { text: 'person-' });
    expect(found.map(({ email }) => email)).toEqual([1, 2, 3, 4].map((n) => `person-${n}@example.com`));
    const { records: members } = await operator.list('memberships', { communityId: community.id });
    expect(members.map(({ userId }) => userId)).toEqual(
      expect.arrayContaining(found.slice(0, 3).map(({ id }) => id)),
    );
  });

  it('grants the membership to users that exist, too', async () => {
    await sandbox.control.snapshots.reset();
    await sandbox.operator.create('users', { id: ID, email: 'person-1@example.com' });
    const args = ['seed', 'users', '--count', '1', '--community', community.id];
    const isMember = async () =>
      (await sandbox.operator.list('memberships', { communityId: community.id })).records.some(
        ({ userId }) => userId === ID,
      );
    expect(await isMember()).toBe(false);
    expect(await sandbox.run(...args)).toMatchObject({ code: 0, out: 'Created 0, kept 1.' });
    expect(await isMember()).toBe(true);
    expect(await sandbox.run(...args)).toMatchObject({ code: 0, out: 'Created 0, kept 1.' });
  });

  it('creates no user for a community that does not exist', async () => {
    await sandbox.control.snapshots.reset();
    const failed = await sandbox.run('seed', 'users', '--count', '9', '--community', ID);
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining(`no community "${ID}"`) });
    expect((await sandbox.operator.list('users', { text: 'person-' })).records).toEqual([]);
  });

  it.for([
    [[], 'Name what to create: "users", or a file with --file.'],
    [['users', '--file', 'data.json'], 'Name what to create'],
    [['--file', 'data.json', '--count', '3'], '--count and --community belong to "users".'],
    [['users', '--community', 'coffee'], '--community: must be a UUID; got "coffee".'],
  ] as const)('exits with 2 for %j', async ([args, message]) => {
    const { code, err } = await sandbox.run('seed', ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('creates the records of a file in the order of their needs, and prints new secrets', async () => {
    await sandbox.control.snapshots.reset();
    const file = fileWith(
      JSON.stringify({
        plans: [{ id: ID, communityId: ID, name: 'Year', priceMinor: 9000 }],
        communities: [{ id: ID, name: 'Tea', ownerId: ID }],
        users: [{ id: ID, email: 'tea@example.com' }],
        keys: [{ ownerId: ID, name: 'Test', permissions: ['MEMBERSHIP_READ'] }],
        operators: [{ userId: ID, role: 'VIEWER' }],
      }),
    );
    const result = await sandbox.json<{ created: { kind: string; secrets: { key?: string } }[] }>(
      ...['seed', '--file', file],
    );
    expect(result.created.map(({ kind }) => kind)).toEqual([
      ...['users', 'communities', 'keys', 'operators', 'plans'],
    ]);
    expect(result.created[2]?.secrets.key).toMatch(/^svc_/);
    expect(await sandbox.run('seed', '--file', file)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Created 1, kept 4\.\n\S+ {2}key {2}svc_/),
    });
  });

  it('prints the secrets of the records before a wrong one, and continues where it stopped', async () => {
    await sandbox.control.snapshots.reset();
    const record = { email: 'first@example.com' };
    const key = { name: 'first', ownerId: sandboxScenario.users.dana.id, permissions: ['MEMBERSHIP_WRITE'] };
    const file = fileWith(
      JSON.stringify({ users: [record], keys: [key, { ...key, permissions: ['NONE'] }] }),
    );
    const failed = await sandbox.run('seed', '--file', file);
    expect(failed).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Created 2, kept 0\.\n\S+ {2}key {2}svc_/),
      err: expect.stringContaining('Record 3 (keys): '),
    });
    const { created } = JSON.parse((await sandbox.run('seed', '--file', file, '--json')).out);
    expect(created).toMatchObject([{ kind: 'keys', secrets: { key: expect.stringMatching(/^svc_/) } }]);
  });

  it('stops at Ctrl-C, and prints what it has created', async () => {
    const running = startLatchkey(['seed', 'users', '--count', '10000'], sandbox.env);
    const count = async () => (await sandbox.operator.list('users', { text: 'person-' })).records.length;
    await vi.waitFor(async () => expect(await count()).toBeGreaterThan(0), { timeout: 30_000 });
    running.process.kill('SIGINT');
    expect(await running.ended).toBe(1);
    expect(running.out()).toMatch(/^Created \d+, kept 0\.\n$/);
    expect(running.err()).toMatch(/Stopped after \d+ of 10000 records\. Run it again to continue\./);
  });

  it('reads a file that begins with a byte order mark, and names the place of an error', async () => {
    expect(await sandbox.run('seed', '--file', fileWith('\uFEFF{"users":[]}'))).toMatchObject({ code: 0 });
    const half = await sandbox.run('seed', '--file', fileWith('{\n  "users": [\n    { "email": "secret" '));
    expect(half.err).toMatch(/\(it is not JSON: line 3 column \d+\)/);
    expect(half.err).not.toContain('secret');
  });

  it('names the record and the field that is wrong', async () => {
    const wrong = fileWith(JSON.stringify({ users: [{ email: 'ok@example.com' }, { email: 'no' }] }));
    const failed = await sandbox.run('seed', '--file', wrong);
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('Record 2 (users): email: ');
    for (const [content, message] of [
      ['{', 'it is not JSON'],
      ['{"people":[]}', 'people'],
    ] as const) {
      const { code, err } = await sandbox.run('seed', '--file', fileWith(content));
      expect(code).toBe(1);
      expect(err).toContain(message);
    }
    expect((await sandbox.run('seed', '--file', join(folder, 'none.json'))).err).toContain('(ENOENT)');
  });
});
