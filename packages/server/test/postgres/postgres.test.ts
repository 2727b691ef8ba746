import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDatabaseUnavailable } from '../../src/platform/database/database-unavailable.js';
import {
  connectDatabase,
  type Database,
  openDatabase,
  parseDatabaseUrl,
} from '../../src/platform/database/open-database.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import type { Logger } from '../../src/platform/logging/logger.js';
import { databaseUnderTest, startService } from '../service-under-test.js';

async function openForTest(url: string, logger?: Logger): Promise<Database> {
  const db = await openDatabase(url, { ...(logger && { logger }) });
  onTestFinished(() => db.destroy());
  return db;
}

async function messageOf(failing: Promise<unknown>): Promise<string> {
  const error: unknown = await failing.then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  );
  // The log's format, with causes.
  const shown: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) shown.push(String(one), JSON.stringify(one));
  return shown.join('\n');
}

describe('database URL', () => {
  it.for<[string, string]>([
    ['postgres://ada:se%zzcret@127.0.0.1/service', 'cannot be read'],
    ['postgres://ada:secret/@127.0.0.1:x/service', 'cannot be read'],
    ['postgres://ada:secret@127.0.0.1', 'names no database'],
    ['postgres://ada:secret@127.0.0.1/', 'names no database'],
    ['postgres://ada:secret@127.0.0.1/service?connection_limit=many', 'connection_limit'],
    ['postgres://ada:secret@127.0.0.1/service?connect_timeout=0', 'connect_timeout'],
    ['mysql://ada:secret@127.0.0.1/service', 'starts with "mysql:"'],
    ['ada-secret', 'is not a database URL'],
    ['secret@127.0.0.1:5432/service', 'is not a database URL'],
    ['', 'is not a database URL'],
  ])('%s is rejected with the reason, without its password', async ([url, problem]) => {
    const message = await messageOf(openDatabase(url));
    expect(message).toContain('"database"');
    expect(message).toContain(problem);
    expect(message).not.toContain('secret');
    expect(message).not.toContain('se%zz');
  });

  it('sets the maximum number of connections, and the time to wait for one', () => {
    const location = parseDatabaseUrl('postgresql://ada@db/service?connection_limit=3&connect_timeout=7');
    expect(location).toMatchObject({ connectionLimit: 3, connectTimeoutMs: 7000 });
    expect(parseDatabaseUrl('postgres://ada@db/service')).toMatchObject({
      connectionLimit: 10,
      connectTimeoutMs: 5000,
    });
  });
});

describe('database that cannot be opened', () => {
  it('is named with the reason, without the password', async () => {
    const url = new URL(await databaseUnderTest());
    const { password } = url;
    const changed = (change: (other: URL) => void) => {
      const other = new URL(url);
      change(other);
      return other.href;
    };
    const wrong = 'wrong-but-nobody-elses-business';
    for (const [other, reason] of [
      [
        changed((one) => (one.pathname = '/no_such_database')),
        /127\.0\.0\.1:\d+\/no_such_database.*not exist/,
      ],
      [changed((one) => (one.password = wrong)), /password authentication failed/],
      [changed((one) => (one.port = '1')), /127\.0\.0\.1:1\/.*ECONNREFUSED/],
    ] as const) {
      const message = await messageOf(openDatabase(other));
      expect(message).toMatch(reason);
      expect(message).not.toContain(password);
      expect(message).not.toContain(wrong);
    }
  });
});

describe('numeric columns', () => {
  it('are numbers, also for times and counts', async () => {
    const db = await openForTest(await databaseUnderTest());
    await db
      .insertInto('communities')
      .values({ id: 'c', name: 'Club', created_at: 1_781_273_100_000 })
      .execute();
    const row = await db
      .selectFrom('communities')
      .select(({ fn }) => ['created_at', fn.countAll<number>().as('count')])
      .groupBy('created_at')
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ created_at: 1_781_273_100_000, count: 1 });
  });
});

describe('prepared statements', () => {
  it('are prepared again when a migration has changed their tables, also within a transaction', async () => {
    const url = await databaseUnderTest();
    const db = await openForTest(`${url}?connection_limit=1`);
    const migrating = await openForTest(url);
    const all = (on: Database) => sql`select * from users where id <> ${'x'}`.execute(on);
    await all(db);
    expect((await sql`select * from pg_prepared_statements`.execute(db)).rows.length).toBeGreaterThan(0);
    await sql`alter table users add column nickname text`.execute(migrating);
    expect((await all(db)).rows).toEqual([]);
    await sql`alter table users add column motto text`.execute(migrating);
    expect((await inTransaction(db, all)).rows).toEqual([]);
  });
});

describe('lost connection', () => {
  it('is logged when idle, and replaced by the next query', async () => {
    const url = await databaseUnderTest();
    const lines: string[] = [];
    const write = (fields: object, message: string) =>
      void lines.push(`${message} ${JSON.stringify(fields)}`);
    const db = await openForTest(url, { info: write, warn: write, error: write });
    const other = await openForTest(url);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'latchkey %'`.execute(
      other,
    );
    await expect.poll(() => lines.join()).toContain('An idle database connection was lost');
    expect(await db.selectFrom('users').selectAll().execute()).toEqual([]);
    expect(lines.join()).not.toContain(new URL(url).password);
  });
});

describe('connection that is lost inside a transaction', () => {
  it.for([
    ['between two statements', 'users'],
    ['before the commit', undefined],
  ] as const)('%s fails the transaction without a retry, and is replaced', async ([, table]) => {
    const url = await databaseUnderTest();
    // One connection: a broken one that returned to the pool would serve the next query.
    const db = await openForTest(`${url}?connection_limit=1`);
    const other = await openForTest(url);
    let runs = 0;
    const failing = inTransaction(db, async (transaction) => {
      runs += 1;
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int, 5000)`.execute(other);
      // Long enough for the socket to close, and for an error without a listener to end the process.
      await pause(100);
      if (table !== undefined) await transaction.selectFrom(table).selectAll().execute();
    });
    await expect(failing).rejects.toSatisfy(isDatabaseUnavailable);
    expect(runs).toBe(1);
    expect(await db.selectFrom('users').selectAll().execute()).toEqual([]);
  });

  it('while a statement runs fails the transaction without a retry, and is replaced', async () => {
    const url = await databaseUnderTest();
    const db = await openForTest(`${url}?connection_limit=1`);
    const other = await openForTest(url);
    const failing = inTransaction(db, (transaction) => sql`select pg_sleep(8)`.execute(transaction));
    const ended = expect(failing).rejects.toSatisfy(isDatabaseUnavailable);
    await expect
      .poll(
        async () => {
          const { rows } = await sql<{ ended: boolean }>`select pg_terminate_backend(pid) as ended
          from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(8)'`.execute(
            other,
          );
          return rows.length;
        },
        { timeout: 5_000 },
      )
      .toBe(1);
    await ended;
    expect(await db.selectFrom('users').selectAll().execute()).toEqual([]);
  });
});

describe('database without a free connection', () => {
  it('is reported with 503 in time, and serves again once a connection is free', async () => {
    const url = await databaseUnderTest();
    const service = await startService({ database: `${url}?connection_limit=2&connect_timeout=1` });
    onTestFinished(() => service.server.close());
    const blocker = await connectDatabase(url);
    onTestFinished(() => blocker.destroy());
    const ask = (path: string) =>
      service.request(path, { headers: { authorization: `Bearer svc_${'k'.repeat(43)}` } });
    await blocker.transaction().execute(async (transaction) => {
      await sql`lock table users, api_keys, oauth_clients, user_sessions in access exclusive mode`.execute(
        transaction,
      );
      // These two wait for the lock on the only connections.
      const waiting = [ask('/oauth/client/oac_one'), ask('/oauth/client/oac_two')];
      await expect.poll(() => blockedBackends(url)).toBe(2);
      const refused = await Promise.all([
        ask('/oauth/client/oac_three'),
        ask(`/membership/check-messenger/${'a'.repeat(8)}-0000-4000-8000-000000000000/1`),
        service.request('/oauth/token', {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            client_id: 'oac_four',
            refresh_token: 'x',
          }),
        }),
      ]);
      for (const response of refused) {
        expect(response.status).toBe(503);
        expect(response.headers.get('retry-after')).toBe('1');
      }
      const [identity, check, token] = await Promise.all(refused.map((response) => response.json()));
      expect(identity).toMatchObject({ success: false, errorCode: 'service_unavailable' });
      expect(check).toMatchObject({ success: false, errorCode: 'service_unavailable' });
      expect(token).toMatchObject({ error: 'server_error' });
      void Promise.all(waiting);
    });
    await expect.poll(async () => (await ask('/oauth/client/oac_five')).status).toBe(404);
  });
});

async function blockedBackends(url: string): Promise<number> {
  const db = await connectDatabase(url);
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  await db.destroy();
  return rows[0]?.count ?? 0;
}
