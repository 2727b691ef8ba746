// What the service costs over HTTP: its requests/s against a bare Express route that does the same SQL statements on the
// same engine, in the same run; how that changes with the number of rows; how fast it starts and how much memory it takes.
// Budgets: at least 0.75 of the bare route, a median at 10 million rows of at most 1.5 times that at ten thousand, half
// a second to the first answer on SQLite, 120 MB.
//
//   npm run build && node packages/server/bench/http.mjs [--database sqlite|postgres] [--rows 10000,1000000]
//
// A PostgreSQL other than the one that npm brings along: LATCHKEY_TEST_POSTGRES=postgres://…, of a user who may create
// databases and is a superuser.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { migrateDatabase } from '../dist/index.js';
import { startEmbeddedPostgres } from '../test/database/embedded-postgres.ts';
import { fillDatabase } from './fill-database.mjs';
import { load } from './load.mjs';
import { SCENARIOS } from './scenarios.mjs';

const BUDGET = { ratio: 0.75, startMs: 500, megabytes: 120, growth: 1.5 };
const STARTS = 9;

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    rows: { type: 'string', default: '10000' },
    only: { type: 'string', default: Object.keys(SCENARIOS).join() },
    connections: { type: 'string', default: '32' },
    rounds: { type: 'string', default: '7' },
    'round-ms': { type: 'string', default: '1500' },
  },
});
const sizes = options.rows.split(',').map(Number);
const names = options.only.split(',');
const connections = Number(options.connections);

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, ${options.database}`);
const engine = options.database === 'postgres' ? await openPostgres() : openSqlite();
const medians = {};
try {
  await reportStart();
  for (const rows of sizes) await reportRows(rows);
  reportGrowth();
} finally {
  await engine.close();
}

/** Start to first answer, and memory by then: each time a new process on a database that has its schema. */
async function reportStart() {
  const database = await engine.create();
  await migrateDatabase(database);
  const starts = [];
  for (let start = 0; start < STARTS; start += 1) {
    const started = performance.now();
    const server = await serve('serve-latchkey.mjs', database);
    const answer = await fetch(`http://127.0.0.1:${server.port}/oauth/userinfo`);
    await answer.text();
    starts.push({ ms: performance.now() - started, ...(await server.usage()) });
    server.stop();
  }
  const ms = median(starts.map((start) => start.ms));
  const megabytes = median(starts.map((start) => start.megabytes));
  const cpuMs = median(starts.map((start) => start.cpuMs));
  // The budget is the embedded database's: another's first connection is not ours to hasten.
  const judged = options.database === 'sqlite' ? ` (${verdict(ms <= BUDGET.startMs)} ${BUDGET.startMs})` : '';
  console.log(
    `\nstart to first answer: ${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of processor time${judged}`,
  );
  console.log(
    `memory after it: ${megabytes.toFixed(0)} MB (${verdict(megabytes <= BUDGET.megabytes)} ${BUDGET.megabytes})`,
  );
}

async function reportRows(rows) {
  const database = await engine.create();
  const started = performance.now();
  await migrateDatabase(database);
  await fillDatabase(database, { rows });
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `\n${rows} users, memberships and token pairs (filled in ${seconds} s), ${connections} connections`,
  );
  const ours = await serve('serve-latchkey.mjs', database);
  const bare = await serve('serve-bare-express.mjs', database);
  try {
    for (const name of names) medians[`${name} ${rows}`] = await compare(name, { ours, bare, rows });
    console.log(
      `memory after the load: ${(await ours.usage()).megabytes.toFixed(0)} MB, bare ${(await bare.usage()).megabytes.toFixed(0)} MB`,
    );
  } finally {
    ours.stop();
    bare.stop();
  }
}

/** Turn by turn, so that whatever else the machine does falls on both alike. */
async function compare(name, { ours, bare, rows }) {
  const makersOf = () => SCENARIOS[name].makers(connections, { rows, chains: [] });
  const loads = [
    { server: ours, makers: makersOf() },
    { server: bare, makers: makersOf() },
  ];
  const turn = async ({ server, makers }) => {
    const before = await server.usage();
    const loaded = await load({ port: server.port, requests: makers, ms: Number(options['round-ms']) });
    const { cpuMs } = await server.usage();
    return { ...loaded, cpuMicroseconds: (1000 * (cpuMs - before.cpuMs)) / loaded.count };
  };
  for (const one of loads) await turn(one);
  const rounds = [];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    rounds.push({ ours: await turn(loads[0]), bare: await turn(loads[1]) });
  }
  const ratio = median(rounds.map((round) => round.ours.perSecond / round.bare.perSecond));
  const [own, other] = ['ours', 'bare'].map((side) => ({
    perSecond: median(rounds.map((round) => round[side].perSecond)),
    p50: median(rounds.map((round) => round[side].p50)),
    p99: median(rounds.map((round) => round[side].p99)),
    cpu: median(rounds.map((round) => round[side].cpuMicroseconds)),
  }));
  console.log(
    `${name.padEnd(19)} ${describe(own)}   bare ${describe(other)}   ratio ${ratio.toFixed(2)} (${verdict(ratio >= BUDGET.ratio)} ${BUDGET.ratio})`,
  );
  return own.p50;
}

function reportGrowth() {
  if (sizes.length < 2) return;
  const [fewest, most] = [Math.min(...sizes), Math.max(...sizes)];
  console.log(`\nmedian at ${most} rows against ${fewest}`);
  for (const name of names) {
    const growth = medians[`${name} ${most}`] / medians[`${name} ${fewest}`];
    console.log(
      `${name.padEnd(19)} ${growth.toFixed(2)} (${verdict(growth <= BUDGET.growth)} ${BUDGET.growth})`,
    );
  }
}

function describe({ perSecond, p50, p99, cpu }) {
  return `${perSecond.toFixed(0).padStart(6)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(1)} ms, ${cpu.toFixed(0)} µs of processor`;
}

function verdict(isWithin) {
  return isWithin ? 'within' : 'MISSES';
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

async function serve(file, database) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [database], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [port] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`${file} ended before it listened.`);
    }),
  ]);
  return {
    port,
    /** Megabytes of memory, and milliseconds of processor time so far. */
    async usage() {
      child.send('usage');
      const [{ bytes, cpu }] = await once(child, 'message');
      return { megabytes: bytes / 1e6, cpuMs: (cpu.user + cpu.system) / 1000 };
    },
    stop: () => child.disconnect(),
  };
}

function openSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
  return {
    create: async () => `sqlite:${join(folder, `${randomBytes(6).toString('hex')}.sqlite`)}`,
    close: async () => rmSync(folder, { recursive: true }),
  };
}

async function openPostgres() {
  const given = process.env.LATCHKEY_TEST_POSTGRES;
  const server =
    given === undefined
      ? await startEmbeddedPostgres({ shared_buffers: '512MB', max_wal_size: '8GB' })
      : { url: given, stop: async () => undefined };
  const created = [];
  const onServer = async (statement) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  return {
    async create() {
      const name = `latchkey_bench_${randomBytes(6).toString('hex')}`;
      await onServer(`create database ${name}`);
      created.push(name);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    async close() {
      for (const name of created) await onServer(`drop database ${name} with (force)`);
      await server.stop();
    },
  };
}
