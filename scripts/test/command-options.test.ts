import { spawnSync } from 'node:child_process';
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
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe.each(Object.entries(COMMANDS))('%s', (command, file) => {
  it('prints its usage for --help', () => {
    const { status, stdout, stderr } = start(file, ['--help']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${command} \\[-- .*--[a-z]`));
  });

  it('answers an unknown option with the reason and its usage, without a stack', () => {
    const { status, stdout, stderr } = start(file, ['--colour', 'red']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Unknown option '--colour'/);
    expect(stderr).toContain(`\n\n${command} [-- `);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

it.each([
  [
    'e2e/simulation/simulate.ts',
    '--schedules',
    'many',
    '--schedules: must be a whole number of at least 1; got "many".',
  ],
  ['e2e/simulation/simulate.ts', '--world', 'flat', '--world: must be '],
  ['packages/server/soak/run.ts', '--minutes', '0', '--minutes: must be a number of at least 0.01; got "0".'],
  [
    'packages/server/soak/run.ts',
    '--engine',
    'mysql',
    '--engine: must be postgres, sqlite or both; got "mysql".',
  ],
  ['scripts/assumptions.mjs', '--only', 'luck', '--only: must be '],
  ['scripts/bench.mjs', '--only', 'luck', '--only: must be '],
  ['scripts/fuzz.mjs', '--runs', '1.5', '--runs: must be a whole number of at least 1; got "1.5".'],
])('%s rejects %s %s', (file, option, value, reason) => {
  const noBuild = file === 'scripts/assumptions.mjs' ? ['--no-build'] : [];
  const { status, stderr } = start(file, [option, value, ...noBuild]);
  expect(status).toBe(2);
  expect(stderr.slice(0, reason.length)).toBe(reason);
});
