import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** A command that runs until it is stopped. */
export interface RunningCommand {
  printed(): string;
  /** Sends SIGINT to the command's process group and waits for the command to exit. */
  stop(): Promise<void>;
}

/** Time limit for the start of a command on a busy machine, in milliseconds. */
export const STARTS_MS = 90_000;

/** Spawn options of every command. */
const COMMON = {
  cwd: new URL('..', import.meta.url),
  // Creates a process group, so that SIGINT also reaches the command's children.
  detached: true,
} as const;

/** Returns the environment of a shell. A test that builds with Vite leaves its NODE_ENV in this process. */
const shell = () => ({ ...process.env, NODE_ENV: undefined });

export function npmScript(
  name: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): RunningCommand {
  return running(spawn('npm', ['run', name, '--', ...args], { ...COMMON, env: { ...shell(), ...env } }));
}

/** Runs the text of a module as if it were a file of this repository. */
export function moduleText(text: string, env: Record<string, string>): RunningCommand {
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    ...COMMON,
    env: { ...shell(), ...env },
  });
  child.stdin.end(text);
  return running(child);
}

/** Runs a command line in a folder, with the programs that are installed there. */
export function commandIn(folder: string, line: string, env: Record<string, string> = {}): RunningCommand {
  const PATH = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`;
  return running(spawn(line, { ...COMMON, shell: true, cwd: folder, env: { ...shell(), PATH, ...env } }));
}

function running(child: ChildProcess): RunningCommand {
  let printed = '';
  const storeOutput = (chunk: Buffer) => {
    printed += chunk;
  };
  child.stdout?.on('data', storeOutput);
  child.stderr?.on('data', storeOutput);
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
