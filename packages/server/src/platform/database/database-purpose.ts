import type { Database } from './open-database.js';

/**
 * Records the purpose of a database at the first start on it, and checks it at every later start. If several processes
 * start at once, the first one decides.
 *
 * @throws Error if the database has another purpose.
 */
export async function reserveDatabase(db: Database, purpose: string, now: number): Promise<void> {
  const recorded =
    (await readPurpose(db)) ??
    (await db
      .insertInto('database_use')
      .values({ id: 1, use: purpose, since: now })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
      .then(() => readPurpose(db)));
  if (recorded !== purpose) {
    throw new Error(
      `Option "database" names a database whose purpose is "${recorded}". This server needs one whose purpose is "${purpose}": use a database that no other service uses.`,
    );
  }
}

async function readPurpose(db: Database): Promise<string | undefined> {
  const row = await db.selectFrom('database_use').select('use').executeTakeFirst();
  return row?.use;
}
