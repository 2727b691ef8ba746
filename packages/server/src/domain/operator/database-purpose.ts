import type { Database } from '../../platform/database/open-database.js';

/** What a database is for. */
export type DatabaseUse = 'service' | 'sandbox';

const REFUSALS: Readonly<Record<DatabaseUse, string>> = {
  service:
    'Option "database" names a database that a sandbox has used: everybody knows its API key and secrets, and anybody was anybody there. Give the service a database of its own.',
  sandbox:
    'Option "database" names the database of a real service, and in a sandbox anybody signs in as anybody. Give the sandbox a database of its own, or none: it is then kept in memory.',
};

/**
 * Notes at the first start on a database what it is for, and holds every later one to that. Of processes that start at
 * once one decides.
 *
 * @throws Error when it is for the other.
 */
export async function claimDatabase(db: Database, use: DatabaseUse, now: number): Promise<void> {
  const claimed =
    (await readUse(db)) ??
    (await db
      .insertInto('database_use')
      .values({ id: 1, use, since: now })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
      .then(() => readUse(db)));
  if (claimed !== use) throw new Error(REFUSALS[use]);
}

async function readUse(db: Database): Promise<DatabaseUse | undefined> {
  const row = await db.selectFrom('database_use').select('use').executeTakeFirst();
  return row?.use;
}
