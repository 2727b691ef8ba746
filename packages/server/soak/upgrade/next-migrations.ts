import { type Kysely, sql } from 'kysely';
import type { Migration } from '../../src/migrations/migration.js';

/**
 * Migrations of the next version in a rolling upgrade: every kind of statement that an expand migration may contain, and a
 * contract migration that drops what the current version writes.
 */
export const NEXT_MIGRATIONS: Readonly<Record<string, Migration>> = {
  '9001-event-notes': expand('create table event_notes (event_id text primary key)'),
  // The busiest requests change these tables, and select all of their columns.
  '9002-source': expand("alter table memberships add column source text not null default 'unknown'"),
  '9003-motto': expand('alter table users add column motto text'),
  '9004-origin': expand('alter table token_pairs add column origin text'),
  '9005-memberships-by-source': {
    ...expand('create index concurrently if not exists memberships_by_source on memberships (source, id)'),
    transaction: 'none',
  },
  '9006-source-limit': expand(
    'alter table memberships add constraint memberships_source check (length(source) < 100) not valid',
  ),
  '9007-source-limit-validated': expand('alter table memberships validate constraint memberships_source'),
  '9008-no-request-headers': {
    kind: 'contract',
    up: (db) => run(db, 'alter table webhook_attempts drop column request_headers'),
  },
};

function expand(statement: string): Migration {
  return { kind: 'expand', up: (db) => run(db, statement) };
}

async function run(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}
