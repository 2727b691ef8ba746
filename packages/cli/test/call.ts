import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLatchkey } from '../src/run-latchkey.js';

/** Result of a command line. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  /** Standard error without the line about the documentation. */
  readonly err: string;
  /** Code that the last line mentions. */
  readonly docs: string | undefined;
}

/** Runs a command line in this process. */
export async function latchkey(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runLatchkey({
    args,
    env,
    version: '1.2.3',
    print: (line) => out.push(line),
    warn: (line) => err.push(line),
  });
  const [, docs] = /^See: latchkey explain (\S+)$/.exec(err.at(-1) ?? '') ?? [];
  if (docs !== undefined) err.pop();
  return { code, out: out.join('\n'), err: err.join('\n'), docs };
}

/** Path of a database file in a folder that is removed after the test. */
export function temporaryFile(onTestFinished: (end: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'service.sqlite');
}
