// Runs commands in the repository. Must work on Node 20: it runs before the project's own Node is installed.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the repository's root folder. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Runs a command, by default in the repository's root. The project's binaries come first on the PATH.
 * @param {{ env?: object, quiet?: boolean, write?: (text: string) => void, cwd?: string }} options `quiet` captures the output
 *   instead of printing it; `write` receives it, as it arrives
 * @returns the exit code (127 if the command could not be started) and the captured output
 */
export function run(command, args, { env = {}, quiet = false, write, cwd = ROOT } = {}) {
  const PATH = `${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}`;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, PATH, ...env },
      stdio: quiet || write ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
        write?.(text);
      });
    }
    child.on('error', (error) => {
      write?.(`${error}\n`);
      resolve({ code: 127, output: String(error) });
    });
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
