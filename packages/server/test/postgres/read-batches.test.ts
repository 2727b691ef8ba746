import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/open-database.js';
import { prepareQuery } from '../../src/platform/database/prepared-query.js';
import { databaseUnderTest } from '../service-under-test.js';

const findUser = prepareQuery((db, values: { messengerUserId: number }) =>
  db.selectFrom('users').selectAll().where('messenger_user_id', '=', values.messengerUserId),
);

const userIdOf = (number: number) => `00000000-0000-4000-8000-${`${number}`.padStart(12, '0')}`;

async function openWithUsers(connectionLimit: number, database?: string): Promise<Database> {
  const url = new URL(database ?? (await databaseUnderTest()));
  url.searchParams.set('connection_limit', String(connectionLimit));
  const db = await openDatabase(url.href);
  onTestFinished(() => db.destroy());
  await db
    .insertInto('users')
    .values(numbers(40).map((number) => ({ id: userIdOf(number), messenger_user_id: number, created_at: 0 })))
    .execute();
  return db;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const idOf = async (db: Database, messengerUserId: number) =>
  (await findUser.first(db, { messengerUserId }))?.id;

describe('reads that start together', () => {
  it.for([1, 3, 10])('each return their own rows over %i connections', async (connectionLimit) => {
    const db = await openWithUsers(connectionLimit);
    const ids = await Promise.all(numbers(40).map((number) => idOf(db, number)));
    expect(ids).toEqual(numbers(40).map(userIdOf));
  });

  it('use several connections once there are more of them than a batch holds', async () => {
    const db = await openWithUsers(10);
    await Promise.all(numbers(40).map((number) => idOf(db, number)));
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name like 'latchkey%'`.execute(db);
    expect(rows[0]?.count).toBe(5);
  });

  it('do not fail each other', async () => {
    const db = await openWithUsers(1);
    const results = await Promise.allSettled([
      idOf(db, 1),
      // Too large for the column, which PostgreSQL finds when it binds the value.
      idOf(db, 1e30),
      idOf(db, 2),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await idOf(db, 3)).toBe(userIdOf(3));
  });

  it('see a commit that was acknowledged before them', async () => {
    const db = await openWithUsers(3);
    for (const number of numbers(20)) {
      await db.deleteFrom('users').where('messenger_user_id', '=', number).execute();
      expect(await Promise.all([number, number + 1].map((one) => idOf(db, one)))).toEqual([
        undefined,
        userIdOf(number + 1),
      ]);
    }
  });

  it('return the new columns after a migration changed the table of their prepared statement', async () => {
    const db = await openWithUsers(2);
    await Promise.all(numbers(20).map((number) => idOf(db, number)));
    await sql`alter table users add column added integer`.execute(db);
    const rows = await Promise.all(
      numbers(20).map((number) => findUser.first(db, { messengerUserId: number })),
    );
    expect(rows.every((row) => row !== undefined && 'added' in row)).toBe(true);
  });

  it('all reject when their connection is lost, and later reads succeed', async () => {
    const url = await databaseUnderTest();
    const db = await openWithUsers(1, url);
    const other = await openDatabase(url);
    onTestFinished(() => other.destroy());
    await other.transaction().execute(async (transaction) => {
      // The reads wait for the lock.
      await sql`lock table users in access exclusive mode`.execute(transaction);
      const reads = Promise.allSettled(numbers(5).map((number) => idOf(db, number)));
      const ended = () =>
        sql<{ ended: boolean }>`select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(transaction);
      while ((await ended()).rows.length === 0);
      expect((await reads).map(({ status }) => status)).toEqual(numbers(5).map(() => 'rejected'));
    });
    expect(await idOf(db, 3)).toBe(userIdOf(3));
  });
});
