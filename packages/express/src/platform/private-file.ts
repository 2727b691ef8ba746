import { closeSync, existsSync, openSync } from 'node:fs';

/**
 * Creates a file that only its owner can read, unless it exists. An existing file is not opened: closing it would release
 * the locks of this process's SQLite connections to it.
 *
 * @throws Node's error if the file can't be created.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600));
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // A link to a file that does not exist yet.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}
