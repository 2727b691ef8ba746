import { readFileSync, writeFileSync } from 'node:fs';
import { CommandFailure } from './command-failure.js';
import { quoted } from './text.js';

/** The content of a JSON file, or why there is none: the reason completes "cannot be read (…)". */
type JsonFile = { kind: 'json'; content: unknown } | { kind: 'unreadable'; reason: string };

/** Reads a JSON file, which may begin with a byte order mark from a Windows editor. Reasons never contain a part of the file. */
export function readJsonFile(path: string): JsonFile {
  try {
    return { kind: 'json', content: parseJson(readFileSync(path, 'utf8')) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      return { kind: 'unreadable', reason: (error as NodeJS.ErrnoException).code ?? 'unknown error' };
    }
    // V8 quotes the text around the error, which can be a secret.
    const [place] = /line \d+ column \d+/.exec(error.message) ?? [];
    return {
      kind: 'unreadable',
      reason: place === undefined ? 'it is not JSON' : `it is not JSON: ${place}`,
    };
  }
}

function parseJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}

/** Returns the content of a JSON file. @throws CommandFailure */
export function jsonFileContent(path: string): unknown {
  const read = readJsonFile(path);
  if (read.kind === 'json') return read.content;
  throw new CommandFailure(`Cannot read the file ${quoted(path)} (${read.reason}).`);
}

/**
 * Writes a file that only this process's user can read.
 *
 * @throws CommandFailure if the file exists or can't be written.
 */
export function writeNewFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new CommandFailure(
        `The file ${quoted(file)} exists already. Choose another name, or delete it.`,
        {
          cause: error,
        },
      );
    }
    throw new CommandFailure(`Cannot write the file ${quoted(file)} (${code}).`, { cause: error });
  }
}
