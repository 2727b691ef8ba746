import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
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

  it.runIf(existsSync('/dev/full'))('does not end a service', async () => {
    const args = [
      'serve',
      '--port',
      '0',
      '--database',
      'sqlite::memory:',
      '--smtp-url',
      'smtp://127.0.0.1:1',
    ];
    const full = openSync('/dev/full', 'w');
    const service = spawn(process.execPath, [BIN, ...args], { env: {}, stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    let err = '';
    service.stderr?.on('data', (data) => {
      err += data;
    });
    const ended = once(service, 'close');
    const address = await vi.waitFor(
      () => /listens at (\S+)/.exec(err)?.[1] ?? Promise.reject(new Error(err)),
      {
        timeout: 30_000,
      },
    );
    for (let count = 0; count < 3; count += 1) expect((await fetch(`${address}/sign-in`)).status).toBe(200);
    service.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(err).toContain('The log cannot be written (ENOSPC). Lines are lost until it can.\n');
  });
});
