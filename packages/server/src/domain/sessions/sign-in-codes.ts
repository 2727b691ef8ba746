import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import {
  createOpaqueSecret,
  createSixDigits,
  hashSecret,
  hashSignInCode,
  isSameHash,
} from '../../platform/secrets.js';

/** Lifetime of an emailed code, in seconds. */
export const SIGN_IN_CODE_LIFETIME_SECONDS = 10 * 60;
/** Maximum number of attempts per code. */
const SIGN_IN_CODE_TRIES = 5;
/** Maximum number of codes per email address within {@link SIGN_IN_CODES_WINDOW_SECONDS}. */
const SIGN_IN_CODES_PER_WINDOW = 5;
/** Time over which the codes of an email address are counted, in seconds. */
export const SIGN_IN_CODES_WINDOW_SECONDS = 15 * 60;
const WINDOW_MS = SIGN_IN_CODES_WINDOW_SECONDS * 1000;

/** Sign-in attempt. The browser receives the secret, and the mailbox receives the code. */
interface SignInAttempt {
  attemptSecret: string;
  code: string;
}

/** Result of {@link enterSignInCode}. */
type SignInCodeResult =
  | { kind: 'correct'; email: string }
  | { kind: 'wrong'; email: string; triesLeft: number }
  /** The code has expired, was used, was attempted too often, or never existed. */
  | { kind: 'invalid' };

/** Creates a sign-in attempt. `undefined` if the email address has received the maximum number of codes. */
export async function createSignInCode(
  db: Database,
  email: string,
  now: number,
): Promise<SignInAttempt | undefined> {
  const secret = createOpaqueSecret();
  const code = createSixDigits();
  const work = async (transaction: Database) => {
    // The address's row is written first, so that concurrent requests for the address wait for this count.
    await transaction
      .insertInto('sign_in_addresses')
      .values({ email, last_asked_at: now })
      .onConflict((conflict) => conflict.column('email').doUpdateSet({ last_asked_at: now }))
      .execute();
    const { sent } = await transaction
      .selectFrom('sign_in_codes')
      .select(({ fn }) => fn.countAll<number>().as('sent'))
      .where('email', '=', email)
      .where('created_at', '>', now - WINDOW_MS)
      // Codes from a clock that was far ahead must not block sign-in until that time.
      .where('created_at', '<', now + WINDOW_MS)
      .executeTakeFirstOrThrow();
    if (Number(sent) >= SIGN_IN_CODES_PER_WINDOW) return undefined;
    await transaction
      .insertInto('sign_in_codes')
      .values({
        attempt_hash: secret.hash,
        email,
        code_hash: hashSignInCode(secret.text, code),
        tries: 0,
        created_at: now,
        expires_at: now + SIGN_IN_CODE_LIFETIME_SECONDS * 1000,
        spent_at: null,
      })
      .execute();
    return { attemptSecret: secret.text, code };
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

/** Returns the email address of a valid attempt. */
export async function findSignInEmail(
  db: Database,
  attemptSecret: string,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sign_in_codes')
    .select('email')
    .where('attempt_hash', '=', hashSecret(attemptSecret))
    .where('spent_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.email;
}

/** Checks an entered code. The attempt is counted before the check, so that parallel guesses count. A code works once. */
export async function enterSignInCode(
  db: Database,
  attemptSecret: string,
  code: string,
  now: number,
): Promise<SignInCodeResult> {
  const attempt = await db
    .updateTable('sign_in_codes')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('attempt_hash', '=', hashSecret(attemptSecret))
    .where('spent_at', 'is', null)
    .where('tries', '<', SIGN_IN_CODE_TRIES)
    .where('expires_at', '>', now)
    .returning(['attempt_hash', 'email', 'code_hash', 'tries'])
    .executeTakeFirst();
  if (attempt === undefined) return { kind: 'invalid' };
  const { attempt_hash, email, code_hash, tries } = attempt;
  if (!isSameHash(code_hash, hashSignInCode(attemptSecret, code))) {
    return { kind: 'wrong', email, triesLeft: SIGN_IN_CODE_TRIES - tries };
  }
  const redeemed = await db
    .updateTable('sign_in_codes')
    .set({ spent_at: now })
    .where('attempt_hash', '=', attempt_hash)
    .where('spent_at', 'is', null)
    .returning('email')
    .executeTakeFirst();
  return redeemed === undefined ? { kind: 'invalid' } : { kind: 'correct', email };
}
