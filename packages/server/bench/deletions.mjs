// Measures the deletion of an account, of an unused client and of an unsold product: the median time with a million members, relative
// to that with a thousand, in one run. Most tables have a row about each member. Budget: at most 3 times.
//
//   npm run build && node packages/server/bench/deletions.mjs [--database sqlite|postgres] [--rows 1000,1000000] [--rounds 50]
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openOperator } from '../dist/index.js';
import { createDatabase } from './fan-out/database.mjs';
import { median } from './fan-out/figures.mjs';
import { fillDatabase } from './fill-database.mjs';
import { CLIENT_ID, COMMUNITY_ID } from './scenarios.mjs';

const BUDGET = 3;
const FAR = 4_102_444_800_000;

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    rows: { type: 'string', default: '1000,1000000' },
    /** Deletions of each kind and size. */
    rounds: { type: 'string', default: '50' },
  },
});
const sizes = options.rows.split(',').map(Number);
const rounds = Number(options.rounds);
const services = [];
try {
  for (const rows of sizes) services.push(await openFilled(rows));
  console.log(`${options.database}, median of ${rounds} deletions, in milliseconds.`);
  const growth = [];
  for (const [what, prepare] of Object.entries({ account, client, product })) {
    const medians = await measure(prepare);
    growth.push(medians.at(-1) / medians[0]);
    const figures = medians.map((ms, index) => `${ms.toFixed(2)} at ${sizes[index].toLocaleString('en')}`);
    console.log(`${what.padEnd(10)} ${figures.join(', ')}: ${growth.at(-1).toFixed(2)} times`);
  }
  process.exitCode = Math.max(...growth) <= BUDGET ? 0 : 1;
} finally {
  for (const { close, database } of services) {
    await close();
    await database.disconnect();
    await database.remove();
  }
}

/** Deletes in all databases in turn. Returns the median for each. */
async function measure(prepare) {
  const times = services.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, service] of services.entries()) {
      const remove = await prepare(service, round);
      const started = performance.now();
      await remove();
      times[index].push(performance.now() - started);
    }
  }
  return times.map(median);
}

/** A member, anywhere among the others. */
async function account({ operator, rows }, round) {
  const email = `u${String(Math.floor(((round + 0.5) / rounds) * rows)).padStart(10, '0')}@example.com`;
  return () => operator.deleteUser({ email });
}

/** A client without users. */
async function client({ database }) {
  const id = `oac_${randomUUID()}`;
  const [{ user_id: ownerId }] = await database.query('select user_id from community_roles');
  await database.query(
    "insert into oauth_clients (client_id, owner_id, type, name, redirect_uris, widget_origins, scopes, created_at) values ($1, $2, 'public', 'Bench', '[]', '[]', '[]', 0)",
    [id, ownerId],
  );
  return () => database.query('delete from oauth_clients where client_id = $1', [id]);
}

/** A product without buyers. */
async function product({ database }) {
  const id = randomUUID();
  const [{ user_id: ownerId }] = await database.query('select user_id from community_roles');
  await database.query(
    "insert into products (id, owner_id, name, slug, created_at) values ($1, $2, 'Bench', $3, 0)",
    [id, ownerId, id],
  );
  return () => database.query('delete from products where id = $1', [id]);
}

async function openFilled(rows) {
  const database = await createDatabase(options.database);
  await fillDatabase(database.url, { rows });
  const [{ user_id: ownerId }] = await database.query('select user_id from community_roles');
  for (const statement of statementsFor(ownerId)) await database.query(statement);
  await database.query(options.database === 'postgres' ? 'vacuum analyze' : 'analyze');
  const { operator, close } = await openOperator({
    database: database.url,
    baseUrl: 'https://members.example',
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  return { database, rows, operator, close };
}

/** Statements that add a row about each member to each table that has one. */
function statementsFor(ownerId) {
  const shop = 'https://shop.example/';
  const rowsOf = {
    'authorization_codes (id, code_hash, client_id, user_id, redirect_uri, scope, expires_at)': `id, id, '${CLIENT_ID}', id, '${shop}', 'memberships.read', ${FAR}`,
    'checkout_reservations (id, caller_id, external_id, community_id, pricing_plan_id, user_id, success_url, cancel_url, created_at, paid_at)': `id, '${ownerId}', id, '${COMMUNITY_ID}', 'plan', id, '${shop}', '${shop}', 0, 0`,
    'payments (id, reservation_id, user_id, community_id, pricing_plan_id, status, amount_minor, currency, created_at)': `id, id, id, '${COMMUNITY_ID}', 'plan', 'succeeded', 900, 'EUR', 0`,
    'messenger_invites (id, link_hash, community_id, user_id, caller_id, expires_at, created_at)': `id, id, '${COMMUNITY_ID}', id, null, ${FAR}, 0`,
    'messenger_join_requests (id, invite_id, messenger_user_id, accepted, created_at)':
      'id, id, messenger_user_id, 1, 0',
    'community_emails (id, community_id, email, user_id, shown_id, linked_at)': `id, '${COMMUNITY_ID}', email, id, id, 0`,
    'drop_signups (id, drop_slot_id, email, created_at)': "id, 'drop', email, 0",
    'known_browsers (secret_hash, email, expires_at)': `id, email, ${FAR}`,
    'mail_outbox (id, kind, subject_id, recipient, facts, status, next_attempt_at, created_at, finished_at)': `id, 'code', id, email, '{}', 'sent', 0, 0, ${FAR}`,
  };
  return [
    `insert into pricing_plans (id, community_id, name, price_minor, currency, provider, created_at)
     values ('plan', '${COMMUNITY_ID}', 'Plan', 900, 'EUR', 'card', 0)`,
    `insert into drop_slots (id, community_id, name, starts_at, created_at) values ('drop', '${COMMUNITY_ID}', 'Drop', 0, 0)`,
    ...Object.entries(rowsOf).map(
      ([table, values]) => `insert into ${table} select ${values} from users where email like 'u%'`,
    ),
  ];
}
