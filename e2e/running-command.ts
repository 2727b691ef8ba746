import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';

/** An npm script that runs until it is stopped, with all that it has printed so far. */
export interface RunningCommand {
  printed(): string;
  /** Ctrl-C, and the end of every process that it started. */
  stop(): Promise<void>;
}

export function npmScript(name: string, env: Record<string, string>): RunningCommand {
  const child: ChildProcess = spawn('npm', ['run', name], {
    cwd: new URL('..', import.meta.url),
    // A process group of its own, so that Ctrl-C reaches what npm has started.
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const keep = (chunk: Buffer) => {
    printed += chunk;
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    printed: () => printed,
    async stop() {
      if (child.pid === undefined || child.exitCode !== null) return;
      process.kill(-child.pid, 'SIGINT');
      await ended;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
