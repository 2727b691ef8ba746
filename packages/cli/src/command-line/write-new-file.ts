import { writeFileSync } from 'node:fs';
import { CommandFailure } from './command-failure.js';
import { quoted } from './text.js';

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
