import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSUMPTIONS } from '@latchkey/conformance/scripted-service';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/live-service.md'), 'utf8');
const TESTS = globSync(['packages/*/test/**/*.{ts,tsx}', 'e2e/**/*.ts'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
}).map((file) => readFileSync(join(ROOT, file), 'utf8'));

const TAG = /\[assumes ([a-z-]+)\]/g;

/** Rows of a table, by the text of its header. */
function rowsOf(header: string): string[][] {
  const [, table = ''] = PAGE.split(`${header}\n`);
  const [lines = ''] = table.split('\n\n');
  return lines
    .split('\n')
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

const idsIn = (cell = '') => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, id = '']) => id);

const assumptionRows = rowsOf('| id | assumed beyond the specification | check of the doctor |');
const checkRows = rowsOf('| value | checks |');
/** Ids of the checks in the sources of the doctor. */
const CHECKS = ['service-checks', 'captured-delivery'].flatMap((file) =>
  [
    ...readFileSync(join(ROOT, `packages/cli/src/doctor/${file}.ts`), 'utf8').matchAll(
      /^ {4}id: '([a-z-]+)',$/gm,
    ),
  ].map(([, id = '']) => id),
);

describe('docs/live-service.md', () => {
  it('has a row and a section for each assumption, and no other', () => {
    const sections = [...PAGE.matchAll(/^### `([a-z-]+)`$/gm)].map(([, id]) => id);
    expect(assumptionRows.flatMap(([, id]) => idsIn(id))).toEqual([...ASSUMPTIONS]);
    expect(sections).toEqual([...ASSUMPTIONS]);
  });

  it('states for each assumption the specification, who relies on it, a check and what to do otherwise', () => {
    for (const section of PAGE.split(/^### /m).slice(1)) {
      const [text = ''] = section.split(/^## /m);
      const parts = [...text.matchAll(/^- (Specification|Relies on it|Check|Otherwise)\b/gm)].map(
        ([, part]) => part,
      );
      expect(parts, section.split('\n')[0]).toEqual(['Specification', 'Relies on it', 'Check', 'Otherwise']);
    }
  });

  it('names the checks of the doctor, and no other', () => {
    expect(CHECKS.length).toBeGreaterThan(14);
    expect(checkRows.flatMap(([, , checks]) => idsIn(checks)).sort()).toEqual([...CHECKS].sort());
    const named = assumptionRows.flatMap(([, , , checks]) => idsIn(checks));
    expect(named.filter((id) => !CHECKS.includes(id))).toEqual([]);
  });
});

describe('the tests that rely on an assumption', () => {
  const tags = new Set(TESTS.flatMap((text) => [...text.matchAll(TAG)].map(([, id = '']) => id)));

  it('name one that exists', () => {
    expect([...tags].filter((id) => !ASSUMPTIONS.some((known) => known === id))).toEqual([]);
  });

  it('exist for each assumption', () => {
    expect(ASSUMPTIONS.filter((id) => !tags.has(id))).toEqual([]);
  });
});
