// Measures what the purge of expired rows costs, and whether requests notice it:
//
// - response times of the API while the purge deletes a day's expired token pairs, or a day's webhook events with their
//   deliveries and attempts, against those without a purge before it
// - rows per second, and statements, bytes of the log and processor time for each row
// - on PostgreSQL, the time and the log of the vacuum that follows
//
// Budget: the API's median during the purge is at most 1.5 times that without.
//
//   npm run build && node packages/server/bench/purge.mjs [--database sqlite|postgres] [--members 100000] [--expired 100000]
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { addExpiredEvents, addExpiredPairs, DELIVERIES_PER_EVENT } from './expired-rows.mjs';
import { startService } from './fan-out/child.mjs';
import { createDatabase } from './fan-out/database.mjs';
import { median, ms, ratioOf, spread } from './fan-out/figures.mjs';
import { pacedLoad } from './fan-out/paced-load.mjs';
import { fillDatabase } from './fill-database.mjs';
import { parentOf, processorMicros } from './processor-time.mjs';
import { API_KEY, accessTokenOf, COMMUNITY_ID, emailOf, KNOWN_PAIRS } from './scenarios.mjs';

const BUDGET = 1.5;
/** Milliseconds of load before the first measurement. */
const WARM_UP_MS = 2_000;

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    /** Members with a valid token pair each, which stay. */
    members: { type: 'string', default: '100000' },
    /** Rows that have expired, for each round: token pairs, or deliveries and attempts. */
    expired: { type: 'string', default: '20000' },
    /** Requests per second of the probe that measures the API. */
    requests: { type: 'string', default: '50' },
    /** Duration of a measurement without a purge. */
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
});
const [members, expired, rounds] = [options.members, options.expired, options.rounds].map(Number);
const isPostgres = options.database === 'postgres';

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, ${options.database}, ${members} members, ${expired} expired rows in a round`,
);
const database = await createDatabase(options.database);
let server;
let isWithin = true;
try {
  await fillDatabase(database.url, { rows: members });
  server = await startService(database.url);
  await probe(AbortSignal.timeout(WARM_UP_MS));
  const kinds = {
    'token pairs': { table: 'token_pairs', add: addExpiredPairs, rows: expired },
    'events with 10 deliveries and 10 attempts': {
      table: 'webhook_attempts',
      add: addExpiredEvents,
      rows: Math.floor(expired / (2 * DELIVERIES_PER_EVENT + 1)),
    },
  };
  for (const [name, kind] of Object.entries(kinds)) {
    const results = [];
    for (let round = 0; round < rounds; round += 1) results.push(await measureRound(kind));
    report(name, results, kind);
  }
} finally {
  server?.stop();
  await database.disconnect();
  await database.remove();
}
process.exitCode = isWithin ? 0 : 1;

/** Measures the API without and with a purge. */
async function measureRound({ table, add, rows }) {
  await add(database, rows);
  const quiet = await probe(AbortSignal.timeout(Number(options.seconds) * 1_000));
  const stop = new AbortController();
  const probing = probe(stop.signal);
  const before = await costs();
  const started = performance.now();
  await server.purge();
  const spent = performance.now() - started;
  stop.abort();
  const purging = await probing;
  const after = await costs();
  const vacuum = isPostgres ? await measureVacuum(table) : undefined;
  return { quiet, purging, spent, vacuum, used: (figure) => after[figure] - before[figure] };
}

async function measureVacuum(table) {
  const before = await costs();
  const started = performance.now();
  await database.query(`vacuum ${table}`);
  const after = await costs();
  return { spent: performance.now() - started, walBytes: after.walBytes - before.walBytes };
}

async function probe(signal) {
  const perSecond = Number(options.requests);
  const { times, errors } = await pacedLoad({ port: server.port, signal, perSecond, next: probeRequest });
  if (errors > 0) throw new Error(`${errors} requests failed.`);
  return spread(times);
}

/** Half of the requests present an access token, a quarter check a member, a quarter provision one. */
function probeRequest() {
  const random = (below) => Math.floor(Math.random() * below);
  const choice = random(4);
  if (choice < 2)
    return { method: 'GET', path: '/oauth/userinfo', token: accessTokenOf(random(KNOWN_PAIRS)) };
  if (choice === 2) {
    const path = `/membership/check-messenger/${COMMUNITY_ID}/${1 + random(members)}`;
    return { method: 'GET', path, token: API_KEY };
  }
  const body = JSON.stringify({
    communityId: COMMUNITY_ID,
    externalOrderId: `order-${random(2 ** 47)}`,
    email: emailOf(random(members)),
  });
  return { method: 'POST', path: '/membership/provision-external', token: API_KEY, body };
}

/** Sums since the start: statements, processor time, bytes of the log. The probe's requests are part of them. */
async function costs() {
  const { statements, cpuMs } = await server.usage();
  if (!isPostgres) return { statements, serviceMicros: cpuMs * 1_000, walBytes: 0, databaseMicros: 0 };
  const [{ bytes, pid }] = await database.query(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes, pg_backend_pid() as pid",
  );
  const databaseMicros = processorMicros(parentOf(pid));
  return { statements, serviceMicros: cpuMs * 1_000, walBytes: bytes, databaseMicros };
}

function report(name, results, { rows }) {
  const of = (figure) => median(results.map(figure));
  const per = (figure) => of(({ used }) => used(figure) / rows);
  const perSecond = of(({ spent }) => (1_000 * rows) / spent);
  console.log(`\n${name}: median of ${rounds} rounds, load of the machine ${loadavg()[0].toFixed(1)}`);
  console.log(
    `${perSecond.toFixed(0)}/s; each: ${per('statements').toFixed(2)} statements, ${per('walBytes').toFixed(0)} bytes of log, ${per('serviceMicros').toFixed(0)} µs service, ${per('databaseMicros').toFixed(0)} µs PostgreSQL, the probe's requests included`,
  );
  if (isPostgres) {
    const vacuumMs = of(({ vacuum }) => vacuum.spent);
    const vacuumBytes = of(({ vacuum }) => vacuum.walBytes / rows);
    console.log(`vacuum: ${ms(vacuumMs)}, ${vacuumBytes.toFixed(0)} bytes of log each`);
  }
  const [quiet, purging] = [results.map((result) => result.quiet), results.map((result) => result.purging)];
  for (const percentile of ['p50', 'p99']) {
    const figures = [quiet, purging].map((phase) => ms(median(phase.map((round) => round[percentile]))));
    const ratio = ratioOf(purging, quiet, (round) => round[percentile]);
    const isBudget = percentile === 'p50';
    if (isBudget && ratio > BUDGET) isWithin = false;
    console.log(
      `API ${percentile}: ${figures[0]} without, ${figures[1]} during the purge: ${ratio.toFixed(2)} times${
        isBudget ? ` (${ratio <= BUDGET ? 'within' : 'MISSES'} ${BUDGET})` : ''
      }`,
    );
  }
}
