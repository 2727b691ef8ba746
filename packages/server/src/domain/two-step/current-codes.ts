import type { Database } from '../../platform/database/open-database.js';
import { totpCode } from './totp.js';
import { isTwoStepAvailable } from './two-step-migration.js';

/** Maximum number of listed users. */
const LISTED = 100;

/** User with two-step sign-in, and the code that the app shows now. */
export interface CurrentCode {
  email: string;
  code: string;
}

/**
 * Returns the current codes of users with two-step sign-in, by email address. For test tools only: the codes sign in.
 *
 * @param email limits the list to one user.
 */
export async function listCurrentCodes(
  db: Database,
  email: string | undefined,
  now: number,
): Promise<CurrentCode[]> {
  if (!(await isTwoStepAvailable(db))) return [];
  const rows = await db
    .selectFrom('second_factors')
    .innerJoin('users', 'users.id', 'second_factors.user_id')
    .select(['users.email', 'second_factors.secret'])
    .where('users.email', 'is not', null)
    .$if(email !== undefined, (query) => query.where('users.email', '=', email ?? ''))
    .orderBy('users.email')
    .limit(LISTED)
    .execute();
  return await Promise.all(
    rows.map(async (row) => ({ email: row.email ?? '', code: await totpCode(row.secret, now) })),
  );
}
