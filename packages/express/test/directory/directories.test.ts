import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type DirectoryRecord,
  LatchkeyOptionsError,
  type MembershipDirectory,
  memoryDirectory,
  sqliteDirectory,
} from '../../src/index.js';
import { describeDirectory } from './directory-conformance.js';

describeDirectory('memory', async () => {
  const directory = memoryDirectory();
  return { join: async () => directory, close: () => directory.close() };
});

describeDirectory('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-directory-'));
  const opened: MembershipDirectory[] = [];
  return {
    async join() {
      const directory = sqliteDirectory(join(folder, 'memberships.sqlite'));
      opened.push(directory);
      return directory;
    },
    async close() {
      for (const directory of opened) await directory.close();
      await rm(folder, { recursive: true });
    },
  };
});

describe('a record', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'record: must be an object'],
    ['no community and no product', { membershipId: 'm-1' }, 'exactly one of communityId and productId'],
    [
      'a community and a product',
      { membershipId: 'm-1', communityId: 'c', productId: 'p' },
      'exactly one of communityId and productId',
    ],
    ['no membership id', { communityId: 'c' }, 'record.membershipId: must be an id'],
    ['an id with white space', { membershipId: 'm 1', communityId: 'c' }, 'got "m 1"'],
    ['an empty community', { membershipId: 'm-1', communityId: '' }, 'record.communityId: must be an id'],
    ['a misspelt field', { membershipId: 'm-1', communityID: 'c' }, 'record.communityID: is not a field'],
    [
      'seconds',
      { membershipId: 'm-1', communityId: 'c', observedAt: 1_700_000_000 },
      'record.observedAt: must be milliseconds',
    ],
    [
      'microseconds',
      { membershipId: 'm-1', communityId: 'c', observedAt: 1_700_000_000_000_000 },
      'record.observedAt: must be milliseconds',
    ],
    ['an unreadable time', { membershipId: 'm-1', communityId: 'c', observedAt: Number.NaN }, 'got NaN'],
  ])('with %s is refused', async (_name, record, message) => {
    const refused = memoryDirectory().record(record as DirectoryRecord);
    await expect(refused).rejects.toThrow(LatchkeyOptionsError);
    await expect(refused).rejects.toThrow(message);
  });

  it('is named by its place in a list', async () => {
    const refused = memoryDirectory().record([
      { membershipId: 'm-1', communityId: 'c' },
      { membershipId: 'm-2' },
    ]);
    await expect(refused).rejects.toThrow('record.1: must have exactly one');
  });

  it('can be an entry that find returned', async () => {
    const directory = memoryDirectory();
    await directory.record({ membershipId: 'm-1', productId: 'p' });
    await directory.import((await directory.find(['m-1'])).values());
    expect((await directory.find(['m-1'])).get('m-1')?.productId).toBe('p');
  });
});

describe('sqliteDirectory', () => {
  it('names the file that it cannot open, and the fix', () => {
    expect(() => sqliteDirectory('/no/such/folder/memberships.sqlite')).toThrow(LatchkeyOptionsError);
    expect(() => sqliteDirectory('/no/such/folder/memberships.sqlite')).toThrow(
      '/no/such/folder/memberships.sqlite. Check that its folder exists',
    );
    expect(() => sqliteDirectory('')).toThrow('must be the path of a file');
  });

  it('names a file that is no SQLite file', () => {
    expect(() => sqliteDirectory(new URL(import.meta.url).pathname)).toThrow(
      'Pass the path of a SQLite file',
    );
  });

  it('keeps its entries over a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-directory-'));
    const file = join(folder, 'memberships.sqlite');
    const before = sqliteDirectory(file);
    await before.record({ membershipId: 'm-1', communityId: 'c', pricingPlanId: 'p' });
    await before.close();
    await expect(before.find(['m-1'])).rejects.toThrow();
    const after = sqliteDirectory(file);
    expect((await after.find(['m-1'])).get('m-1')).toMatchObject({ communityId: 'c', pricingPlanId: 'p' });
    await after.close();
    await after.close();
    await rm(folder, { recursive: true });
  });
});

/** Returns the path of a file in a new folder. The test's end deletes the folder. */
function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-directory-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'memberships.sqlite');
}

/** Opens a directory. The test's end closes it. */
function open(file: string): MembershipDirectory {
  const directory = sqliteDirectory(file);
  onTestFinished(() => directory.close());
  return directory;
}

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('the file of sqliteDirectory', () => {
  it('is readable by its owner only, and so are the files beside it', async () => {
    const file = newFile();
    await open(file).record({ membershipId: 'm-1', communityId: 'c' });
    for (const path of [file, `${file}-wal`, `${file}-shm`]) expect(modeOf(path)).toBe(0o600);
  });

  it('is readable by its owner only if a link leads to it before it exists', async () => {
    const file = newFile();
    const target = `${file}.target`;
    symlinkSync(target, file);
    await open(file).record({ membershipId: 'm-1', communityId: 'c' });
    for (const path of [target, `${target}-wal`]) expect(modeOf(path)).toBe(0o600);
  });

  it('keeps its mode if it exists', async () => {
    const file = newFile();
    await sqliteDirectory(file).close();
    chmodSync(file, 0o640);
    await open(file).record({ membershipId: 'm-1', communityId: 'c' });
    for (const path of [file, `${file}-wal`]) expect(modeOf(path)).toBe(0o640);
  });

  it('can be in memory, or be given as a URI', async () => {
    await open(':memory:').record({ membershipId: 'm-1', communityId: 'c' });
    expect(existsSync(':memory:')).toBe(false);
    const file = newFile();
    await open(`file:${file}?mode=rwc`).record({ membershipId: 'm-1', communityId: 'c' });
    expect(existsSync(file)).toBe(true);
  });

  // Closing a file releases all locks that its process has on it, so another process could delete the log.
  it.runIf(process.platform === 'linux')('stays locked when the process opens it again', () => {
    const file = newFile();
    for (let count = 0; count < 2; count += 1) {
      open(file);
      const locked = new RegExp(`^\\d+: POSIX .* ${process.pid} \\S+:${statSync(file).ino} `, 'm');
      expect(readFileSync('/proc/locks', 'utf8')).toMatch(locked);
    }
  });
});
