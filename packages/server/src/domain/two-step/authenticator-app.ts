import type { Database } from '../../platform/database/open-database.js';

/** Authenticator app of a user. */
export interface AuthenticatorApp {
  user_id: string;
  secret: string;
  /** Identifies the set-up. */
  created_at: number;
}

const COLUMNS = ['user_id', 'secret', 'created_at'] as const;

/** Returns the authenticator app of a user. `undefined` if two-step sign-in is off. */
export async function findAuthenticatorApp(
  db: Database,
  userId: string,
): Promise<AuthenticatorApp | undefined> {
  return await db
    .selectFrom('second_factors')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/**
 * Returns the authenticator app of a user, and locks it until the transaction ends. Changes of the app and of its recovery codes run
 * one after another.
 */
export async function lockAuthenticatorApp(
  transaction: Database,
  userId: string,
): Promise<AuthenticatorApp | undefined> {
  return await transaction
    .updateTable('second_factors')
    .set(({ ref }) => ({ last_step: ref('last_step') }))
    .where('user_id', '=', userId)
    .returning(COLUMNS)
    .executeTakeFirst();
}
