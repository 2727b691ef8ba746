import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TESTS = ['packages/*/{src,test}/**/*.ts', 'e2e/**/*.ts'];

/** Runs of a property, and settings with a seed. */
const RUN = /\bfc\.(?:assert|check)\(|\.prop\(\[/g;
const SETTINGS = /\bfuzzRuns\(|\bruns\(\d|\.\.\.BATCHES\b|\bseed\b(?!: )|\bseed: SEED\b/g;

const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;

it('every property in npm test has a seed, so that the tests fail for changes only', () => {
  const files = globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist*/**'] })
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))
    .filter(({ text }) => count(text, RUN) > 0);
  expect(files.length).toBeGreaterThan(30);
  const random = files.filter(({ text }) => count(text, SETTINGS) < count(text, RUN));
  expect(random.map(({ file }) => file)).toEqual([]);
});
