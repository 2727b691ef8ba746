// Runs commands in the repository. Must work on Node 20: it runs before the project's own Node is installed.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the repository's root folder. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Runs a command, by default in the repository's root. The project's binaries come first on the PATH.
 * @param {{ env?: object, quiet?: boolean, cwd?: string }} options `quiet` captures the output instead of printing it
 * @returns the exit code (127 if the command could not be started) and the captured output
 */
export function run(command, args, { env = {}, quiet = false, cwd = ROOT } = {}) {
  const PATH = `${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}`;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, PATH, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 127, output: String(error) }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
