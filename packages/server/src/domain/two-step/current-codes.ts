import type { Database } from '../../platform/database/open-database.js';
import { totpCode } from './totp.js';

/** Maximum number of listed users. */
const LISTED = 100;

/** User with two-step sign-in, and the code that the app shows now. */
export interface CurrentCode {
  email: string;
  code: string;
  /** False while the set-up waits for its confirmation. */
  isOn: boolean;
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
  const active = await db
    .selectFrom('second_factors')
    .innerJoin('users', 'users.id', 'second_factors.user_id')
    .select(['users.email', 'second_factors.secret'])
    .$if(email !== undefined, (query) => query.where('users.email', '=', email ?? ''))
    .orderBy('users.email')
    .limit(LISTED)
    .execute();
  const pending = await db
    .selectFrom('second_factor_setups')
    .innerJoin('users', 'users.id', 'second_factor_setups.user_id')
    .select(['users.email', 'second_factor_setups.secret'])
    .where('second_factor_setups.expires_at', '>', now)
    .$if(email !== undefined, (query) => query.where('users.email', '=', email ?? ''))
    .orderBy('users.email')
    .limit(LISTED)
    .execute();
  const rows = [
    ...active.map((row) => ({ ...row, isOn: true })),
    ...pending.map((row) => ({ ...row, isOn: false })),
  ];
  const codes = rows.map(async ({ email: to, secret, isOn }) => {
    return to === null ? [] : [{ email: to, code: await totpCode(secret, now), isOn }];
  });
  return (await Promise.all(codes)).flat();
}

/** Returns the email addresses of users with two-step sign-in. For test tools. */
export async function listTwoStepUsers(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('second_factors')
    .innerJoin('users', 'users.id', 'second_factors.user_id')
    .select('users.email')
    .limit(LISTED)
    .execute();
  return rows.flatMap(({ email }) => (email === null ? [] : [email]));
}
