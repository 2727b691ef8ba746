import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';

/** An npm script that runs until it is stopped, with all that it has printed so far. */
export interface RunningCommand {
  printed(): string;
  /** Ctrl-C, and the end of every process that it started. */
  stop(): Promise<void>;
}

/** How long a command may take to start on a machine that is busy. */
export const STARTS_MS = 90_000;

/** How every command here is started. */
const COMMON = {
  cwd: new URL('..', import.meta.url),
  // A process group of its own, so that Ctrl-C reaches what the command has started.
  detached: true,
} as const;

/** As somebody's shell has it: a test that builds with Vite leaves its NODE_ENV in this process. */
const shell = () => ({ ...process.env, NODE_ENV: undefined });

export function npmScript(name: string, env: Record<string, string>): RunningCommand {
  return running(spawn('npm', ['run', name], { ...COMMON, env: { ...shell(), ...env } }));
}

/** The text of a module, run by Node as if it were a file of this repository. */
export function moduleText(text: string, env: Record<string, string>): RunningCommand {
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    ...COMMON,
    env: { ...shell(), ...env },
  });
  child.stdin.end(text);
  return running(child);
}

function running(child: ChildProcess): RunningCommand {
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
