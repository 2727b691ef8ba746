import { sql } from './kysely/kysely.js';
import type { Database } from './open-database.js';

/** Applied migrations by database. All transactions of a database share its adapter. */
const applied = new WeakMap<object, Set<string>>();

/**
 * True if the database has a migration. Code that uses what an expand migration of its own release adds asks first, because the
 * version also runs on the schema of the previous release. An applied migration is remembered. Until then each call reads one
 * row, so a process uses the addition as soon as it is there.
 */
export async function hasMigration(db: Database, name: string): Promise<boolean> {
  const { adapter } = db.getExecutor();
  const known = applied.get(adapter) ?? new Set();
  applied.set(adapter, known);
  if (known.has(name)) return true;
  const { rows } = await sql`select 1 from kysely_migration where name = ${name}`.execute(db);
  if (rows.length > 0) known.add(name);
  return rows.length > 0;
}
