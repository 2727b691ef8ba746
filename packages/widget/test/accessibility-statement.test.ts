import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const statement = readFileSync(join(ROOT, 'ACCESSIBILITY.md'), 'utf8');

/** Returns the path of a test file in this package, or among the end-to-end tests. */
const find = (file: string) =>
  [join(ROOT, file), join(ROOT, '../..', file)].find((path) => existsSync(path)) ?? file;

it('the accessibility statement names only existing tests', () => {
  const named = [...statement.matchAll(/`([\w/.-]+\.test\.ts|e2e\/[\w.-]+\.ts)`\s+"([^"]+)"/g)];
  expect(named.length).toBeGreaterThan(15);
  const missing = named.filter(
    ([, file = '', title = '']) => !readFileSync(find(file), 'utf8').includes(title),
  );
  expect(missing.map(([text]) => text)).toEqual([]);
});

it('the accessibility statement covers every criterion of WCAG 2.2, levels A and AA', () => {
  const counts: Record<string, number> = {
    '1.1': 1,
    '1.2': 5,
    '1.3': 5,
    '1.4': 13,
    '2.1': 4,
    '2.2': 2,
    '2.3': 1,
    '2.4': 11,
    '2.5': 8,
    '3.1': 2,
    '3.2': 6,
    '3.3': 8,
    '4.1': 3,
  };
  /** Of level AAA, or taken out of WCAG 2.2. */
  const others = [
    '1.4.6',
    '1.4.7',
    '1.4.8',
    '1.4.9',
    '2.1.3',
    '2.4.8',
    '2.4.9',
    '2.4.10',
    '2.5.5',
    '2.5.6',
    '3.2.5',
    '3.3.5',
    '3.3.6',
    '4.1.1',
  ];
  const criteria = Object.entries(counts).flatMap(([guideline, count]) =>
    Array.from({ length: count }, (_, index) => `${guideline}.${index + 1}`),
  );
  const text = statement.replace('1.2.1 to 1.2.5', '1.2.1 1.2.2 1.2.3 1.2.4 1.2.5');
  const spoken = new Set(text.match(/\b\d\.\d\.\d{1,2}\b/g));
  expect(criteria.filter((criterion) => !others.includes(criterion) && !spoken.has(criterion))).toEqual([]);
});
