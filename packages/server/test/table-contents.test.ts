import { describe, expect } from 'vitest';
import { readTables as readRows, replaceTables } from '../src/features/operator/table-contents.js';
import type { Database } from '../src/platform/database/open-database.js';
import { withDatabase } from './emitted-events.js';

/** Contents of the tables. The engine chooses the order of the rows. */
async function readTables(db: Database) {
  const tables = Object.entries(await readRows(db));
  const textOf = (row: object) => JSON.stringify(row);
  return Object.fromEntries(
    tables.map(([name, rows]) => [name, rows.toSorted((a, b) => textOf(a).localeCompare(textOf(b)))]),
  );
}

describe('the contents of the tables', () => {
  withDatabase('come back exactly, and are replaced as a whole or not at all', async ({ db }) => {
    const before = await readTables(db);
    expect(before.users?.length).toBeGreaterThan(0);
    await replaceTables(db, {});
    expect(Object.values(await readTables(db)).flat()).toEqual([]);
    await replaceTables(db, before);
    expect(await readTables(db)).toEqual(before);
    const wrong = { ...before, memberships: [{ ...before.memberships?.[0], user_id: 'unknown' }] };
    await expect(replaceTables(db, wrong as typeof before)).rejects.toThrow();
    await expect(replaceTables(db, { database_use: [] })).rejects.toThrow('no data table "database_use"');
    expect(await readTables(db)).toEqual(before);
  });

  withDatabase('include every table except those of the server itself', async ({ db }) => {
    // A sandbox has tables of its own, with its listeners.
    const tables = (await db.introspection.getTables())
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('sandbox_'));
    const own = ['audit_entries', 'database_use', 'migration_kinds', 'service_names', 'widget_files'];
    expect([...Object.keys(await readTables(db)), ...own].toSorted()).toEqual(tables.toSorted());
  });
});
