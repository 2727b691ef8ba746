import type { Schema } from '../../migrations/schema.js';
import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import { sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordAudit } from '../audit/audit.js';

export type TableRow = Readonly<Record<string, string | number | null>>;

/** Rows by table, without the tables that belong to the server itself. */
export type TableContents = Readonly<Record<string, readonly TableRow[]>>;

/**
 * All tables, referenced tables first. `data` is copied. `server` belongs to the server rather than its data: its
 * purpose, its names, its released files, its audit log.
 */
const TABLES: Readonly<Record<keyof Schema, 'data' | 'server'>> = {
  users: 'data',
  communities: 'data',
  products: 'data',
  community_roles: 'data',
  operators: 'data',
  memberships: 'data',
  membership_periods: 'data',
  oauth_clients: 'data',
  authorization_codes: 'data',
  token_pairs: 'data',
  consents: 'data',
  user_sessions: 'data',
  sign_in_codes: 'data',
  email_changes: 'data',
  second_factors: 'data',
  recovery_codes: 'data',
  second_factor_setups: 'data',
  second_step_attempts: 'data',
  sign_in_budgets: 'data',
  known_browsers: 'data',
  pricing_plans: 'data',
  api_keys: 'data',
  provisioning_grants: 'data',
  checkout_reservations: 'data',
  checkout_links: 'data',
  subscriptions: 'data',
  charges: 'data',
  payments: 'data',
  refunds: 'data',
  provider_subscriptions: 'data',
  provider_events: 'data',
  drop_slots: 'data',
  drop_signups: 'data',
  messenger_bots: 'data',
  messenger_invites: 'data',
  messenger_join_requests: 'data',
  webhooks: 'data',
  webhook_events: 'data',
  webhook_deliveries: 'data',
  webhook_attempts: 'data',
  messenger_accounts: 'data',
  community_emails: 'data',
  form_submissions: 'data',
  invitations: 'data',
  mail_outbox: 'data',
  invitation_opt_outs: 'data',
  opt_out_links: 'data',
  // The log keeps what happened when the data is replaced, so it needs no way around its triggers.
  audit_entries: 'server',
  widget_files: 'server',
  database_use: 'server',
  service_names: 'server',
  migration_kinds: 'server',
};

/** Tables with data, referenced tables first. */
const DATA_TABLES = (Object.keys(TABLES) as (keyof Schema)[]).filter((table) => TABLES[table] === 'data');

/** Rows per insert. Even for the widest table, this stays below the parameter limits of both engines. */
const ROWS_PER_INSERT = 200;

/** Reads all data as of one instant. */
export async function readTables(db: Database): Promise<TableContents> {
  return await inTransaction(db, async (transaction) => {
    const contents: Record<string, readonly TableRow[]> = {};
    for (const table of DATA_TABLES)
      contents[table] = await transaction.selectFrom(table).selectAll().execute();
    return contents;
  });
}

/**
 * Replaces all data in one transaction.
 *
 * @param replaced runs in the same transaction, after the data is replaced. It may run more than once.
 * @throws Error if a table or a column is unknown, or a row breaks a rule of the schema. Nothing changes then.
 */
export async function replaceTables(
  db: Database,
  contents: TableContents,
  replaced: (transaction: Database) => Promise<void> = async () => undefined,
): Promise<void> {
  const unknown = Object.keys(contents).find((table) => !DATA_TABLES.some((known) => known === table));
  if (unknown !== undefined) throw new Error(`The database has no data table "${unknown}".`);
  await inTransaction(db, async (transaction) => {
    // Deleting thousands of referenced rows takes PostgreSQL longer than a statement of a request may.
    if (hasRowLocks(transaction)) await sql`set local statement_timeout = 0`.execute(transaction);
    for (const table of DATA_TABLES.toReversed()) await transaction.deleteFrom(table).execute();
    await eachInsert(contents, (table, rows) => transaction.insertInto(table).values(rows).execute());
    await recordAudit(transaction, { action: 'data.replace', subjectId: null });
    await replaced(transaction);
  });
}

/**
 * Adds rows in one transaction. Skips rows that break a unique index, so adding rows again changes nothing.
 *
 * @throws Error if a column is unknown, or a row breaks another rule of the schema. Nothing changes then.
 */
export async function addRows(db: Database, contents: TableContents): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await eachInsert(contents, (table, rows) =>
      transaction
        .insertInto(table)
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    await recordAudit(transaction, { action: 'data.add', subjectId: null });
  });
}

/**
 * Calls a function with the rows of each insert, referenced tables first. The engine checks the names and types of the
 * columns.
 */
async function eachInsert(
  contents: TableContents,
  insert: (table: keyof Schema, rows: never[]) => Promise<unknown>,
): Promise<void> {
  for (const table of DATA_TABLES) {
    const rows = contents[table] ?? [];
    for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
      await insert(table, rows.slice(start, start + ROWS_PER_INSERT) as never[]);
    }
  }
}
