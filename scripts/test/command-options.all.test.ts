import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Commands of package.json with options, by their file. None of these runs gets further than its options. */
const COMMANDS = {
  'npm run assumptions': 'scripts/assumptions.mjs',
  'npm run bench': 'scripts/bench.mjs',
  'npm run fuzz': 'scripts/fuzz.mjs',
  'npm run house': 'scripts/house.mjs',
  'npm run simulate': 'e2e/simulation/simulate.ts',
  'npm run soak': 'packages/server/soak/run.ts',
};

function start(file: string, args: readonly string[]) {
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [file, ...args], { cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

describe.concurrent.each(Object.entries(COMMANDS))('%s', (command, file) => {
  it('answers an unknown option with the reason and its usage, without a stack', async () => {
    const { status, stdout, stderr } = await start(file, ['--colour', 'red']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Unknown option '--colour'/);
    expect(stderr).toMatch(new RegExp(`\n\n${command} \\[-- .*--[a-z]`));
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe.concurrent('a command', () => {
  it('prints its usage for --help', async () => {
    const { status, stdout, stderr } = await start('scripts/fuzz.mjs', ['--help']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^npm run fuzz \[-- --runs /);
  });

  it.each([
    ['scripts/bench.mjs', '--only', 'luck', '--only: must be of '],
    ['scripts/fuzz.mjs', '--runs', '1.5', '--runs: must be a whole number of at least 1; got "1.5".'],
    [
      'packages/server/soak/run.ts',
      '--minutes',
      '0',
      '--minutes: must be a number of at least 0.01; got "0".',
    ],
  ])(
    'rejects a wrong value with its name and what is right: %s %s %s',
    async (file, option, value, reason) => {
      const { status, stderr } = await start(file, [option, value]);
      expect(status).toBe(2);
      expect(stderr.slice(0, reason.length)).toBe(reason);
    },
  );
});
