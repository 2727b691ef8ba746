// Measures what each kind of operation costs on PostgreSQL, with one, two and four processes of the service:
//
// - operations per second, median and 99th percentile of the response times
// - statements, bytes of the write-ahead log, and processor time of the service and of PostgreSQL for each operation
// - bytes on disk for each member, and growth of the costs with the number of members
//
// docs/scaling.md calculates from these costs what a number of members needs.
//
//   npm run build && node packages/server/bench/load-model.mjs [--members 10000,1000000] [--processes 1,2,4] [--seconds 4]
//
// The processor time of PostgreSQL is read from /proc, so it is shown on Linux only. On a machine with few cores, several
// processes compete with PostgreSQL and with the load: compare the costs of an operation there, not the rates.
import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startService } from './fan-out/child.mjs';
import { createDatabase } from './fan-out/database.mjs';
import { fillDatabase } from './fill-database.mjs';
import { load } from './load.mjs';
import { parentOf, processorMicros } from './processor-time.mjs';
import { CLIENT_ID, get, hashOf, post, SCENARIOS } from './scenarios.mjs';

const { values: options } = parseArgs({
  options: {
    members: { type: 'string', default: '10000' },
    processes: { type: 'string', default: '1,2,4' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string' },
  },
});
const sizes = options.members.split(',').map(Number);
const counts = options.processes.split(',').map(Number);
const ms = Number(options.seconds) * 1000;
const connections = Number(options.connections);

/** Authorization codes that the sign-ins redeem. Each works once. */
const CODES = 200_000;
const VERIFIER = 'v'.repeat(43);
const REDIRECT_URI = 'https://shop.example/auth/callback';
/** Milliseconds of load before the first measurement of a process. */
const WARM_UP_MS = 1_500;

let nextCode = 0;

/**
 * Operations. `requests`: number of requests of one operation. `connections`: number of callers at once, if not the
 * default.
 */
const OPERATIONS = {
  'sign-in': { title: 'sign-in: client, token, userinfo, memberships', requests: 4, makers: signIns },
  'refresh-wave': {
    title: 'refresh wave: all apps at once',
    requests: 1,
    connections: 256,
    makers: (count, context) => SCENARIOS.refresh.makers(count, context),
  },
  memberships: { title: 'list of memberships', requests: 1, makers: listings },
  'check-messenger': {
    title: 'membership check by API key',
    requests: 1,
    makers: SCENARIOS['check-messenger'].makers,
  },
  provisioning: {
    title: 'provisioning burst',
    requests: 1,
    makers: SCENARIOS['provision-external'].makers,
  },
};
const names = options.only?.split(',') ?? Object.keys(OPERATIONS);
const unknown = names.find((name) => !Object.hasOwn(OPERATIONS, name));
if (unknown !== undefined) {
  console.error(`--only: there is no "${unknown}". Operations: ${Object.keys(OPERATIONS).join(', ')}.`);
  process.exit(2);
}

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, PostgreSQL`);
for (const members of sizes) await reportSize(members);

/** Fills a database with this many members and measures all operations with each number of processes. */
async function reportSize(members) {
  const database = await createDatabase('postgres');
  try {
    const started = performance.now();
    await fillDatabase(database.url, { rows: members });
    await insertCodes(database);
    const bytes = await bytesPerMember(database, members);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(
      `\n${members} members, filled in ${seconds} s, ${bytes.toFixed(0)} bytes on disk each, with indexes and a token pair`,
    );
    for (const count of counts) await reportProcesses(database, { members, count });
  } finally {
    await database.disconnect();
    await database.remove();
  }
}

async function reportProcesses(database, { members, count }) {
  const servers = await Promise.all(Array.from({ length: count }, () => startService(database.url)));
  const context = { rows: members, chains: [] };
  try {
    for (const name of names) {
      const { makers, connections: wanted = connections } = OPERATIONS[name];
      const ports = servers.map(({ port }) => port);
      const requests = makers(wanted, context);
      await load({ ports, requests, ms: WARM_UP_MS });
      const before = await costs(database, servers);
      const loaded = await load({ ports, requests, ms });
      const after = await costs(database, servers);
      printOperation(name, { count, loaded, before, after });
    }
  } finally {
    for (const server of servers) server.stop();
  }
}

function printOperation(name, { count, loaded, before, after }) {
  const { title, requests } = OPERATIONS[name];
  const operations = loaded.count / requests;
  const per = (figure, digits = 0) =>
    ((after[figure] - before[figure]) / operations).toFixed(digits).padStart(6);
  const perSecond = (loaded.perSecond / requests).toFixed(0).padStart(6);
  console.log(
    `${`${count}`.padStart(2)} × ${title.padEnd(46)} ${perSecond}/s, p50 ${loaded.p50.toFixed(1).padStart(5)} ms, p99 ${loaded.p99.toFixed(1).padStart(6)} ms,` +
      ` ${per('statements', 1)} statements, ${per('walBytes')} bytes of log, ${per('serviceMicros')} µs service, ${per('databaseMicros')} µs PostgreSQL`,
  );
}

/** Sums since the start of the processes: statements, bytes of the log, processor time. */
async function costs(database, servers) {
  const usages = await Promise.all(servers.map((server) => server.usage()));
  const [{ bytes, pid }] = await database.query(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes, pg_backend_pid() as pid",
  );
  return {
    statements: usages.reduce((sum, { statements }) => sum + statements, 0),
    serviceMicros: usages.reduce((sum, { cpuMs }) => sum + cpuMs * 1000, 0),
    walBytes: bytes,
    databaseMicros: processorMicros(parentOf(pid)),
  };
}

/** Inserts authorization codes that do not expire. */
async function insertCodes(database) {
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  await database.query(
    `insert into authorization_codes (id, code_hash, client_id, user_id, redirect_uri, scope, code_challenge, expires_at)
     select gen_random_uuid()::text, encode(sha256(('code-' || i)::bytea), 'hex'), $1,
       (select id from users where messenger_user_id = 1), $2, 'memberships.read', $3, 4102444800000
     from generate_series(0, ${CODES - 1}) i`,
    [CLIENT_ID, REDIRECT_URI, challenge],
  );
  const [{ hash }] = await database.query(
    'select code_hash as hash from authorization_codes where code_hash = $1',
    [hashOf('code-0')],
  );
  if (hash !== hashOf('code-0')) throw new Error('PostgreSQL hashed the codes in another way.');
  await database.query('vacuum analyze authorization_codes');
}

async function bytesPerMember(database, members) {
  const [{ bytes }] = await database.query(
    `select sum(pg_total_relation_size(name::regclass))::float8 as bytes
     from unnest(array['users', 'memberships', 'token_pairs']) as name`,
  );
  return bytes / members;
}

/** Callers that each sign a visitor in: the client's identity, the code, then the user and the memberships. */
function signIns(count) {
  return Array.from({ length: count }, () => {
    let step = 0;
    let token = '';
    const steps = [
      () =>
        `GET /oauth/client/${CLIENT_ID}?widget_origin=https://shop.example HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
      () =>
        post('/oauth/token', {
          type: 'application/x-www-form-urlencoded',
          body: `grant_type=authorization_code&client_id=${CLIENT_ID}&code=code-${nextCode++}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}&code_verifier=${VERIFIER}`,
        }),
      () => get('/oauth/userinfo', token),
      () => get('/oauth/memberships', token),
    ];
    return {
      next: () => steps[step](),
      answered({ status, body }) {
        if (status !== (step === 1 ? 201 : 200))
          throw new Error(`Step ${step} of a sign-in: ${status} ${body}`);
        if (step === 1) token = JSON.parse(body).access_token;
        step = (step + 1) % steps.length;
      },
    };
  });
}

/** Callers that each list the memberships of random users. */
function listings(count, context) {
  return SCENARIOS.userinfo.makers(count, context).map((maker) => ({
    next: () => maker.next().replace('/oauth/userinfo', '/oauth/memberships'),
    answered: maker.answered,
  }));
}
