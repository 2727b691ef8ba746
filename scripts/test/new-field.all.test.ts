import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
const NEW_FIELD = join(ROOT, 'scripts/test/new-field');
const PATCH = join(NEW_FIELD, 'tagline.patch');

/** Limit for a busy machine: the test starts another run of tests. */
const LIMIT_MS = 600_000;

/** A field may not touch more. */
const MOST = { files: 6, lines: 60 };

describe('a new field of a plan', () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'latchkey-new-field-'));
    const files = run('git', ['ls-files', 'packages', 'scripts', 'package.json', 'e2e/simulation'], ROOT);
    for (const file of files.split('\n').filter(Boolean)) cpSync(join(ROOT, file), join(copy, file));
    for (const folder of ['.', ...['server', 'sandbox', 'cli'].map((name) => `packages/${name}`)])
      symlinkSync(join(ROOT, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  }, LIMIT_MS);
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it(`touches at most ${MOST.files} files and ${MOST.lines} lines`, () => {
    const lines = readFileSync(PATCH, 'utf8').split('\n');
    expect(lines.filter((line) => line.startsWith('diff ')).length).toBeLessThanOrEqual(MOST.files);
    const changed = lines.filter((line) => /^[+-](?![+-]{2} )/.test(line));
    expect(changed.length).toBeLessThanOrEqual(MOST.lines);
  });

  it('is on every surface', { timeout: LIMIT_MS }, () => {
    run('git', ['apply', PATCH], copy);
    copyFileSync(join(NEW_FIELD, 'surfaces.ts'), join(copy, 'packages/sandbox/test/surfaces.test.ts'));
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const args = ['run', '--root', 'packages', '--project=sandbox', 'test/surfaces.test.ts'];
    expect(run(process.execPath, [vitest, ...args], copy)).toMatch(/Tests .*5 passed/);
  });
});

/** Runs a command, and fails with its output if it fails. */
function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}
