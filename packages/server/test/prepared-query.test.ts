import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../src/platform/database/open-database.js';
import { prepareQuery } from '../src/platform/database/prepared-query.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import { databaseUnderTest } from './service-under-test.js';

const insertUser = prepareQuery((db, values: { id: string; email: string | null; createdAt: number }) =>
  db
    .insertInto('users')
    .values({ id: values.id, email: values.email, created_at: values.createdAt, name: 'Ada' })
    .returningAll(),
);

const findUsers = prepareQuery((db, values: { from: number }) =>
  db.selectFrom('users').select(['id', 'email']).where('created_at', '>=', values.from).orderBy('id'),
);

async function openForTest() {
  const db = await openDatabase(await databaseUnderTest());
  onTestFinished(() => db.destroy());
  return db;
}

describe('prepared query', () => {
  it('runs with the values of each call, inside and outside of a transaction', async () => {
    const db = await openForTest();
    const created = await insertUser.first(db, { id: 'a', email: 'ada@example.com', createdAt: 1 });
    expect(created).toMatchObject({ id: 'a', name: 'Ada', created_at: 1 });
    await inTransaction(db, async (transaction) => {
      await insertUser.all(transaction, { id: 'b', email: null, createdAt: 2 });
      expect(await findUsers.all(transaction, { from: 0 })).toHaveLength(2);
    });
    expect(await findUsers.all(db, { from: 2 })).toEqual([{ id: 'b', email: null }]);
    expect(await findUsers.first(db, { from: 3 })).toBeUndefined();
  });

  it('works with every database of its engine', async () => {
    const [one, other] = [await openForTest(), await openForTest()];
    await insertUser.all(one, { id: 'a', email: null, createdAt: 1 });
    expect(await findUsers.all(one, { from: 0 })).toHaveLength(1);
    expect(await findUsers.all(other, { from: 0 })).toEqual([]);
  });

  it('throws when it computes with a value that is not bound yet', async () => {
    const db = await openForTest();
    const computing = prepareQuery((on, values: { from: number }) =>
      on
        .selectFrom('users')
        .select('id')
        .where('created_at', '>=', values.from + 1),
    );
    await expect(computing.all(db, { from: 0 })).rejects.toThrow('computes with "from"');
  });
});
