// Finds the test files that use the fake service. Only these can notice that an assumption is turned around, because no other
// code reads LATCHKEY_AGAINST.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FAKE = '@latchkey/conformance/scripted-service';
const IMPORTS = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g;

/**
 * Returns the test files below the folders that import the fake service, directly or through other files of the tests.
 * @param {string} root folder that the globs and results are relative to
 * @param {string[]} globs
 * @returns {string[]}
 */
export function filesWithFake(root, globs) {
  const known = new Map();
  return globSync(globs, { cwd: root })
    .filter((file) => usesFake(join(root, file), known))
    .sort();
}

function usesFake(file, known) {
  if (known.has(file)) return known.get(file);
  // Also ends a cycle of imports.
  known.set(file, false);
  const imported = [...readFileSync(file, 'utf8').matchAll(IMPORTS)].map(([, name]) => name);
  const result = imported.some((name) => {
    if (name === FAKE || name.startsWith(`${FAKE}/`)) return true;
    const source = name.startsWith('.') ? sourceOf(join(dirname(file), name)) : undefined;
    return source !== undefined && usesFake(source, known);
  });
  known.set(file, result);
  return result;
}

/** The source behind the compiled name that TypeScript imports. */
function sourceOf(path) {
  return [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find((each) => existsSync(each));
}
