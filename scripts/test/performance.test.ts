import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BENCHMARKS, OTHER_BENCHMARKS } from '../bench/budgets.mjs';
import { benchmarksOnPage, isKept, PAGE_FILE, RESULTS_FILE, renderPage } from '../bench/page.mjs';

const ROOT = join(import.meta.dirname, '../..');
const results = JSON.parse(readFileSync(RESULTS_FILE, 'utf8'));
const page = readFileSync(PAGE_FILE, 'utf8');

describe('docs/performance.md', () => {
  it('is what `npm run bench` writes for the stored results', () => {
    expect(page).toBe(renderPage(results));
  });

  it('has one table for each benchmark', () => {
    expect(benchmarksOnPage()).toEqual(Object.keys(BENCHMARKS));
  });

  it.for(Object.entries(BENCHMARKS))('shows every figure and budget of %s', ([, { figures }]) => {
    for (const { what, budget } of figures) {
      const row = page.split('\n').find((line) => line.startsWith(`| ${what} |`));
      expect(row, what).toBeDefined();
      if (budget !== undefined) expect(row).toMatch(/ at (?:most|least) [\d.]+ /);
    }
  });

  it('names each missed budget with a reason', () => {
    const missed = Object.entries(BENCHMARKS).flatMap(([name, { figures }]) =>
      figures.filter(({ name: key, budget }) => {
        const measured = results[name]?.figures[key];
        return budget !== undefined && measured !== undefined && !isKept(measured, budget);
      }),
    );
    for (const { what } of missed) expect(page).toContain(`- **${what}:**`);
  });
});

describe('the list of benchmarks', () => {
  it('contains every benchmark of the packages', () => {
    const listed = [...Object.values(BENCHMARKS).map(({ file }) => file), ...OTHER_BENCHMARKS];
    // The other files are parts, and no comment in them says how to run them.
    const files = globSync('packages/*/bench/*.mjs', { cwd: ROOT }).filter((file) =>
      readFileSync(join(ROOT, file), 'utf8').includes(`node ${file}`),
    );
    expect(files.filter((file) => !listed.includes(file))).toEqual([]);
    expect(listed.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('has no budget that a median without a number keeps', () => {
    expect(isKept({ median: 2.5 }, { max: 2.5 })).toBe(true);
    expect(isKept({ median: 0.74 }, { min: 0.75 })).toBe(false);
    expect(isKept({ median: Number.NaN }, { max: 1 })).toBe(false);
  });
});
