import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/open-database.js';
import { runDeferredWrite } from '../../src/platform/database/prepared-query.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { databaseUnderTest } from '../service-under-test.js';

const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

/** Adds a user without waiting. Two users with one email address violate a unique key. */
const addUser = (db: Database, number: number, email = `${number}@example.com`) =>
  runDeferredWrite(db, db.insertInto('users').values({ id: idOf(number), email, created_at: 0 }));

async function openWithOneConnection(settings: Record<string, string> = {}): Promise<Database> {
  const url = new URL(await databaseUnderTest());
  url.searchParams.set('connection_limit', '1');
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
  const db = await openDatabase(url.href);
  onTestFinished(() => db.destroy());
  return db;
}

const emailsIn = async (db: Database) =>
  (await db.selectFrom('users').select('email').orderBy('id').execute()).map(({ email }) => email);

describe('deferred write on PostgreSQL', () => {
  it('is visible to the next statement, and committed with the transaction', async () => {
    const db = await openWithOneConnection();
    await inTransaction(db, async (transaction) => {
      await addUser(transaction, 1);
      expect(await emailsIn(transaction)).toEqual(['1@example.com']);
      await addUser(transaction, 2);
    });
    expect(await emailsIn(db)).toEqual(['1@example.com', '2@example.com']);
  });

  it('outside of a transaction is stored when it resolves', async () => {
    const db = await openWithOneConnection();
    await addUser(db, 1);
    expect(await emailsIn(db)).toEqual(['1@example.com']);
  });

  it('that violates a unique key is retried with its transaction, also if only the commit follows', async () => {
    const db = await openWithOneConnection();
    await addUser(db, 1, 'ada@example.com');
    let attempts = 0;
    await inTransaction(db, async (transaction) => {
      attempts += 1;
      const found = await emailsIn(transaction);
      await addUser(transaction, 2);
      // The first attempt behaves as if it had not seen the row yet.
      if (attempts > 1) expect(found).toEqual(['ada@example.com']);
      else await addUser(transaction, 3, 'ada@example.com');
    });
    expect(attempts).toBe(2);
    expect(await emailsIn(db)).toEqual(['ada@example.com', '2@example.com']);
  });

  it.for(['statement', 'commit'])(
    'that fails rejects the next %s with its error, and stores nothing of the transaction',
    async (next) => {
      const db = await openWithOneConnection();
      const failing = inTransaction(db, async (transaction) => {
        await emailsIn(transaction);
        await addUser(transaction, 1);
        // No user has this id, which violates a foreign key.
        const grant = { user_id: idOf(9), granted_at: 0 };
        await runDeferredWrite(transaction, transaction.insertInto('provisioning_grants').values(grant));
        if (next === 'statement') await emailsIn(transaction);
      });
      await expect(failing).rejects.toMatchObject({ code: '23503' });
      expect(await emailsIn(db)).toEqual([]);
      await inTransaction(db, (transaction) => addUser(transaction, 2));
      expect(await emailsIn(db)).toEqual(['2@example.com']);
    },
  );

  it('is retried with its transaction after a migration changed its table', async () => {
    const db = await openWithOneConnection();
    let attempts = 0;
    const add = (number: number) =>
      inTransaction(db, async (transaction) => {
        attempts += 1;
        await emailsIn(transaction);
        const user = { id: idOf(number), email: `${number}@example.com`, created_at: 0 };
        // The rows that it returns have other columns after the migration.
        await runDeferredWrite(transaction, transaction.insertInto('users').values(user).returningAll());
      });
    await add(1);
    await sql`alter table users add column added integer`.execute(db);
    await add(2);
    expect(attempts).toBe(3);
    expect(await emailsIn(db)).toEqual(['1@example.com', '2@example.com']);
  });

  it('has its own time limit behind a slow write', async () => {
    const db = await openWithOneConnection({ query_timeout: '3000' });
    await addUser(db, 1);
    await inTransaction(db, async (transaction) => {
      for (const email of ['first@example.com', 'second@example.com']) {
        const slow = sql<string>`(select ${email}::text from pg_sleep(1.6))`;
        await runDeferredWrite(transaction, transaction.updateTable('users').set({ email: slow }));
      }
    });
    expect(await emailsIn(db)).toEqual(['second@example.com']);
  });

  it('that equals another one of the same write is prepared once', async () => {
    const db = await openWithOneConnection();
    await inTransaction(db, async (transaction) => {
      await addUser(transaction, 1);
      await addUser(transaction, 2);
    });
    expect(await emailsIn(db)).toEqual(['1@example.com', '2@example.com']);
  });

  it('that fails rejects the commit, even if the work ignores the error of the next statement', async () => {
    const db = await openWithOneConnection();
    await addUser(db, 1, 'ada@example.com');
    const failing = inTransaction(db, async (transaction) => {
      await addUser(transaction, 2);
      await addUser(transaction, 3, 'ada@example.com');
      await emailsIn(transaction).catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('rolled back instead of committed');
    expect(await emailsIn(db)).toEqual(['ada@example.com']);
  });

  it('is not stored if its session ends before the commit, nor in the transaction of the next session', async () => {
    const db = await openWithOneConnection();
    const failing = inTransaction(db, async (transaction) => {
      await addUser(transaction, 1);
      // Unlike a deferred write, this is sent at once, together with the write.
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction).catch(() => undefined);
      await addUser(transaction, 2);
    });
    await expect(failing).rejects.toThrow();
    await inTransaction(db, (transaction) => addUser(transaction, 3));
    expect(await emailsIn(db)).toEqual(['3@example.com']);
  });

  it('is not stored if the work throws', async () => {
    const db = await openWithOneConnection();
    const failing = inTransaction(db, async (transaction) => {
      await emailsIn(transaction);
      await addUser(transaction, 1);
      throw new Error('The work failed.');
    });
    await expect(failing).rejects.toThrow('The work failed.');
    expect(await emailsIn(db)).toEqual([]);
  });
});
