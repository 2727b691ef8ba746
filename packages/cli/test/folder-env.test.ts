import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepSandboxToken } from '../src/command-line/files.js';
import { withFolderEnv } from '../src/environment.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-env-'));
  writeFileSync(
    join(folder, '.env'),
    "LATCHKEY_SANDBOX_URL=http://127.0.0.1:4999\nLATCHKEY_SANDBOX_TOKEN='of-the-file'\nPATH=/evil\nLATCHKEY_API_KEY_FILE=/home/ada/.token\nNODE_OPTIONS=--require=/evil\n",
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

it('reads the first variable after a byte order mark', () => {
  const other = mkdtempSync(join(tmpdir(), 'latchkey-env-'));
  writeFileSync(join(other, '.env'), '\u{feff}LATCHKEY_SANDBOX_TOKEN=of-the-file\r\n');
  expect(withFolderEnv(['logs'], other, {})).toEqual({ LATCHKEY_SANDBOX_TOKEN: 'of-the-file' });
  rmSync(other, { recursive: true });
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

describe('the token of the sandbox that ran in a folder', () => {
  const TOKEN = 'token-of-the-running-sandbox';
  let site: string;
  beforeEach(() => {
    site = mkdtempSync(join(tmpdir(), 'latchkey-token-'));
  });
  afterEach(() => rmSync(site, { recursive: true }));
  const tokenFile = () => join(site, '.latchkey/sandbox-token');

  it('is found by commands in that folder, readable for the user only, and ignored by git', () => {
    keepSandboxToken(site, 'token-of-an-earlier-start');
    keepSandboxToken(site, TOKEN);
    const { LATCHKEY_SANDBOX_TOKEN_FILE: file = '' } = withFolderEnv(['logs'], site, {});
    expect(readFileSync(file, 'utf8').trim()).toBe(TOKEN);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(site, '.latchkey/.gitignore'), 'utf8')).toBe('*\n');
  });

  it('counts only if neither the environment nor the .env file has one', () => {
    keepSandboxToken(site, TOKEN);
    const own = { LATCHKEY_SANDBOX_TOKEN: 'of-the-environment' };
    expect(withFolderEnv(['logs'], site, own)).toEqual(own);
    writeFileSync(join(site, '.env'), 'LATCHKEY_SANDBOX_TOKEN=of-the-file\n');
    expect(withFolderEnv(['logs'], site, {})).toEqual({ LATCHKEY_SANDBOX_TOKEN: 'of-the-file' });
  });

  it('is never a link, which could lead to any secret of the user, and replaces one', () => {
    const secret = join(site, 'secret');
    writeFileSync(secret, 'secret-of-another-program');
    mkdirSync(join(site, '.latchkey'));
    symlinkSync(secret, tokenFile());
    expect(withFolderEnv(['logs'], site, {})).toEqual({});
    keepSandboxToken(site, TOKEN);
    expect(readFileSync(secret, 'utf8')).toBe('secret-of-another-program');
    expect(withFolderEnv(['logs'], site, {})).toEqual({ LATCHKEY_SANDBOX_TOKEN_FILE: tokenFile() });
  });

  it('is not needed: a folder that cannot be written stays as it is', () => {
    writeFileSync(join(site, '.latchkey'), '');
    keepSandboxToken(site, TOKEN);
    expect(withFolderEnv(['logs'], site, {})).toEqual({});
  });
});
