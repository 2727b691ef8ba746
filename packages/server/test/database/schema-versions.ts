import { onTestFinished } from 'vitest';
import { MIGRATIONS, type Migrations } from '../../src/migrations/migrations.js';
import { connectDatabase } from '../../src/platform/database/open-database.js';
import { migrate, type RunOptions } from '../../src/platform/database/schema/migrate.js';

/** Returns the migrations of a next release, which adds some to those of this version. */
export function nextVersion(added: Migrations): Migrations {
  return { ...MIGRATIONS, ...added };
}

/** Turns this process into the next version until the test ends. */
export function becomeNextVersion(added: Migrations): void {
  const migrations: Record<string, unknown> = MIGRATIONS;
  Object.assign(migrations, added);
  onTestFinished(() => {
    for (const name of Object.keys(added)) delete migrations[name];
  });
}

/** Migrates a database as another version does. Resolves with the applied migrations. */
export async function migrateAs(
  url: string,
  list: Migrations,
  options: Omit<RunOptions, 'list'> = {},
): Promise<string[]> {
  const db = await connectDatabase(url, { purpose: 'migrations' });
  return await migrate(db, { ...options, list }).finally(() => db.destroy());
}
