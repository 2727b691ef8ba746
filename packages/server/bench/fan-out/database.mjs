import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { migrateDatabase } from '../../dist/index.js';
import { startEmbeddedPostgres } from '../../test/database/embedded-postgres.ts';
import { fillDatabase } from '../fill-database.mjs';
import { COMMUNITY_ID } from '../scenarios.mjs';

/** Webhooks of a community. The service allows ten for each owner and community. */
const WEBHOOKS_PER_COMMUNITY = 10;

/**
 * Creates a migrated database on a new PostgreSQL server, on the one of LATCHKEY_TEST_POSTGRES, or in a SQLite file.
 *
 * @returns `url`; `query(sql, values)` runs a statement on a connection of its own; `close()` removes everything.
 */
export async function createDatabase(engine) {
  const created = engine === 'postgres' ? await createPostgres() : createSqlite();
  await migrateDatabase(created.url);
  return { ...created, ...(await connect(created.url)) };
}

function createSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-fan-out-'));
  return {
    url: `sqlite:${join(folder, 'service.sqlite')}`,
    remove: async () => rmSync(folder, { recursive: true }),
  };
}

async function createPostgres() {
  const given = process.env.LATCHKEY_TEST_POSTGRES;
  const server =
    given === undefined
      ? await startEmbeddedPostgres({
          shared_buffers: '256MB',
          max_wal_size: '4GB',
          // The log omits rows that fill a table in the transaction that emptied it.
          wal_level: 'minimal',
          max_wal_senders: '0',
        })
      : { url: given, stop: async () => undefined };
  const name = `latchkey_fan_out_${randomBytes(6).toString('hex')}`;
  const onServer = async (statement) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await onServer(`create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async remove() {
      await onServer(`drop database ${name} with (force)`);
      await server.stop();
    },
  };
}

async function connect(url) {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 30_000 });
    const query = async (text, values = []) =>
      database.prepare(text.replaceAll(/\$\d+/g, '?')).all(...values);
    return { query, disconnect: async () => database.close() };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    query: async (text, values = []) => (await client.query(text, values)).rows,
    disconnect: () => client.end(),
  };
}

/**
 * Creates the users, and an active webhook for each URL, ten for each community. All endpoints have answered before, so none is
 * paused after a few failures.
 *
 * @returns the ids of the communities with webhooks, and of one without.
 */
export async function createWebhooks(database, { urls, users }) {
  await fillDatabase(database.url, { rows: users });
  const [owner] = await database.query('select user_id from community_roles');
  const communities = [];
  const addCommunity = async () => {
    const id = randomUUID();
    await database.query('insert into communities (id, name, created_at) values ($1, $2, $3)', [
      id,
      'Club',
      0,
    ]);
    await database.query(
      'insert into community_roles (community_id, user_id, role, is_active) values ($1, $2, $3, $4)',
      [id, owner.user_id, 'OWNER', 1],
    );
    return id;
  };
  for (const [index, url] of urls.entries()) {
    if (index % WEBHOOKS_PER_COMMUNITY === 0) communities.push(await addCommunity());
    await database.query(
      'insert into webhooks (id, owner_id, community_id, url, secret, created_at, answered_at) values ($1, $2, $3, $4, $5, $6, $7)',
      [randomUUID(), owner.user_id, communities.at(-1), url, randomBytes(32).toString('hex'), 0, 1],
    );
  }
  return { communities, quiet: await addCommunity(), filled: COMMUNITY_ID };
}

/** Adds events of all communities at once, each with its deliveries. Returns the number of deliveries. */
export async function addBurst(database, { communities, events }) {
  await database.query('begin');
  for (let event = 0; event < events; event += 1) {
    const communityId = communities[event % communities.length];
    const id = randomUUID();
    const now = Date.now();
    const body = JSON.stringify({
      id,
      type: 'membership.created',
      createdAt: new Date(now).toISOString(),
      data: { padding: 'x'.repeat(600) },
    });
    await database.query(
      'insert into webhook_events (id, type, community_id, body, created_at) values ($1, $2, $3, $4, $5)',
      [id, 'membership.created', communityId, body, now],
    );
    await database.query(
      `insert into webhook_deliveries (id, event_id, webhook_id, status, next_attempt_at, created_at)
       select $1 || substr(id, 9), $2, id, 'pending', $3, $4 from webhooks where community_id = $5 and is_active = 1`,
      [randomBytes(4).toString('hex'), id, now, now, communityId],
    );
  }
  await database.query('commit');
  return await countPending(database);
}

/** Pending deliveries to endpoints that answer. */
export async function countPending(database) {
  const [{ count }] = await database.query(
    `select count(*) as count from webhook_deliveries d join webhooks w on w.id = d.webhook_id
     where d.status = 'pending' and w.failing_since is null and w.is_active = 1`,
  );
  return Number(count);
}
