import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** Where tests live. */
const TESTS = [
  'packages/*/test/**/*.{ts,tsx}',
  'demo/test/**/*.{ts,tsx}',
  'e2e/**/*.ts',
  'scripts/test/**/*.ts',
];

/** Ids in square brackets, right before the end of a quoted name. */
const CITATIONS = /((?:\[[a-z][a-z0-9-]*\.[a-z0-9-]+\]\s*)+)['"`]/g;

/** A requirement id that a test's name cites. */
export interface Citation {
  readonly id: string;
  /** The citing file, relative to the repository. */
  readonly file: string;
}

/** All citations in all tests of the repository. */
export function readCitations(): Citation[] {
  return globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules/**'] }).flatMap((file) =>
    citedIds(readFileSync(join(ROOT, file), 'utf8')).map((id) => ({ id, file: file.replaceAll('\\', '/') })),
  );
}

/** The ids cited in the text of one test file. */
export function citedIds(source: string): string[] {
  return [...source.matchAll(CITATIONS)].flatMap(([, ids = '']) => ids.match(/[^[\]\s]+/g) ?? []);
}
