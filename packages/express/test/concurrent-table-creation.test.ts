import { describe, expect, it } from 'vitest';
import { type PostgresPool, postgresEventStore, postgresLock } from '../src/stores/postgres.js';

/** Simulates errors that depend on timing that a test cannot produce reliably. */
function poolWhereAnotherProcessCreatesTheTable(code: string): PostgresPool {
  let isThere = false;
  return {
    async query(statement) {
      if (statement.startsWith('create table')) {
        isThere = true;
        throw Object.assign(new Error('already exists'), { code });
      }
      if (!isThere) throw Object.assign(new Error('does not exist'), { code: '42P01' });
      return { rows: statement.startsWith('insert') ? [{}] : [] };
    },
  };
}

describe.each([
  ['unique_violation', '23505'],
  ['duplicate_table', '42P07'],
  ['duplicate_object', '42710'],
])('concurrent creation of the table, reported as %s', (_name, code) => {
  it('is ignored by the event store', async () => {
    const store = postgresEventStore(poolWhereAnotherProcessCreatesTheTable(code));
    expect(await store.claim('e-1', 1000)).toMatchObject({ kind: 'claimed' });
  });

  it('is ignored by the lock', async () => {
    const lock = postgresLock(poolWhereAnotherProcessCreatesTheTable(code));
    expect(await lock.acquire('s-1', 1000)).toBeTypeOf('function');
  });
});

it('throws other errors of the creation', async () => {
  const pool = poolWhereAnotherProcessCreatesTheTable('42501');
  await expect(postgresEventStore(pool).claim('e-1', 1000)).rejects.toMatchObject({ code: '42501' });
  await expect(
    postgresLock(poolWhereAnotherProcessCreatesTheTable('42501')).acquire('s-1', 1000),
  ).rejects.toMatchObject({ code: '42501' });
});
