import { sql } from 'kysely';
import { inject } from 'vitest';
import type { Database } from '../../src/platform/database/open-database.js';

/**
 * Makes every insert into a table fail from now on, after the earlier statements of the transaction.
 *
 * @param error Error of PostgreSQL, such as `disk_full`.
 */
export async function refuseInserts(db: Database, table: string, error = 'raise_exception'): Promise<void> {
  if (inject('postgres') === undefined) {
    await sql`create trigger refusal before insert on ${sql.table(table)} begin select raise(abort, 'full'); end`.execute(
      db,
    );
    return;
  }
  await sql`create function refusal() returns trigger language plpgsql as ${sql.lit(`begin raise ${error}; end`)}`.execute(
    db,
  );
  await sql`create trigger refusal before insert on ${sql.table(table)} execute function refusal()`.execute(
    db,
  );
}

/** Reverts {@link refuseInserts}. */
export async function allowInserts(db: Database, table: string): Promise<void> {
  if (inject('postgres') === undefined) await sql`drop trigger refusal`.execute(db);
  else await sql`drop trigger refusal on ${sql.table(table)}; drop function refusal`.execute(db);
}
