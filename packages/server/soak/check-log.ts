// Checks the log of a soak: node packages/server/soak/check-log.ts <path>. Exits with 1 if a rule is violated.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { checkSoak } from './checker/check-soak.ts';
import { parseLog } from './checker/soak-history.ts';

/** Violations that are printed. */
const SHOWN = 40;
const MEGABYTE = 2 ** 20;

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('Name the log: node packages/server/soak/check-log.ts <path>');
const entries = parseLog(readFileSync(path, 'utf8'));
const { violations, figures } = checkSoak(entries);
const { memory, faults, ...counts } = figures;
const print = (line: string) => void process.stdout.write(`${line}\n`);
print(
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', '),
);
print(
  `faults: ${Object.entries(faults)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}`,
);
for (const { pid, measure, mean, growth, samples } of memory) {
  print(
    `memory of process ${pid}: ${measure} ${mb(mean)} MB on average, ${mb(growth)} MB growth in ${samples} samples`,
  );
}
for (const { rule, message } of violations.slice(0, SHOWN)) print(`VIOLATION "${rule}": ${message}`);
if (violations.length === 0) print('No rule is violated.');
else {
  const start = entries.find(({ kind }) => kind === 'start');
  print(
    `${violations.length} violations. Seed ${start?.kind === 'start' ? start.seed : 'unknown'}, log ${path}`,
  );
  process.exitCode = 1;
}

function mb(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
