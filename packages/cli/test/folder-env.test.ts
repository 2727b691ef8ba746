import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withFolderEnv } from '../src/folder-env.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-env-'));
  writeFileSync(
    join(folder, '.env'),
    "LATCHKEY_SANDBOX_URL=http://127.0.0.1:4999\nLATCHKEY_SANDBOX_TOKEN='of-the-file'\nPATH=/evil\nNODE_OPTIONS=--require=/evil\n",
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

it('reads the variables that commands know from the .env file of the folder, and no others', () => {
  expect(withFolderEnv(['logs'], folder, { PATH: '/bin' })).toEqual({
    PATH: '/bin',
    LATCHKEY_SANDBOX_URL: 'http://127.0.0.1:4999',
    LATCHKEY_SANDBOX_TOKEN: 'of-the-file',
  });
});

it('prefers the environment, and sends its secrets to no address of the file', () => {
  const own = { LATCHKEY_SANDBOX_TOKEN: 'of-the-environment' };
  expect(withFolderEnv(['logs'], folder, own)).toEqual(own);
  const key = { LATCHKEY_API_KEY_FILE: '/run/key' };
  expect(withFolderEnv(['doctor'], folder, key)).toEqual({ ...key, LATCHKEY_SANDBOX_TOKEN: 'of-the-file' });
});

it('reads no file for the commands of a service in production, and needs none', () => {
  for (const command of ['serve', 'migrate', 'admin'])
    expect(withFolderEnv([command], folder, {})).toEqual({});
  expect(withFolderEnv(['logs'], join(folder, 'missing'), {})).toEqual({});
});
