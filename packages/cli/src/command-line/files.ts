import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
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

/** Writes a file that only this process's user can read. @throws CommandFailure if it exists, or can't be written. */
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

/** Folder inside a project for the command's own files. */
export const OWN_FOLDER = '.latchkey';

/** File with the control token of the sandbox last started in the folder. */
export const TOKEN_FILE = join(OWN_FOLDER, 'sandbox-token');

/**
 * Keeps a sandbox's token for the commands that run in the folder, and for its next start there. Only the user can read
 * it, and git ignores it. Does nothing if the folder isn't writable.
 */
export function keepSandboxToken(folder: string, token: string): void {
  try {
    mkdirSync(join(folder, OWN_FOLDER), { recursive: true });
    // Replaced rather than overwritten: it could be a link, or readable by others.
    rmSync(join(folder, TOKEN_FILE), { force: true });
    writeFileSync(join(folder, TOKEN_FILE), `${token}\n`, { flag: 'wx', mode: 0o600 });
    writeFileSync(join(folder, OWN_FOLDER, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // The sandbox also prints the token when it starts.
  }
}

export const PACKAGE_VERSION: string = createRequire(import.meta.url)('@latchkey/cli/package.json').version;
