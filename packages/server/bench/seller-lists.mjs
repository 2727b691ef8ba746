// Measures the lists of the seller area: the median time of a page with a million members, relative to the same page with a
// thousand, in one run. Budget: at most 1.5 times.
//
//   npm run build && node packages/server/bench/seller-lists.mjs [--rows 1000,1000000]
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { migrateDatabase, startServer } from '../dist/index.js';
import { fillDatabase } from './fill-database.mjs';
import { COMMUNITY_ID } from './scenarios.mjs';

const BUDGET = 1.5;
const ROUNDS = 200;
const SESSION = 'a-session-for-benchmarks';

const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '1000,1000000' } } });
const sizes = options.rows.split(',').map(Number);
const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
const communities = [];
for (const rows of sizes) communities.push(await openCommunity(rows));

const growth = [];
console.log(`Median of ${ROUNDS} requests, in milliseconds.`);
for (const [name, path] of [
  ['members, first page', () => ''],
  ['members, a page in the middle', ({ middle }) => `?after=0~${middle.id}`],
  ['active members', () => '?status=active'],
  ['members whose membership ended', () => '?status=ended'],
  ['search by e-mail address', ({ middle }) => `?q=${encodeURIComponent(middle.email)}`],
  ['search by messenger id', ({ middle }) => `?q=${middle.messenger_user_id}`],
  ['search for nobody', () => '?q=nobody%40example.com'],
]) {
  const times = communities.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, community] of communities.entries()) {
      const started = performance.now();
      await readPage(community, path(community));
      times[index].push(performance.now() - started);
    }
  }
  const medians = times.map((list) => list.sort((one, other) => one - other)[ROUNDS / 2]);
  growth.push(medians.at(-1) / medians[0]);
  const figures = medians.map((ms, index) => `${ms.toFixed(2)} at ${sizes[index].toLocaleString('en')} rows`);
  console.log(`${name.padEnd(32)} ${figures.join(', ')}: ${growth.at(-1).toFixed(2)} times`);
}
for (const { server } of communities) await server.close();
rmSync(folder, { recursive: true });
process.exitCode = Math.max(...growth) <= BUDGET ? 0 : 1;

async function openCommunity(rows) {
  const path = join(folder, `${rows}.sqlite`);
  const database = `sqlite:${path}`;
  await migrateDatabase(database);
  await fillDatabase(database, { rows });
  const middle = signOwnerIn(path, rows);
  const server = await startServer({ port: 0, database, mailer: { send: async () => undefined } });
  return { server, middle, first: `${server.baseUrl}/seller/communities/${COMMUNITY_ID}/members` };
}

/** Starts a session for the community's owner. Returns it with the member in the middle of the list. */
function signOwnerIn(path, rows) {
  const database = new DatabaseSync(path);
  const { user_id } = database.prepare('select user_id from community_roles').get();
  database
    .prepare('insert into user_sessions (id_hash, user_id, created_at, expires_at) values (?, ?, ?, ?)')
    .run(createHash('sha256').update(SESSION).digest('hex'), user_id, 0, Date.now() + 3_600_000);
  const middle = database
    .prepare(
      'select m.id, u.email, u.messenger_user_id from users u join memberships m on m.user_id = u.id where u.messenger_user_id = ?',
    )
    .get(Math.floor(rows / 2));
  database.close();
  return middle;
}

async function readPage({ first }, query) {
  const response = await fetch(`${first}${query}`, {
    headers: { cookie: `latchkey_service_session_${new URL(first).port}=${SESSION}` },
    redirect: 'error',
  });
  if (response.status !== 200) throw new Error(`${response.status} for ${query}`);
  await response.arrayBuffer();
}
