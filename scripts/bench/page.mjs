// Writes docs/performance.md: the text of page-template.md, with a table in place of each line `{figures of <benchmark>}`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../command.mjs';
import { BENCHMARKS, OTHER_BENCHMARKS } from './budgets.mjs';

export const PAGE_FILE = join(ROOT, 'docs/performance.md');
export const RESULTS_FILE = join(ROOT, 'scripts/bench/results.json');
const TEMPLATE_FILE = join(ROOT, 'scripts/bench/page-template.md');
const PLACE = /^\{figures of ([\w-]+)\}$/gm;

/** Returns the text of the page for the results in `results.json`. */
export function renderPage(results) {
  return readFileSync(TEMPLATE_FILE, 'utf8')
    .replaceAll(PLACE, (_line, name) => tableOf(name, results[name]))
    .replace('{budgets that are not kept}', () => missedBudgets(results))
    .replace('{other benchmarks}', OTHER_BENCHMARKS.map((file) => `- \`node ${file}\``).join('\n'));
}

/** Names of the benchmarks that have a table, in the order of the page. */
export function benchmarksOnPage() {
  return [...readFileSync(TEMPLATE_FILE, 'utf8').matchAll(PLACE)].map(([, name]) => name);
}

/** True if the median keeps the budget. */
export function isKept({ median }, budget) {
  return 'max' in budget ? median <= budget.max : median >= budget.min;
}

/** A list of the missed budgets, each with the reason. */
function missedBudgets(results) {
  const missed = Object.entries(BENCHMARKS).flatMap(([name, { figures }]) =>
    figures.flatMap(({ what, name: key, budget, digits = 2, why = 'Not explained yet.' }) => {
      const measured = results[name]?.figures[key];
      if (budget === undefined || measured === undefined || isKept(measured, budget)) return [];
      return [`- **${what}:** ${measured.median.toFixed(digits)}, budget ${limitOf(budget)}. ${why}`];
    }),
  );
  return missed.length === 0 ? 'None: every measured budget is kept.' : missed.join('\n');
}

function limitOf(budget) {
  return 'max' in budget ? `at most ${budget.max}` : `at least ${budget.min}`;
}

/** Command that repeats a full run. */
function commandOf({ file, flags = [] }) {
  return ['node', file, ...flags].join(' ');
}

function tableOf(name, result) {
  const benchmark = BENCHMARKS[name];
  if (benchmark === undefined) throw new Error(`There is no benchmark ${name}.`);
  const rows = benchmark.figures.map((figure) => rowOf(figure, result?.figures[figure.name]));
  const table = ['| figure | median | range | budget |', '| --- | --- | --- | --- |', ...rows];
  const origin =
    result === undefined
      ? 'Not measured yet:'
      : `${result.date}, Node ${result.node}, ${result.processor}, ${result.rounds} rounds:`;
  return `${table.join('\n')}\n\n${origin} \`${commandOf(benchmark)}\``;
}

function rowOf({ what, budget, digits = 2 }, measured) {
  const shown = (value) => value.toFixed(digits);
  const isSpread = measured !== undefined && measured.rounds > 1;
  const cells = [
    what,
    measured === undefined ? '' : shown(measured.median),
    isSpread ? `${shown(measured.min)}–${shown(measured.max)}` : '',
    budget === undefined ? '' : limitOf(budget),
  ];
  return `| ${cells.join(' | ')} |`;
}
