// Lists the repository's source files and parses them.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { ROOT } from './command.mjs';

const SOURCE_FILE = /\.(ts|tsx|mts|cts|js|mjs|cjs)$/;

/** Folders that hold installed or generated files. */
const SKIPPED_FOLDER = /^(node_modules|dist|dist-test|coverage|test-results|\..+)$/;

/**
 * Lists the source files of folders, sorted by path.
 * @param {string[]} folders paths relative to the root; the whole root if empty. A path may also name a file.
 * @returns {string[]} paths relative to the root
 */
export function listSourceFiles(folders = [], root = ROOT) {
  return (folders.length === 0 ? ['.'] : folders).flatMap((folder) => listFolder(join(folder), root)).sort();
}

function listFolder(path, root) {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const child = join(path, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDER.test(entry.name) ? [] : listFolder(child, root);
    return SOURCE_FILE.test(entry.name) ? [child] : [];
  });
}

/**
 * Parses a source file of the repository.
 * @throws {SyntaxError} if the file is not valid TypeScript or JavaScript
 */
export function parseSourceFile(file, root = ROOT) {
  return parseSource(file, readFileSync(join(root, file), 'utf8'));
}

/**
 * Parses source text.
 * @param {string} file its extension selects the syntax
 * @returns the text, the ESTree program, its comments and its imports and exports
 * @throws {SyntaxError} if the text is not valid TypeScript or JavaScript
 */
export function parseSource(file, text) {
  const { program, comments, module, errors } = parseSync(file, text);
  const [error] = errors;
  if (error) throw new SyntaxError(`${file}: ${error.message}`);
  return { file, text, program, comments, module };
}

/** Returns the 1-based line of an offset in a text. */
export function lineOf(text, offset) {
  let line = 1;
  for (
    let index = text.indexOf('\n');
    index !== -1 && index < offset;
    index = text.indexOf('\n', index + 1)
  ) {
    line += 1;
  }
  return line;
}
