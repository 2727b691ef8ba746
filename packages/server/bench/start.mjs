// Measures the time from the start of a process to its first response, and its memory then, on a migrated SQLite database.
// Three programs start by turns: bare Express with one route that reads SQLite, a program that calls `startServer`, and the
// command `latchkey serve`. Budgets: 2.5 times bare Express, 110 MB.
//
//   npm run build && node packages/server/bench/start.mjs [--rounds 15] [--json figures.json]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spread, spreadText, writeFigures } from '../../../scripts/bench/measured.mjs';
import { migrateDatabase } from '../dist/index.js';

const BUDGET = { ratio: 2.5, megabytes: 110 };

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, json: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
const database = `sqlite:${join(folder, 'start.sqlite')}`;
const local = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Each starts a process and returns it with its port. */
const PROGRAMS = {
  bare: () => forked(local('serve-bare-start.mjs')),
  embedded: () => forked(local('serve-latchkey.mjs')),
  command: startCommand,
};

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`);
try {
  await migrateDatabase(database);
  report(await measure());
} finally {
  rmSync(folder, { recursive: true });
}

async function measure() {
  const rounds = [];
  // The first round fills the caches of the file system and is not counted.
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    const starts = {};
    for (const [name, start] of Object.entries(PROGRAMS)) starts[name] = await timed(start);
    if (round > 0) rounds.push(starts);
  }
  return rounds;
}

async function timed(start) {
  const startedAt = performance.now();
  const { child, port } = await start();
  const response = await fetch(`http://127.0.0.1:${port}/oauth/userinfo`);
  await response.text();
  const ms = performance.now() - startedAt;
  child.send('usage');
  const [{ bytes, cpu }] = await once(child, 'message');
  child.disconnect();
  await once(child, 'exit');
  return { ms, megabytes: bytes / 1e6, cpuMs: (cpu.user + cpu.system) / 1000 };
}

async function forked(file) {
  const child = fork(file, [database], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: environment() });
  const [port] = await once(child, 'message');
  return { child, port };
}

async function startCommand() {
  const flags = ['--port', '0', '--database', database, '--smtp-url', 'smtp://127.0.0.1:25'];
  const child = fork(local('../../cli/dist/latchkey.js'), ['serve', ...flags], {
    execArgv: ['--import', new URL('report-usage.mjs', import.meta.url).href],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: environment(),
  });
  let text = '';
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    text += chunk;
    const [, port] = /listens at http:\/\/[\d.]+:(\d+)/.exec(text) ?? [];
    if (port !== undefined) return { child, port };
  }
  throw new Error(`latchkey serve did not start: ${text}`);
}

/** Without settings of the shell that would change the command. */
function environment() {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('LATCHKEY_'));
  return { ...Object.fromEntries(own), NODE_ENV: 'production' };
}

function report(rounds) {
  const figures = {};
  const show = (name, text, values, { digits = 2, budget }) => {
    figures[name] = spread(values);
    const verdict =
      budget === undefined ? '' : `, ${figures[name].median <= budget ? 'within' : 'MISSES'} ${budget}`;
    console.log(`${text.padEnd(44)}${spreadText(figures[name], digits)}${verdict}`);
  };
  for (const name of Object.keys(PROGRAMS)) {
    const of = (key) => rounds.map((round) => round[name][key]);
    console.log(`\n${name}`);
    show(`${name}Ms`, 'milliseconds to the first response', of('ms'), { digits: 0 });
    show(`${name}CpuMs`, 'milliseconds of processor time', of('cpuMs'), { digits: 0 });
    const isOurs = name !== 'bare';
    show(`${name}Megabytes`, 'megabytes after it', of('megabytes'), {
      digits: 0,
      budget: isOurs ? BUDGET.megabytes : undefined,
    });
    if (!isOurs) continue;
    const ratio = (key) => rounds.map((round) => round[name][key] / round.bare[key]);
    show(`${name}Ratio`, 'time, relative to bare Express', ratio('ms'), { budget: BUDGET.ratio });
    show(`${name}CpuRatio`, 'processor time, relative to bare Express', ratio('cpuMs'), {});
  }
  writeFigures(options.json, figures);
}
