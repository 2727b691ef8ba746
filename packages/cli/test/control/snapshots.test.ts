import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxScenario } from '@latchkey/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ControlSandbox, startControlSandbox } from './control-sandbox.js';

const DAY_MS = 24 * 3600_000;

let sandbox: ControlSandbox;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-snapshots-'));
  sandbox = await startControlSandbox();
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const emails = async () => (await sandbox.operator.list('users')).records.map(({ email }) => email);

describe('latchkey snapshot', () => {
  it('saves, lists and loads data and time by name', async () => {
    const saved = await sandbox.run('snapshot', 'save', 'before');
    expect(saved.code).toBe(0);
    expect(saved.out).toMatch(/^Saved before: \d+ rows at \S+Z\.$/);
    await sandbox.operator.createUser({ email: 'gus@example.com' });
    await sandbox.run('clock', 'advance', '40d');
    expect((await sandbox.run('snapshot', 'list')).out).toMatch(
      /^name +time of the service +rows\nbefore +\S+Z +\d+$/,
    );
    expect(await sandbox.run('snapshot', 'load', 'before')).toMatchObject({ code: 0, out: 'Loaded before.' });
    expect(await emails()).not.toContain('gus@example.com');
    expect(sandbox.clock.ahead()).toBeLessThan(DAY_MS);
  });

  it('exports into a new file that only the user can read, and imports it into another sandbox', async () => {
    const file = join(folder, 'shop.json');
    await sandbox.operator.createUser({ email: 'gus@example.com' });
    await sandbox.run('snapshot', 'save', 'mine');
    expect(await sandbox.json('snapshot', 'export', 'mine', file)).toEqual({ name: 'mine', file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const content = readFileSync(file, 'utf8');
    const again = await sandbox.run('snapshot', 'export', 'mine', file);
    expect(again.code).toBe(1);
    expect(again.err).toContain('exists already. Choose another name, or delete it.');
    expect(readFileSync(file, 'utf8')).toBe(content);

    await sandbox.close();
    sandbox = await startControlSandbox();
    expect((await sandbox.run('snapshot', 'import', 'theirs', file)).code).toBe(0);
    expect(await emails()).not.toContain('gus@example.com');
    expect((await sandbox.run('snapshot', 'load', 'theirs')).code).toBe(0);
    expect(await emails()).toContain('gus@example.com');
  });

  it('fails with 1 for a name or a file that is not there, or a file with other content', async () => {
    const other = join(folder, 'other.json');
    writeFileSync(other, '{"format":"something else"}');
    const text = join(folder, 'text.json');
    writeFileSync(text, 'no JSON');
    const failures = [
      [['load', 'nothing'], 'There is no snapshot with the id "nothing".'],
      [['export', 'nothing', join(folder, 'x')], 'There is no snapshot'],
      [['import', 'x', join(folder, 'x')], 'Cannot read the file'],
      [['import', 'x', text], 'text.json" (it is not JSON)'],
      [['import', 'x', other], 'format: The file is no snapshot of a sandbox.'],
    ] as const;
    for (const [args, message] of failures) {
      const { code, out, err } = await sandbox.run('snapshot', ...args);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(message);
    }
    const json = await sandbox.run('snapshot', 'import', 'x', text, '--json');
    expect(JSON.parse(json.err.split('\n')[1] ?? '')).toMatchObject({ error: { code: 'failed' } });
    expect((await sandbox.run('snapshot', 'save', '../x')).code).toBe(2);
  });
});

describe('latchkey reset', () => {
  it('begins again with the sample data, or with none', async () => {
    await sandbox.operator.createUser({ email: 'gus@example.com' });
    await sandbox.run('clock', 'advance', '40d');
    expect(await sandbox.json('reset')).toEqual({ scenario: 'sample-data' });
    expect(await emails()).toContain(sandboxScenario.users.ada.email);
    expect(await emails()).not.toContain('gus@example.com');
    expect(sandbox.clock.ahead()).toBe(0);
    expect((await sandbox.run('reset', '--scenario', 'empty')).out).toContain('scenario empty');
    expect(await emails()).toEqual([]);
    await sandbox.run('reset', '--scenario', 'lapsing-memberships');
    expect(await emails()).toContain('mia@example.com');
    expect((await sandbox.run('reset', '--scenario', 'busy')).code).toBe(2);
  });
});
