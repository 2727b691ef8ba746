import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FINDING_SEVERITIES } from '../../src/doctor/findings.js';

const text = readFileSync(join(import.meta.dirname, '../../../../docs/doctor.md'), 'utf8');

it('docs/doctor.md has an entry with the severity and a remedy for each code, in the same order', () => {
  const entries = [...text.matchAll(/^### (\S+)\n\n_(\w+)\._ [\s\S]+?\n\nRemedy: \S/gm)];
  expect(entries.map(([, code, severity]) => [code, severity?.toLowerCase()])).toEqual(
    Object.entries(FINDING_SEVERITIES),
  );
});

it('each code has a test with a planted mistake', () => {
  const tests = ['planted-page.all', 'planted-backend.all', 'hostile-site', 'project'].map((name) =>
    readFileSync(join(import.meta.dirname, `${name}.test.ts`), 'utf8'),
  );
  const untested = Object.keys(FINDING_SEVERITIES).filter(
    (code) => !tests.some((each) => new RegExp(`['\\s]${code}['\\s]`).test(each)),
  );
  expect(untested).toEqual([]);
});
