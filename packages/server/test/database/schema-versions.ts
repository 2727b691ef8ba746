import { connectDatabase } from '../../src/platform/database/open-database.js';
import { migrate, type RunOptions } from '../../src/platform/database/schema/migrate.js';
import type { Migration } from '../../src/platform/database/schema/migrations/migration.js';
import { MIGRATIONS, type MigrationList } from '../../src/platform/database/schema/migrations.js';

/** Returns the migrations of a version with this newest one. */
export function versionUpTo(newest: string): MigrationList {
  const migrations = Object.entries(MIGRATIONS.migrations).filter(([name]) => name <= newest);
  return { migrations: Object.fromEntries(migrations), previousRelease: newest };
}

/** Migrations of the previous release. */
export const PREVIOUS_VERSION = versionUpTo(MIGRATIONS.previousRelease);

/** Returns the migrations of a next release, which adds some to those of this version. */
export function nextVersion(added: Readonly<Record<string, Migration>>): MigrationList {
  const previousRelease = Object.keys(MIGRATIONS.migrations).at(-1) ?? '';
  return { migrations: { ...MIGRATIONS.migrations, ...added }, previousRelease };
}

/** Migrates a database as another version does. Resolves with the applied migrations. */
export async function migrateAs(
  url: string,
  list: MigrationList,
  options: Omit<RunOptions, 'list'> = {},
): Promise<string[]> {
  const db = await connectDatabase(url, { purpose: 'migrations' });
  return await migrate(db, { ...options, list }).finally(() => db.destroy());
}
