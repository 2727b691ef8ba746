import { createHash, randomUUID } from 'node:crypto';
import { CLIENT_ID, COMMUNITY_ID } from './scenarios.mjs';

const DAY_MS = 24 * 3600_000;
/** Time after which the service deletes the rows, in days. */
const PAIRS_KEPT_DAYS = 1;
const EVENTS_KEPT_DAYS = 30;
/** Rows of a statement. */
const ROWS_AT_ONCE = 500;

/** Deliveries of an event, with an attempt each. */
export const DELIVERIES_PER_EVENT = 10;

const hash = () => createHash('sha256').update(randomUUID()).digest('hex');

/** Adds token pairs that the service deletes now, with hashes anywhere in the index. They expired over a day. */
export async function addExpiredPairs(database, count) {
  const [{ id: userId }] = await database.query('select id from users limit 1');
  const rows = Array.from({ length: count }, (_, index) => {
    const expiredAt = Math.floor(Date.now() - (PAIRS_KEPT_DAYS + 1 - index / count) * DAY_MS);
    return [
      ...[randomUUID(), randomUUID(), CLIENT_ID, userId, 'memberships.read'],
      ...[hash(), expiredAt, hash(), expiredAt, expiredAt - DAY_MS],
    ];
  });
  await insert(database, { table: 'token_pairs', columns: PAIR_COLUMNS, rows });
}

const PAIR_COLUMNS = [
  ...['id', 'code_id', 'client_id', 'user_id', 'scope', 'access_token_hash', 'access_expires_at'],
  ...['refresh_token_hash', 'refresh_expires_at', 'refresh_spent_at'],
];

/** Adds events that the service deletes now, with ten deliveries and attempts each. */
export async function addExpiredEvents(database, count) {
  const webhooks = await readWebhooks(database);
  const events = [];
  const deliveries = [];
  const attempts = [];
  for (let index = 0; index < count; index += 1) {
    const createdAt = Math.floor(Date.now() - (EVENTS_KEPT_DAYS + 1 - index / count) * DAY_MS);
    const eventId = randomUUID();
    events.push([eventId, 'membership.created', COMMUNITY_ID, 'x'.repeat(700), createdAt]);
    for (const { id } of webhooks) {
      const deliveryId = randomUUID();
      deliveries.push([deliveryId, eventId, id, 'delivered', createdAt, createdAt]);
      attempts.push([randomUUID(), deliveryId, createdAt, 20, 204, 'x'.repeat(500)]);
    }
  }
  const eventColumns = ['id', 'type', 'community_id', 'body', 'created_at'];
  const deliveryColumns = ['id', 'event_id', 'webhook_id', 'status', 'next_attempt_at', 'created_at'];
  const attemptColumns = [
    'id',
    'delivery_id',
    'attempted_at',
    'duration_ms',
    'status_code',
    'request_headers',
  ];
  await insert(database, { table: 'webhook_events', columns: eventColumns, rows: events });
  await insert(database, { table: 'webhook_deliveries', columns: deliveryColumns, rows: deliveries });
  await insert(database, { table: 'webhook_attempts', columns: attemptColumns, rows: attempts });
}

/** Returns the webhooks of the benchmark. They are inactive, so that its requests cause no deliveries. */
async function readWebhooks(database) {
  const read = () => database.query('select id from webhooks');
  const found = await read();
  if (found.length > 0) return found;
  const [{ user_id: ownerId }] = await database.query('select user_id from community_roles');
  const rows = Array.from({ length: DELIVERIES_PER_EVENT }, () => [
    ...[randomUUID(), ownerId, COMMUNITY_ID, 'https://shop.example/hooks', hash(), 0, 0],
  ]);
  const columns = ['id', 'owner_id', 'community_id', 'url', 'secret', 'is_active', 'created_at'];
  await insert(database, { table: 'webhooks', columns, rows });
  return await read();
}

async function insert(database, { table, columns, rows }) {
  await database.query('begin');
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const part = rows.slice(at, at + ROWS_AT_ONCE);
    const places = part.map(
      (row, line) => `(${row.map((_, column) => `$${line * row.length + column + 1}`).join(', ')})`,
    );
    await database.query(
      `insert into ${table} (${columns.join(', ')}) values ${places.join(', ')}`,
      part.flat(),
    );
  }
  await database.query('commit');
}
