// Measures the delivery of webhooks to many endpoints while the API is in use:
//
// - delay from the event to its arrival at healthy endpoints, without and with endpoints that refuse, hang, fail or are slow
// - lost, doubled and reordered events
// - response times of the API without deliveries, with them, and during the delivery of a large backlog
// - deliveries per second of one process, and its statements and processor time per delivery
//
// Budgets: bad endpoints double the median delay of the healthy ones at most; the API's median under delivery load is at most
// 1.5 times that without; nothing is lost or doubled. Goal: 2,000 deliveries per second.
//
//   npm run build && node packages/server/bench/fan-out.mjs [--database sqlite|postgres] [--endpoints 1000] [--short]
//
// `--profile FOLDER` writes a processor profile of the server. LATCHKEY_TEST_POSTGRES=postgres://… selects another PostgreSQL
// server than the one from npm.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startChild, startService } from './fan-out/child.mjs';
import { createDatabase, createWebhooks } from './fan-out/database.mjs';
import { createPhases } from './fan-out/phases.mjs';
import { report } from './fan-out/report.mjs';

/** Kinds of bad endpoints, in equal parts. */
const BAD = ['refusing', 'hanging', 'failing', 'slow'];

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    endpoints: { type: 'string' },
    'bad-share': { type: 'string', default: '0.1' },
    /** Events per second, each with ten deliveries. */
    events: { type: 'string', default: '28' },
    /** Requests per second of the probe that measures the API. */
    requests: { type: 'string', default: '50' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    /** Deliveries of the backlog. */
    backlog: { type: 'string' },
    users: { type: 'string', default: '5000' },
    short: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const number = (name, short, long) => Number(options[name] ?? (options.short ? short : long));
const endpoints = number('endpoints', 200, 1_000);
const seconds = number('seconds', 4, 15);
const rounds = number('rounds', 1, 3);
const backlog = number('backlog', 4_000, 20_000);
const users = Number(options.users);

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, ${options.database}, ${endpoints} endpoints`,
);
const receiver = startChild('receiver.mjs');
const database = await createDatabase(options.database);
let server;
try {
  const badCount = Math.round(endpoints * Number(options['bad-share']));
  const kinds = Array.from({ length: endpoints }, (_, index) => kindOf(index, badCount));
  const { urls } = await receiver.ask({ order: 'listen', kinds });
  const subjects = await createWebhooks(database, { urls, users });
  const badUrls = urls.filter((_, index) => kinds[index] !== 'healthy');
  server = await startService(database.url, options);
  const rates = { events: Number(options.events), requests: Number(options.requests) };
  const phases = createPhases({ database, server, receiver, subjects, users, ...rates });
  await phases.warmUp();
  // PostgreSQL does this by itself within a minute. Until then, its checks of foreign keys can read whole tables.
  if (options.database === 'postgres') await database.query('analyze', []);
  const results = { quiet: [], healthy: [], mixed: [], backlog: [] };
  for (let round = 0; round < rounds; round += 1) {
    await activate(badUrls, 0);
    results.quiet.push(await phases.provisioning(seconds * 1_000, [subjects.quiet]));
    results.healthy.push(await phases.provisioning(seconds * 1_000));
    await activate(badUrls, 1);
    results.mixed.push(await phases.provisioning(seconds * 1_000));
    await activate(badUrls, 0);
    results.backlog.push(await phases.backlog(backlog));
  }
  process.exitCode = report(results) === 0 ? 0 : 1;
} finally {
  server?.stop();
  receiver.stop();
  await database.disconnect();
  await database.remove();
}

/** Spreads the bad endpoints over all communities. */
function kindOf(index, badCount) {
  const step = badCount === 0 ? Number.POSITIVE_INFINITY : Math.floor(endpoints / badCount);
  const bad = index / step;
  return Number.isInteger(bad) && bad < badCount ? BAD[bad % BAD.length] : 'healthy';
}

/** Turns the bad endpoints on or off. Waiting deliveries to them are dropped, so that no phase burdens the next one. */
async function activate(urls, isActive) {
  for (const url of urls) {
    await database.query('update webhooks set is_active = $1, failing_since = null where url = $2', [
      isActive,
      url,
    ]);
  }
  if (isActive === 0)
    await database.query("update webhook_deliveries set status = 'failed' where status = 'pending'");
}
