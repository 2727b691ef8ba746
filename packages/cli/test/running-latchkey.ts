import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const BIN = join(import.meta.dirname, '../dist/latchkey.js');

/** A `latchkey` process of its own. */
export interface RunningLatchkey {
  readonly process: ChildProcess;
  /** What it wrote to standard output and standard error so far. */
  out(): string;
  err(): string;
  /** Waits until standard error matches; rejects when the process ends before. */
  told(pattern: RegExp): Promise<RegExpExecArray>;
  /** Its exit code, when it has ended. */
  readonly ended: Promise<number | null>;
}

/** Starts `latchkey` as people do: the built bin, in a process of its own, with nothing but the given variables. */
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
    async told(pattern) {
      for (;;) {
        const match = pattern.exec(err);
        if (match !== null) return match;
        const code = await Promise.race([
          once(child.stderr, 'data').then(() => undefined),
          ended.then((end) => ({ end })),
        ]);
        if (code !== undefined && !pattern.test(err)) {
          throw new Error(`latchkey ended with ${code.end} and told no ${pattern}:\n${err}`);
        }
      }
    },
  };
}

/** Waits until it serves, and tells where. */
export async function listeningAt(latchkey: RunningLatchkey): Promise<string> {
  const [, address = ''] = await latchkey.told(/The service listens at (\S+)\n/);
  return address;
}
