import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
