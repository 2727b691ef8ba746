import type { Database } from '../../platform/database/open-database.js';

/** Allows a user to create keys with MEMBERSHIP_PROVISION. */
export async function grantProvisioning(db: Database, userId: string, now: number): Promise<void> {
  await db
    .insertInto('provisioning_grants')
    .values({ user_id: userId, granted_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

/** Withdraws the permission to provision. */
export async function withdrawProvisioning(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('provisioning_grants').where('user_id', '=', userId).execute();
}

/** True if the operator allows the user to create keys with MEMBERSHIP_PROVISION. */
export async function mayProvision(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('provisioning_grants')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}
