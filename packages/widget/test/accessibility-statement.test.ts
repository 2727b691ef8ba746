import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const statement = readFileSync(join(ROOT, 'ACCESSIBILITY.md'), 'utf8');

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
