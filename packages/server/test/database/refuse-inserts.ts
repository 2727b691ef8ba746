import { sql } from 'kysely';
import { inject } from 'vitest';
import type { Database } from '../../src/platform/database/open-database.js';

/**
 * Makes every insert into a table fail from now on, like a full disk, after the earlier statements of the
 * transaction.
 */
export async function refuseInserts(db: Database, table: string): Promise<void> {
  if (inject('postgres') === undefined) {
    await sql`create trigger full_disk before insert on ${sql.table(table)} begin select raise(abort, 'full'); end`.execute(
      db,
    );
    return;
  }
  await sql`create function full_disk() returns trigger language plpgsql as 'begin raise disk_full; end'`.execute(
    db,
  );
  await sql`create trigger full_disk before insert on ${sql.table(table)} execute function full_disk()`.execute(
    db,
  );
}

/** Reverts {@link refuseInserts}. */
export async function allowInserts(db: Database, table: string): Promise<void> {
  if (inject('postgres') === undefined) await sql`drop trigger full_disk`.execute(db);
  else await sql`drop trigger full_disk on ${sql.table(table)}; drop function full_disk`.execute(db);
}
