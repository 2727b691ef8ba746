import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Path of the built command. */
export const BIN = join(import.meta.dirname, '../dist/latchkey.js');

/** A separate `latchkey` process. */
export interface RunningLatchkey {
  readonly process: ChildProcess;
  /** Standard output and standard error so far. */
  out(): string;
  err(): string;
  /** Waits until standard error matches a pattern. Rejects if the process ends first. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code when the process ends. */
  readonly ended: Promise<number | null>;
}

/** Starts the built `latchkey` in a separate process, with only the given environment variables. */
export function startLatchkey(args: readonly string[], env: Record<string, string> = {}): RunningLatchkey {
  const child = spawn(process.execPath, [BIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    out: () => out,
    err: () => err,
    ended,
    async waitFor(pattern) {
      for (;;) {
        const match = pattern.exec(err);
        if (match !== null) return match;
        const code = await Promise.race([
          once(child.stderr, 'data').then(() => undefined),
          ended.then((end) => ({ end })),
        ]);
        if (code !== undefined && !pattern.test(err)) {
          throw new Error(
            `latchkey ended with exit code ${code.end} and printed nothing like ${pattern}:\n${err}`,
          );
        }
      }
    },
  };
}

/** Waits until the service listens and returns its address. */
export async function listeningAt(latchkey: RunningLatchkey): Promise<string> {
  const [, address = ''] = await latchkey.waitFor(/The service listens at (\S+)\n/);
  return address;
}
