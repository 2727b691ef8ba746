import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

/** Runs `.ci/run` with an `npm` that runs these shell commands instead of the scripts. */
function runWith(commands: { test: string; 'test:all': string }) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'bin'));
  cpSync(join(import.meta.dirname, '../../.ci/run'), join(folder, '.ci/run'));
  const cases = Object.entries(commands).map(([script, command]) => `${script}) ${command};;`);
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\ncase "$2" in\n${cases.join('\n')}\nesac\n`);
  chmodSync(join(folder, 'bin/npm'), 0o755);
  const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
  const { status, stdout } = spawnSync(join(folder, '.ci/run'), {
    env: { ...process.env, PATH },
    encoding: 'utf8',
  });
  return { status, last: stdout.trimEnd().split('\n').at(-1) };
}

const PASSED = 'echo "table"; echo "3 passed, 0 failed"';

it.each([
  ['adds both runs up', PASSED, { status: 0, last: '6 passed, 0 failed' }],
  ['counts failures', 'echo "2 passed, 1 failed"; exit 1', { status: 1, last: '5 passed, 1 failed' }],
  [
    'accepts skipped tests',
    'echo "2 passed, 0 failed, 4 skipped"',
    { status: 0, last: '5 passed, 0 failed' },
  ],
  ['fails if a run crashed', 'echo "Killed"; exit 137', { status: 1, last: '3 passed, 1 failed' }],
  [
    'fails if a run failed without a failed test',
    `${PASSED}; exit 1`,
    { status: 1, last: '6 passed, 1 failed' },
  ],
  ['fails if a run printed nothing', 'true', { status: 1, last: '3 passed, 1 failed' }],
  ['fails if no test ran', 'echo "0 passed, 0 failed"', { status: 1, last: '3 passed, 1 failed' }],
])('.ci/run %s', (_what, command, expected) => {
  expect(runWith({ test: command, 'test:all': PASSED })).toEqual(expected);
  expect(runWith({ test: PASSED, 'test:all': command })).toEqual(expected);
});
