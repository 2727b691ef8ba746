// Compares token pairs in one table with token pairs in a partition for each day of their expiry, on PostgreSQL:
//
// - processor time of PostgreSQL and bytes of the log for each lookup by a hash, and for each refresh
// - the same for each row of an expired day: deleted in batches and vacuumed, or dropped with its partition
//
// The service keeps a tenth of each page free. The second table has full pages instead. A token is known by its hash only, so a
// lookup searches all partitions. In the fourth table, the day is part of the token: a lookup searches one partition.
//
//   node packages/server/bench/partitions.mjs [--rows 300000] [--days 31] [--operations 10000]
import { createHash, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createDatabase } from './fan-out/database.mjs';
import { processorMicros } from './processor-time.mjs';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '300000' },
    days: { type: 'string', default: '31' },
    operations: { type: 'string', default: '10000' },
  },
});
const [rows, days, operations] = [options.rows, options.days, options.operations].map(Number);
const DAY_MS = 24 * 3600_000;
const BATCH = 200;
const KINDS = [
  {
    name: 'one table',
    table: 'plain',
    isPartitioned: false,
    namesDay: false,
    room: 'with (fillfactor = 90)',
  },
  { name: 'one table, full pages', table: 'packed', isPartitioned: false, namesDay: false },
  { name: `${days} partitions`, table: 'daily', isPartitioned: true, namesDay: false },
  { name: `${days} partitions, day in the token`, table: 'named', isPartitioned: true, namesDay: true },
];

const hash = (text) => createHash('sha256').update(text).digest('hex');
const database = await createDatabase('postgres');
const client = new pg.Client({ connectionString: database.url });
await client.connect();
try {
  const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows;
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '256MB'");
  console.log(`${rows} token pairs, ${days} days, ${operations} operations of each kind`);
  for (const kind of KINDS) {
    await createTable(kind);
    const results = [
      ['lookup', await measure(pid, operations, (index) => lookUp(kind, index))],
      ['refresh', await measure(pid, operations, (index) => refresh(kind, index))],
      ['expired row', await measureExpiry(pid, kind)],
    ];
    const figures = results.map(
      ([name, { micros, bytes }]) => `${name} ${micros.toFixed(0)} µs, ${bytes.toFixed(0)} bytes of log`,
    );
    console.log(`${kind.name}: ${figures.join('; ')}`);
    await client.query(`drop table ${kind.table}`);
  }
} finally {
  await client.end();
  await database.disconnect();
  await database.remove();
}

/** Creates a table with the columns and indexes of `token_pairs`. Rows expire in the order in which they were added, as tokens do. */
async function createTable({ table, isPartitioned, room = '' }) {
  await client.query(
    `create table ${table} (id text not null, code_id text not null, client_id text not null, user_id text not null,
       scope text not null, access_token_hash text not null, access_expires_at bigint not null, access_revoked_at bigint,
       refresh_token_hash text not null, refresh_expires_at bigint not null, refresh_spent_at bigint)
     ${isPartitioned ? 'partition by range (refresh_expires_at)' : room}`,
  );
  for (let day = 0; isPartitioned && day <= days; day += 1) {
    await client.query(
      `create table ${table}_${day} partition of ${table} for values from (${day * DAY_MS}) to (${(day + 1) * DAY_MS})`,
    );
  }
  await client.query(
    `insert into ${table} (id, code_id, client_id, user_id, scope, access_token_hash, access_expires_at,
       refresh_token_hash, refresh_expires_at)
     select gen_random_uuid(), gen_random_uuid(), 'client', gen_random_uuid(), 'memberships.read',
       encode(sha256(('access ' || i)::bytea), 'hex'), i * ${(days * DAY_MS) / rows}::float8,
       encode(sha256(('refresh ' || i)::bytea), 'hex'), i * ${(days * DAY_MS) / rows}::float8
     from generate_series(0, ${rows - 1}) i`,
  );
  const unique = isPartitioned ? '' : 'unique';
  await client.query(
    `create ${unique} index on ${table} (id); create ${unique} index on ${table} (access_token_hash);
     create ${unique} index on ${table} (refresh_token_hash); create index on ${table} (code_id);
     create index on ${table} (user_id, client_id); create index on ${table} (refresh_expires_at)`,
  );
  await client.query(`vacuum analyze ${table}`);
  await client.query('checkpoint');
}

async function measure(pid, count, operation) {
  // PostgreSQL chooses the plan of a prepared statement after some executions.
  for (let index = 0; index < 50; index += 1) await operation(index);
  const before = await costs(pid);
  for (let index = 50; index < count + 50; index += 1) await operation(index);
  const after = await costs(pid);
  return { micros: (after.micros - before.micros) / count, bytes: (after.bytes - before.bytes) / count };
}

async function costs(pid) {
  const [{ bytes }] = (
    await client.query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes")
  ).rows;
  return { micros: processorMicros(pid), bytes };
}

/** Row of an operation. Its day is not the one that expires. */
function rowOf(index) {
  const first = Math.ceil(rows / days);
  return first + ((index * 7_919) % (rows - first));
}

/** Condition that restricts a search to the partition that a token names. */
function dayOf({ namesDay }, row) {
  if (!namesDay) return { condition: '', values: [] };
  const day = Math.floor((row * days) / rows);
  return {
    condition: 'and refresh_expires_at >= $2 and refresh_expires_at < $3',
    values: [day * DAY_MS, (day + 1) * DAY_MS],
  };
}

async function lookUp(kind, index) {
  const row = rowOf(index);
  const { condition, values } = dayOf(kind, row);
  const found = await client.query({
    name: `look up ${kind.table}`,
    text: `select user_id from ${kind.table} where access_token_hash = $1 ${condition}`,
    values: [hash(`access ${row}`), ...values],
  });
  if (found.rowCount !== 1) throw new Error('The token is missing.');
}

async function refresh(kind, index) {
  const row = rowOf(index);
  const { condition, values } = dayOf(kind, row);
  await client.query('begin');
  await client.query({
    name: `rotate ${kind.table}`,
    text: `update ${kind.table} set refresh_spent_at = 1 where refresh_token_hash = $1 ${condition}`,
    values: [hash(`refresh ${row}`), ...values],
  });
  const expiresAt = days * DAY_MS + index;
  await client.query({
    name: `issue ${kind.table}`,
    text: `insert into ${kind.table} (id, code_id, client_id, user_id, scope, access_token_hash, access_expires_at,
       refresh_token_hash, refresh_expires_at) values ($1, $2, 'client', $3, 'memberships.read', $4, $5, $6, $7)`,
    values: [
      ...[randomUUID(), randomUUID(), randomUUID(), hash(randomUUID()), expiresAt],
      ...[hash(randomUUID()), expiresAt],
    ],
  });
  await client.query('commit');
}

/** Measures the end of the first day, for each of its rows. */
async function measureExpiry(pid, { table, isPartitioned }) {
  const count = Math.ceil(rows / days);
  const before = await costs(pid);
  if (isPartitioned) await client.query(`drop table ${table}_0`);
  else await deleteDay(table);
  const after = await costs(pid);
  return { micros: (after.micros - before.micros) / count, bytes: (after.bytes - before.bytes) / count };
}

async function deleteDay(table) {
  let last = { refresh_expires_at: -1 };
  for (;;) {
    const { rows: batch } = await client.query({
      name: `read ${table}`,
      text: `select id, refresh_expires_at from ${table} where refresh_expires_at > $1 and refresh_expires_at < $2
        order by refresh_expires_at limit ${BATCH}`,
      values: [last.refresh_expires_at, DAY_MS],
    });
    if (batch.length === 0) break;
    last = batch.at(-1);
    await client.query({
      name: `delete ${table}`,
      text: `delete from ${table} where id in (select id from ${table} where id = any($1) for update skip locked)`,
      values: [batch.map(({ id }) => id)],
    });
  }
  await client.query(`vacuum ${table}`);
}
