import { type Kysely, Migrator, sql } from './kysely/kysely.js';
import { signIn } from './migrations/0001-sign-in.js';
import { service } from './migrations/0002-service.js';
import { widgetReleases } from './migrations/0003-widget-releases.js';
import { databaseUse } from './migrations/0004-database-use.js';
import { messengerAccounts } from './migrations/0005-messenger-accounts.js';
import { proofsAndBudgets } from './migrations/0006-proofs-and-budgets.js';
import { invitations } from './migrations/0007-invitations.js';
import { verificationAndAnswers } from './migrations/0008-verification-and-answers.js';
import { serviceNames } from './migrations/0009-service-names.js';
import { brands } from './migrations/0010-brands.js';
import { planBenefits } from './migrations/0011-plan-benefits.js';
import { mailOutbox } from './migrations/0012-mail-outbox.js';
import { sessionDetails } from './migrations/0013-session-details.js';
import { sellerLists } from './migrations/0014-seller-lists.js';
import { attemptExchanges } from './migrations/0015-attempt-exchanges.js';
import type { Schema } from './schema.js';

/** All migrations, in the order of their names. A released migration never changes. A change of the schema is a new one. */
const MIGRATIONS = {
  '0001-sign-in': signIn,
  '0002-service': service,
  '0003-widget-releases': widgetReleases,
  '0004-database-use': databaseUse,
  '0005-messenger-accounts': messengerAccounts,
  '0006-proofs-and-budgets': proofsAndBudgets,
  '0007-invitations': invitations,
  '0008-verification-and-answers': verificationAndAnswers,
  '0009-service-names': serviceNames,
  '0010-brands': brands,
  '0011-plan-benefits': planBenefits,
  '0012-mail-outbox': mailOutbox,
  '0013-session-details': sessionDetails,
  '0014-seller-lists': sellerLists,
  '0015-attempt-exchanges': attemptExchanges,
};

const POSTGRES_UNDEFINED_TABLE = '42P01';

/** Migrations of a database, compared with those of this version of the service. Names in order. */
export interface SchemaStatus {
  /** Migrations that the database has. */
  applied: readonly string[];
  /** Migrations that the database lacks. */
  pending: readonly string[];
  /** Migrations of a newer version of the service. */
  unknown: readonly string[];
}

/**
 * Migrates the database to the newest schema, in one transaction. If several processes migrate at once, one does the work
 * and the others wait: for an advisory lock on PostgreSQL, for the file's write lock on SQLite.
 *
 * @returns the names of the migrations that this call applied.
 * @throws Error if a newer version has migrated the database, or if a migration fails. The schema then stays unchanged.
 */
export async function migrate(db: Kysely<Schema>): Promise<string[]> {
  const { unknown } = await schemaStatus(db);
  if (unknown.length > 0) throw newerSchema(unknown);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** Reads the migrations of a database in one query, without changes. */
export async function schemaStatus(db: Kysely<Schema>): Promise<SchemaStatus> {
  const known = Object.keys(MIGRATIONS);
  const recorded = await recordedMigrations(db);
  return {
    applied: known.filter((name) => recorded.includes(name)),
    pending: known.filter((name) => !recorded.includes(name)),
    unknown: recorded.filter((name) => !known.includes(name)),
  };
}

export function newerSchema(unknown: readonly string[]): Error {
  return new Error(
    `The database has unknown migrations (${unknown.join(', ')}), because a newer version of the service migrated it. Run that version or a later one.`,
  );
}

/** Returns the migrations that Kysely recorded. Kysely's own function also reads the whole system catalogue. */
async function recordedMigrations(db: Kysely<Schema>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

function isMissingTable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === POSTGRES_UNDEFINED_TABLE || error.message.startsWith('no such table');
}
