import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BIN } from './running-latchkey.js';

/** Runs the built command in a shell, with `"$@"` in place of the command. */
function inShell(
  script: string,
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const shell = spawn(
    'bash',
    ['--norc', '-o', 'pipefail', '-c', script, 'bash', process.execPath, BIN, ...args],
    {
      env: { PATH: process.env.PATH },
    },
  );
  let [out, err] = ['', ''];
  shell.stdout.on('data', (data) => {
    out += data;
  });
  shell.stderr.on('data', (data) => {
    err += data;
  });
  return new Promise((resolve) => void shell.on('close', (code) => resolve({ code, out, err })));
}

describe('output that is lost', () => {
  it('because its reader has enough, is no failure', async () => {
    const { code, out, err } = await inShell('"$@" | head -1', 'conformance', '--list');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toHaveLength(2);
  });

  it.runIf(existsSync('/dev/full'))('because the disk is full, is a failure in one line', async () => {
    const { code, err } = await inShell('"$@" > /dev/full', 'conformance', '--list');
    expect({ code, err }).toEqual({ code: 1, err: 'The output could not be written (ENOSPC).\n' });
  });
});
