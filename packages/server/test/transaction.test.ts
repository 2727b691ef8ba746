import { describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../src/platform/database/open-database.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import { databaseUnderTest } from './service-under-test.js';

async function twoProcesses(): Promise<[Database, Database]> {
  const url = await databaseUnderTest();
  const databases: [Database, Database] = [await openDatabase(url), await openDatabase(url)];
  onTestFinished(async () => {
    for (const db of databases) await db.destroy();
  });
  return databases;
}

const slot = { id: 'slot', community_id: 'club', name: 'Drop', starts_at: 0, ends_at: null, created_at: 0 };

async function withSlot(db: Database, slots: number): Promise<void> {
  await db.insertInto('communities').values({ id: 'club', name: 'Club', created_at: 0 }).execute();
  await db
    .insertInto('drop_slots')
    .values({ ...slot, slots })
    .execute();
}

/**
 * Reads the number of used slots and adds one. The result is right only if no other transaction writes in
 * between.
 */
async function useSlot(transaction: Database): Promise<void> {
  const { slots_used } = await transaction
    .selectFrom('drop_slots')
    .select('slots_used')
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('drop_slots')
    .set({ slots_used: slots_used + 1 })
    .execute();
}

describe('transactions that read before they write', () => {
  it('lose no update, in one process and in two', async () => {
    const [one, other] = await twoProcesses();
    await withSlot(one, 100);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => inTransaction(index % 2 === 0 ? one : other, useSlot)),
    );
    const { slots_used } = await one.selectFrom('drop_slots').select('slots_used').executeTakeFirstOrThrow();
    expect(slots_used).toBe(30);
  });

  it('create a row once, and the later transaction finds it', async () => {
    const [one, other] = await twoProcesses();
    const findOrCreate = async (transaction: Database) => {
      const found = await transaction
        .selectFrom('communities')
        .select('id')
        .where('id', '=', 'club')
        .executeTakeFirst();
      if (found !== undefined) return 'found';
      await transaction
        .insertInto('communities')
        .values({ id: 'club', name: 'Club', created_at: 0 })
        .execute();
      return 'created';
    };
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => inTransaction(index % 2 === 0 ? one : other, findOrCreate)),
    );
    expect(results.filter((result) => result === 'created')).toHaveLength(1);
    expect(results.filter((result) => result === 'found')).toHaveLength(9);
  });
});

describe('transaction', () => {
  it('is retried a limited number of times after a conflict', async () => {
    const [db] = await twoProcesses();
    const conflict = Object.assign(new Error('could not serialize access'), { code: '40001' });
    let runs = 0;
    const second = inTransaction(db, async () => {
      runs += 1;
      if (runs === 1) throw conflict;
      return 'done';
    });
    expect(await second).toBe('done');
    expect(runs).toBe(2);
    await expect(
      inTransaction(db, async () => {
        runs += 1;
        throw conflict;
      }),
    ).rejects.toBe(conflict);
    expect(runs).toBe(42);
  });

  it('is not retried after any other failure', async () => {
    const [db] = await twoProcesses();
    let runs = 0;
    const failing = inTransaction(db, async () => {
      runs += 1;
      throw new Error('a bug');
    });
    await expect(failing).rejects.toThrow('a bug');
    expect(runs).toBe(1);
  });

  it('that fails beside others rolls back only its own writes', async () => {
    const [db] = await twoProcesses();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        inTransaction(db, async (transaction) => {
          const id = `club ${index}`;
          await transaction.insertInto('communities').values({ id, name: 'Club', created_at: 0 }).execute();
          if (index % 3 === 0) throw new Error('half-way');
        }),
      ),
    );
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 20 }, (_, index) => index % 3 !== 0),
    );
    expect(await db.selectFrom('communities').selectAll().execute()).toHaveLength(13);
  });

  it('is invisible before its commit', async () => {
    const [db] = await twoProcesses();
    const seen = await inTransaction(db, async (transaction) => {
      await transaction
        .insertInto('communities')
        .values({ id: 'club', name: 'Club', created_at: 0 })
        .execute();
      const within = await transaction.selectFrom('communities').selectAll().execute();
      const beside = await db.selectFrom('communities').selectAll().execute();
      return [within.length, beside.length];
    });
    expect(seen).toEqual([1, 0]);
  });
});
