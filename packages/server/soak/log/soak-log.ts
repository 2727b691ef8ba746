import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LogEntry } from './log-entries.ts';

/** Log of a soak. */
export interface SoakLog {
  readonly path: string;
  append(entry: LogEntry): void;
  close(): Promise<void>;
}

/** Opens a new log file. */
export function openLog(path: string): SoakLog {
  mkdirSync(dirname(path), { recursive: true });
  const stream = createWriteStream(path);
  return {
    path,
    append: (entry) => void stream.write(`${JSON.stringify(entry)}\n`),
    close: () => new Promise((closed) => stream.end(() => closed())),
  };
}

/** Identifies a token or a code in the log, which must not contain it. */
export function logged(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url').slice(0, 16);
}
