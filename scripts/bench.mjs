// `npm run bench`: runs the benchmarks that have budgets, one after the other, and writes their figures to
// scripts/bench/results.json and docs/performance.md. Use a machine that does nothing else.
//
//   npm run bench [-- --only start,gate] [-- --growth] [-- --quick]
//
// --only: the named benchmarks. --growth: also the one with 10 million rows, which takes long. --quick: one round of each,
// to see that they run; writes nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCHMARKS } from './bench/budgets.mjs';
import { isKept, PAGE_FILE, RESULTS_FILE, renderPage } from './bench/page.mjs';
import { build } from './build.mjs';
import { ROOT } from './command.mjs';
import { commandOptions, rejectOptions } from './command-options.mjs';

const USAGE = 'npm run bench [-- --only start,gate] [--growth] [--quick]';
const { values: options } = commandOptions(USAGE, {
  options: { only: { type: 'string' }, growth: { type: 'boolean' }, quick: { type: 'boolean' } },
});
const names = options.only?.split(',') ?? Object.keys(BENCHMARKS).filter(isDefault);
const unknown = names.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0)
  rejectOptions(
    USAGE,
    `--only: must be of ${Object.keys(BENCHMARKS).join(', ')}; got "${unknown.join(', ')}".`,
  );
if (!(await build())) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
const failed = [];
try {
  for (const name of names) if (!(await measure(name))) failed.push(name);
} finally {
  rmSync(folder, { recursive: true });
}
if (failed.length > 0) console.error(`\nNo figures from: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);

function isDefault(name) {
  return options.growth || options.quick || name !== 'growth';
}

/** Runs a benchmark and stores its figures. Returns false if it wrote none. */
async function measure(name) {
  const { file, flags = [], quickFlags = [] } = BENCHMARKS[name];
  const json = join(folder, `${name}.json`);
  const started = performance.now();
  console.log(`\n=== ${name}: ${file}`);
  const child = spawn(
    process.execPath,
    [join(ROOT, file), ...(options.quick ? quickFlags : flags), '--json', json],
    { cwd: ROOT, stdio: 'inherit' },
  );
  // Some end with 1 if a budget is missed.
  await once(child, 'exit');
  console.log(`=== ${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (!existsSync(json)) return false;
  if (!options.quick) store(name, JSON.parse(readFileSync(json, 'utf8')));
  return true;
}

function store(name, measured) {
  const { figures } = BENCHMARKS[name];
  const results = existsSync(RESULTS_FILE) ? JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) : {};
  const kept = figures.filter((figure) => figure.name in measured);
  results[name] = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    processor: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`,
    rounds: Math.max(...kept.map((figure) => measured[figure.name].rounds)),
    figures: Object.fromEntries(kept.map((figure) => [figure.name, rounded(measured[figure.name])])),
  };
  const inOrder = Object.keys(BENCHMARKS).flatMap((each) => (each in results ? [[each, results[each]]] : []));
  writeFileSync(RESULTS_FILE, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
  writeFileSync(PAGE_FILE, renderPage(Object.fromEntries(inOrder)));
  for (const { what, name: key, budget } of kept) {
    if (budget !== undefined && !isKept(measured[key], budget)) console.log(`Budget missed: ${what}`);
  }
}

/** With three digits after the point, so that a new run changes no more of the file than necessary. */
function rounded({ median, min, max, rounds }) {
  const short = (value) => Math.round(value * 1000) / 1000;
  return { median: short(median), min: short(min), max: short(max), rounds };
}
