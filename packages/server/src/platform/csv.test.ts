import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../scripts/fuzz-runs.mjs';
import { csvLines } from './csv.js';

/** Parses CSV strictly by RFC 4180. */
function parseCsv(text: string): string[][] {
  const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g);
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

const cell = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('=', '+', '@', '"', "'", ',', ';', '\n', '\r', 'a') }),
);

describe('CSV', () => {
  test.prop([fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }))], fuzzRuns(100))(
    'is read back unchanged, except for an apostrophe before a formula',
    (rows) => {
      const read = parseCsv(csvLines(rows));
      expect(read.map((cells) => cells.length)).toEqual(rows.map((cells) => cells.length));
      const plain = (texts: string[]) => texts.map((text) => text.replaceAll(/(?<=^|[;\t\r\n])'+/g, ''));
      expect(plain(read.flat())).toEqual(plain(rows.flat()));
    },
  );

  test.prop([fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }))], fuzzRuns(100))(
    'never begins a cell with a formula',
    (rows) => {
      const text = csvLines(rows);
      const cells = [...parseCsv(text).flat(), ...text.split(/[;\t\r\n]+/).slice(1)];
      expect(cells.filter((text) => /^[=+\-@\t\r\n]/.test(text))).toEqual([]);
    },
  );

  it.each([
    ['=1+1@example.com', "'=1+1@example.com"],
    ['+442079460018', "'+442079460018"],
    ['-1@example.com', "'-1@example.com"],
    ['@sum(a1)', "'@sum(a1)"],
    [' =1+1', "' =1+1"],
    ['\u200b=1+1', "'\u200b=1+1"],
    ['＝1+1', "'＝1+1"],
    ['＠A1', "'＠A1"],
    ['Tea;=1+1;b', `"Tea;'=1+1;b"`],
    ['a\t=1', `"a\t'=1"`],
    ['a\n =1', `"a\n' =1"`],
    ['a"b', '"a""b"'],
    ['a,b', '"a,b"'],
    ['ada@example.com', 'ada@example.com'],
  ])('writes %s as %s', (text, expected) => {
    expect(csvLines([[text, null]])).toBe(`${expected},\r\n`);
  });
});
