import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLatchkey } from '../src/run-latchkey.js';

/** What came of a command line. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process. */
export async function latchkey(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runLatchkey({
    args,
    env,
    version: '1.2.3',
    print: (line) => out.push(line),
    tell: (line) => err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** A file for a database, in a folder that goes when the test does. */
export function temporaryFile(onTestFinished: (end: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'service.sqlite');
}
