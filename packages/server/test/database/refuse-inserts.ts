import { sql } from 'kysely';
import { inject } from 'vitest';
import type { Database } from '../../src/platform/database/open-database.js';

/** Lets every insert into a table fail from now on, as a full disk would: after what the transaction did before. */
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

/** Takes {@link refuseInserts} back. */
export async function allowInserts(db: Database, table: string): Promise<void> {
  if (inject('postgres') === undefined) await sql`drop trigger full_disk`.execute(db);
  else await sql`drop trigger full_disk on ${sql.table(table)}; drop function full_disk`.execute(db);
}
