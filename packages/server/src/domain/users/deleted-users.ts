import type { Database } from '../../platform/database/open-database.js';
import { hashSecret } from '../../platform/secrets.js';

/**
 * Returns the id of the row that keeps the payments and the ended memberships of a deleted user. It is the hash of the user's random
 * id: the id of the user leads to the row, and the row does not reveal the id of the user.
 *
 * @param deletion number of earlier deletions of a user with the same id. Only restored rows have the id again.
 */
export function deletedUserIdOf(userId: string, deletion = 0): string {
  const hash = hashSecret(`deleted user.${userId}.${deletion}`);
  // Version 8 is for UUIDs of an application's own making (RFC 9562 5.8).
  const hex = `${hash.slice(0, 12)}8${hash.slice(13, 16)}8${hash.slice(17, 32)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** True if a user with this id was deleted. */
export async function wasUserDeleted(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', deletedUserIdOf(userId))
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the row that stands for a deleted user, and returns its id. */
export async function insertDeletedUser(transaction: Database, userId: string, now: number): Promise<string> {
  for (let deletion = 0; ; deletion += 1) {
    const id = deletedUserIdOf(userId, deletion);
    const inserted = await transaction
      .insertInto('users')
      .values({ id, email: null, name: null, messenger_user_id: null, created_at: now, deleted_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted !== undefined) return id;
  }
}
