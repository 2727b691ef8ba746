// Finds the test files with tests that must fail once an assumption is turned around.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the files that name an assumption as test names do: `[assumes <id>]`.
 * @param {string} root folder that the globs and results are relative to
 * @param {string[]} globs
 * @param {string} id of the assumption
 * @returns {string[]}
 */
export function filesThatName(root, globs, id) {
  return globSync(globs, { cwd: root })
    .filter((file) => readFileSync(join(root, file), 'utf8').includes(`[assumes ${id}]`))
    .sort();
}
