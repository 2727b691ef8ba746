import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** A link to a test, which cited-tests.test.ts checks. */
const CITED = /\]\(\.\.\/(?:packages|e2e|scripts)\/[^)]+\.tsx?#[^)]+\)/;

/** Rows of all tables of a page whose header begins with a cell. */
function rowsOf(page: string, firstHeader: string): string[][] {
  const tables = page.split(`\n| ${firstHeader} |`).slice(1);
  return tables.flatMap((table) =>
    [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | ')),
  );
}

const read = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');

describe('docs/asvs.md', () => {
  /** Requirements of levels 1 and 2 in version 5.0.0: those of a section that are not of level 3. */
  const SECTIONS: Readonly<Record<string, readonly number[]>> = {
    ...{ '1.1': upTo(2), '1.2': upTo(9), '1.3': upTo(11), '1.4': upTo(3), '1.5': upTo(2) },
    ...{ '2.1': upTo(3), '2.2': upTo(3), '2.3': upTo(4), '2.4': upTo(1) },
    ...{ '3.2': upTo(2), '3.3': upTo(4), '3.4': upTo(6), '3.5': upTo(5), '3.7': upTo(2) },
    ...{ '4.1': upTo(3), '4.2': upTo(1), '4.3': upTo(2), '4.4': upTo(4) },
    ...{ '5.1': upTo(1), '5.2': upTo(3), '5.3': upTo(2), '5.4': upTo(3) },
    ...{ '6.1': upTo(3), '6.2': upTo(12), '6.3': upTo(4), '6.4': upTo(4), '6.5': upTo(5), '6.6': upTo(3) },
    ...{ '6.8': upTo(4), '7.1': upTo(3), '7.2': upTo(4), '7.3': upTo(2), '7.4': upTo(5), '7.5': upTo(2) },
    ...{ '7.6': upTo(2), '8.1': upTo(2), '8.2': upTo(3), '8.3': upTo(1), '8.4': upTo(1) },
    ...{
      '9.1': upTo(3),
      '9.2': upTo(4),
      '10.1': upTo(2),
      '10.2': upTo(2),
      '10.3': upTo(4),
      '10.4': upTo(11),
    },
    ...{ '10.5': upTo(5), '10.6': upTo(2), '10.7': upTo(3), '11.1': upTo(2), '11.2': upTo(3) },
    ...{ '11.3': upTo(3), '11.4': upTo(4), '11.5': upTo(1), '11.6': upTo(1) },
    ...{
      '12.1': upTo(3),
      '12.2': upTo(2),
      '12.3': upTo(4),
      '13.1': upTo(1),
      '13.2': upTo(5),
      '13.3': upTo(2),
    },
    ...{ '13.4': upTo(5), '14.1': upTo(2), '14.2': upTo(4), '14.3': upTo(3) },
    ...{ '15.1': upTo(3), '15.2': upTo(3), '15.3': upTo(7) },
    ...{ '16.1': upTo(1), '16.2': upTo(5), '16.3': upTo(4), '16.4': upTo(3), '16.5': upTo(3) },
    ...{ '17.1': upTo(1), '17.2': upTo(4), '17.3': upTo(2) },
  };
  const page = read('asvs.md');
  const rows = rowsOf(page, 'requirement');

  it('has every requirement of the levels 1 and 2 once', () => {
    const expected = Object.entries(SECTIONS).flatMap(([section, numbers]) =>
      numbers.map((n) => `${section}.${n}`),
    );
    expect(expected).toHaveLength(253);
    const named = rows.flatMap(([ids = '']) => ids.split(', '));
    expect(named.toSorted()).toEqual(expected.toSorted());
  });

  it('has a known result for each row, and a test or a reason', () => {
    const RESULTS = ['kept', 'in part', 'open', 'different', 'operator', 'not applicable'];
    for (const row of rows) {
      expect(RESULTS, row.join(' | ')).toContain(row[2]);
      expect(row[3]?.length ?? 0, row.join(' | ')).toBeGreaterThan(8);
    }
    expect(
      rows.filter(([, , result, evidence = '']) => result === 'kept' && CITED.test(evidence)).length,
    ).toBeGreaterThan(90);
  });

  it('lists at the top what is open', () => {
    const open = rows.filter(([, , result]) => result === 'open').map(([ids]) => ids);
    const listed = [...page.matchAll(/^- \*\*([\d., ]+) /gm)].map(([, ids]) => ids);
    expect(listed).toEqual(open);
  });
});

describe('docs/oauth-security.md', () => {
  const rows = rowsOf(read('oauth-security.md'), 'section');

  it('has a result and a test for each recommendation and each threat', () => {
    expect(rows.length).toBeGreaterThan(70);
    for (const row of rows) {
      expect(row[2], row.join(' | ')).toMatch(
        /^(?:kept|kept in part|different|not applicable)(?:[:.]|$| by our clients)/,
      );
      expect(row[3], row.join(' | ')).toMatch(CITED);
    }
  });
});

describe('docs/threat-model.md', () => {
  const page = read('threat-model.md');
  const threats = page
    .split('\n## ')
    .flatMap((section) =>
      rowsOf(section, 'attacker').map((row) => ({ asset: section.split('\n')[0] ?? '', row })),
    );
  const [attackers = [], ...assets] = [...page.matchAll(/^\| (\[.*|asset \| visitor .*) \|$/gm)].map(
    ([, row = '']) => row.split(' | '),
  );

  it('shows each defence by a test, or says that there is none', () => {
    expect(threats.length).toBeGreaterThan(60);
    const unshown = threats.filter(({ row }) => !CITED.test(row[3] ?? '') && row[3] !== 'Not tested.');
    expect(unshown).toEqual([]);
  });

  it('counts in its matrix the threats that it lists', () => {
    expect(assets).toHaveLength(18);
    for (const [link = '', ...counts] of assets) {
      const asset = /^\[(.+)\]/.exec(link)?.[1];
      const own = threats.filter((threat) => threat.asset === asset);
      const expected = attackers
        .slice(1)
        .map((attacker) => own.filter(({ row }) => row[0] === attacker).length || '');
      expect(
        counts.map((count) => (count.trim() === '' ? '' : Number(count))),
        asset,
      ).toEqual(expected);
    }
  });
});

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
