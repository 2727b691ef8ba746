// Measures the service over HTTP:
//
// - requests/s, relative to a bare Express server that runs the same SQL statements on the same engine, in the same run
// - on SQLite also refreshes/s, relative to a bare server that acknowledges commits before they are on the disk
// - growth of the median response time with the number of rows
// - memory after the load
//
// Budgets: a ratio of at least 1 on SQLite and 0.85 on PostgreSQL and without durability; a median at 10 million rows of at most
// 1.5 times the median at ten thousand. start.mjs measures the start.
//
//   npm run build && node packages/server/bench/http.mjs [--database sqlite|postgres] [--rows 10000,1000000] [--json figures.json]
//
// LATCHKEY_TEST_POSTGRES=postgres://… selects another PostgreSQL server than the one from npm. Its user must be a superuser.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { spread, writeFigures } from '../../../scripts/bench/measured.mjs';
import { migrateDatabase } from '../dist/index.js';
import { startEmbeddedPostgres } from '../test/database/embedded-postgres.ts';
import { fillDatabase } from './fill-database.mjs';
import { load } from './load.mjs';
import { SCENARIOS } from './scenarios.mjs';

const BUDGET = { sqlite: 1, postgres: 0.85, notDurable: 0.85, growth: 1.5 };
/** Unmeasured requests before each scenario. The first requests are slow, because their code is not compiled yet. */
const WARM_UP = { requests: 4_000, rounds: 10 };

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    rows: { type: 'string', default: '10000' },
    only: { type: 'string', default: Object.keys(SCENARIOS).join() },
    connections: { type: 'string', default: '32' },
    rounds: { type: 'string', default: '7' },
    'round-ms': { type: 'string', default: '1500' },
    json: { type: 'string' },
  },
});
const sizes = options.rows.split(',').map(Number);
const scenarios = options.only.split(',');
const connections = Number(options.connections);

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, ${options.database}`);
const engine = options.database === 'postgres' ? await openPostgres() : openSqlite();
const filled = [];
const figures = {};
try {
  for (const rows of sizes) filled.push(await fill(rows));
  for (const name of scenarios) await reportScenario(name);
  await reportMemory();
  writeFigures(options.json, figures);
} finally {
  for (const { servers } of filled) for (const server of servers) server.stop();
  await engine.close();
}

/** Creates a database with this many rows, and starts both servers on it. */
async function fill(rows) {
  const database = await engine.create();
  const started = performance.now();
  await migrateDatabase(database);
  await fillDatabase(database, { rows });
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${rows} users, memberships and token pairs, filled in ${seconds} s`);
  const servers = [
    await serve('serve-latchkey.mjs', database),
    await serve('serve-bare-express.mjs', database),
  ];
  if (options.database === 'sqlite') servers.push(await serve('serve-bare-express.mjs', database, 'normal'));
  return { rows, servers };
}

/**
 * Measures one scenario, alternating between both servers and all sizes. Other load on the machine then affects all of them
 * equally.
 */
async function reportScenario(name) {
  const runs = filled.map(({ rows, servers }) => ({
    rows,
    // Only refreshes are also compared with commits that are not durable.
    sides: servers.slice(0, name === 'refresh' ? 3 : 2).map((server) => ({
      server,
      makers: SCENARIOS[name].makers(connections, { rows, chains: [] }),
      turns: [],
    })),
  }));
  const sides = runs.flatMap((run) => run.sides);
  for (const { server, makers } of sides) await warmUp(server, makers);
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const { server, makers, turns } of sides) turns.push(await measure(server, makers));
  }
  console.log(`\n${name}, ${connections} connections`);
  for (const run of runs) reportRun(name, run);
  reportGrowth(name, runs);
}

async function warmUp(server, makers) {
  let answered = 0;
  for (let round = 0; round < WARM_UP.rounds && answered < WARM_UP.requests; round += 1) {
    answered += (await measure(server, makers)).count;
  }
}

async function measure(server, makers) {
  const before = await server.usage();
  const loaded = await load({ port: server.port, requests: makers, ms: Number(options['round-ms']) });
  const { cpuMs } = await server.usage();
  return { ...loaded, cpuMicroseconds: (1000 * (cpuMs - before.cpuMs)) / loaded.count };
}

function reportRun(name, { rows, sides: [ours, bare, notDurable] }) {
  const budget = BUDGET[options.database];
  const ratios = ratiosOf(ours, bare);
  figures[`${name} ${rows}`] = spread(ratios);
  const ratio = median(ratios);
  console.log(
    `${`${rows}`.padStart(9)} rows ${describe(ours)}   bare ${describe(bare)}   ratio ${ratio.toFixed(2)} (${verdict(ratio >= budget)} ${budget})`,
  );
  if (notDurable === undefined) return;
  const relaxed = ratiosOf(ours, notDurable);
  figures[`${name} not durable ${rows}`] = spread(relaxed);
  const ofBare = median(ratiosOf(bare, notDurable));
  console.log(
    `     without durability bare ${describe(notDurable)}   ratio ${median(relaxed).toFixed(2)} (${verdict(median(relaxed) >= BUDGET.notDurable)} ${BUDGET.notDurable}); durable bare ${ofBare.toFixed(2)}`,
  );
}

/** Returns the ratio of the requests per second in each round. */
function ratiosOf(one, other) {
  return one.turns.map((turn, round) => turn.perSecond / other.turns[round].perSecond);
}

function reportGrowth(name, runs) {
  if (runs.length < 2) return;
  const bySize = runs.toSorted((one, other) => one.rows - other.rows);
  const [fewest, most] = [bySize[0], bySize.at(-1)];
  const [ours, bare] = [0, 1].map((side) =>
    most.sides[side].turns.map((turn, round) => turn.p50 / fewest.sides[side].turns[round].p50),
  );
  const growths = [median(ours), median(bare)];
  figures[`${name} growth ${most.rows}`] = spread(ours);
  console.log(
    `p50 at ${most.rows} rows against ${fewest.rows}: ${growths[0].toFixed(2)} (${verdict(growths[0] <= BUDGET.growth)} ${BUDGET.growth}), bare ${growths[1].toFixed(2)}`,
  );
}

async function reportMemory() {
  console.log('\nmemory after the load');
  for (const { rows, servers } of filled) {
    const [ours, bare] = await Promise.all(servers.map((server) => server.usage()));
    console.log(
      `${`${rows}`.padStart(9)} rows ${ours.megabytes.toFixed(0)} MB, bare ${bare.megabytes.toFixed(0)} MB`,
    );
  }
}

function describe({ turns }) {
  const of = (figure) => median(turns.map((turn) => turn[figure]));
  return `${of('perSecond').toFixed(0).padStart(6)}/s, p50 ${of('p50').toFixed(2)} ms, p99 ${of('p99').toFixed(1)} ms, ${of('cpuMicroseconds').toFixed(0)} µs of processor`;
}

function verdict(isWithin) {
  return isWithin ? 'within' : 'MISSES';
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

async function serve(file, ...args) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [port] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`${file} exited before it listened on a port.`);
    }),
  ]);
  return {
    port,
    /** Returns the memory in megabytes, and the processor time since the start in milliseconds. */
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
  const url = process.env.LATCHKEY_TEST_POSTGRES;
  const server =
    url === undefined
      ? await startEmbeddedPostgres({
          shared_buffers: '512MB',
          max_wal_size: '8GB',
          // Rows that are copied into a table that was just truncated are then not written to the log as well.
          wal_level: 'minimal',
          max_wal_senders: '0',
        })
      : { url, stop: async () => undefined };
  const names = [];
  const onServer = async (statement) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  return {
    async create() {
      const name = `latchkey_bench_${randomBytes(6).toString('hex')}`;
      await onServer(`create database ${name}`);
      names.push(name);
      const created = new URL(server.url);
      created.pathname = `/${name}`;
      return created.href;
    },
    async close() {
      for (const name of names) await onServer(`drop database ${name} with (force)`);
      await server.stop();
    },
  };
}
