import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { CheckResult } from '@latchkey/conformance';
import { CommandFailure } from '../command-line/command-failure.js';

/** Results of a run in a file: one line of JSON for each, so that an interrupted run keeps them. */
export interface RunState {
  /** Results of earlier runs that need no repetition. */
  readonly done: readonly CheckResult[];
  /** Appends a result. */
  add(result: CheckResult): void;
}

/**
 * Opens the file of a run. Checks that did not run are repeated, because the fixtures may have changed.
 *
 * @throws CommandFailure if the file is of another service, is no file of a run, or cannot be read or written.
 */
export function openRunState(path: string, baseUrl: string): RunState {
  const isNew = !existsSync(path);
  const done = isNew ? [] : readState(path, baseUrl);
  if (isNew) append(path, { baseUrl });
  const known = new Set(done.map(({ id }) => id));
  return {
    done,
    add(result) {
      if (isFinal(result) && !known.has(result.id)) append(path, result);
    },
  };
}

function isFinal({ outcome }: CheckResult): boolean {
  return outcome.kind === 'passed' || outcome.kind === 'failed';
}

function append(path: string, line: object): void {
  // Secrets are masked, but the file still shows what the service contains.
  onState(path, 'written', () => appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 }));
}

function readState(path: string, baseUrl: string): CheckResult[] {
  const [head = '', ...lines] = onState(path, 'read', () => readFileSync(path, 'utf8')).split('\n');
  const about = parsed(head) as { baseUrl?: unknown } | undefined;
  if (about?.baseUrl !== baseUrl) {
    throw new CommandFailure(`${path} has no results of ${baseUrl}. Choose another file with --resume.`);
  }
  // A run that was killed can leave half a line.
  return lines.flatMap((line) => {
    const result = parsed(line) as CheckResult | undefined;
    return result === undefined ? [] : [result];
  });
}

function onState<Result>(path: string, verb: 'read' | 'written', work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`--resume: ${path} cannot be ${verb} (${code}).`, { cause: error });
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
