import { type Kysely, sql } from '../kysely/kysely.js';
import type { Schema } from './schema.js';

/** Time of the last look at a migration that was missing, or `applied`. In milliseconds of `performance.now()`. */
type LastLook = number | 'applied';

/** Looks by migration, of each database. All transactions of a database share its adapter. */
const looks = new WeakMap<object, Map<string, LastLook>>();

/**
 * True if the database has a migration. Code that uses what an expand migration of its own release adds asks first, because the
 * version also runs on the schema of the previous release. Code that writes what earlier versions do not read asks for a contract
 * migration. An applied migration is remembered until {@link forgetMigrations}. Until it is applied, each call reads one row, so a
 * process uses the addition as soon as it is there.
 *
 * @param options.maxAgeMs time for which a missing migration is remembered too.
 * @default 0
 */
export async function hasMigration(
  db: Kysely<Schema>,
  name: string,
  { maxAgeMs = 0 }: { maxAgeMs?: number } = {},
): Promise<boolean> {
  const { adapter } = db.getExecutor();
  const known = looks.get(adapter) ?? new Map<string, LastLook>();
  looks.set(adapter, known);
  const last = known.get(name);
  if (last === 'applied') return true;
  if (last !== undefined && performance.now() - last < maxAgeMs) return false;
  const { rows } = await sql`select 1 from kysely_migration where name = ${name}`.execute(db);
  const isApplied = rows.length > 0;
  known.set(name, isApplied ? 'applied' : performance.now());
  return isApplied;
}

/**
 * Forgets that a database has migrations which it lacks now. A backup from before them was then restored under this process.
 * Otherwise the process would continue to write what earlier versions, which work on that backup, do not read.
 */
export function forgetMigrations(db: Kysely<Schema>, missing: readonly string[]): void {
  const known = looks.get(db.getExecutor().adapter);
  for (const name of missing) if (known?.get(name) === 'applied') known.delete(name);
}
