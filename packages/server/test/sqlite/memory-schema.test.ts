import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/open-database.js';

const MEMORY = 'sqlite::memory:';

/** Every object of the schema, and every row that the migrations store. */
async function contentOf(db: Database) {
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_master order by name`.execute(db);
  const tables = rows.filter(({ type }) => type === 'table').map(({ name }) => name);
  const stored = await Promise.all(
    tables.map(async (name) => [name, (await sql`select * from ${sql.table(name)}`.execute(db)).rows]),
  );
  return { schema: rows, stored: Object.fromEntries(stored) };
}

test('databases in memory have the same schema, and no rows of each other', async ({ onTestFinished }) => {
  const open = async () => {
    const db = await openDatabase(MEMORY);
    onTestFinished(() => db.destroy());
    return db;
  };
  const first = await open();
  const migrated = await contentOf(first);
  expect(migrated.schema.length).toBeGreaterThan(50);
  await first.insertInto('communities').values({ id: 'c', name: 'Club', created_at: 0 }).execute();

  const second = await open();
  expect(await contentOf(second)).toEqual(migrated);
  await second.insertInto('communities').values({ id: 'd', name: 'Tea', created_at: 0 }).execute();

  expect(await first.selectFrom('communities').select('id').execute()).toEqual([{ id: 'c' }]);
  expect(await contentOf(await open())).toEqual(migrated);
});

test('a later database in memory enforces foreign keys, and rolls back', async ({ onTestFinished }) => {
  await (await openDatabase(MEMORY)).destroy();
  const db = await openDatabase(MEMORY);
  onTestFinished(() => db.destroy());
  const orphan = { community_id: 'none', user_id: 'none', role: 'OWNER', is_active: 1 } as const;
  await expect(db.insertInto('community_roles').values(orphan).execute()).rejects.toThrow(/FOREIGN KEY/);
  const failing = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('communities').values({ id: 'c', name: 'Club', created_at: 0 }).execute();
    throw new Error('half-way');
  });
  await expect(failing).rejects.toThrow('half-way');
  expect(await db.selectFrom('communities').selectAll().execute()).toEqual([]);
});
