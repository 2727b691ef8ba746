import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import {
  createOpaqueSecret,
  createSixDigits,
  hashSecret,
  hashSignInCode,
  isSameHash,
} from '../../platform/secrets.js';

/** How long an e-mailed code can be entered. */
export const SIGN_IN_CODE_LIFETIME_SECONDS = 10 * 60;
/** How often a code can be tried. */
const SIGN_IN_CODE_TRIES = 5;
/** How many codes one address can be sent within {@link SIGN_IN_CODES_WINDOW_SECONDS}. */
const SIGN_IN_CODES_PER_WINDOW = 5;
/** The time over which an address's codes are counted. */
export const SIGN_IN_CODES_WINDOW_SECONDS = 15 * 60;
const WINDOW_MS = SIGN_IN_CODES_WINDOW_SECONDS * 1000;

/** A new attempt to sign in: the secret for the browser that asked, the code for the mailbox. */
interface SignInAttempt {
  attemptSecret: string;
  code: string;
}

/** What became of an entered code. */
type SignInCodeOutcome =
  | { kind: 'right'; email: string }
  | { kind: 'wrong'; email: string; triesLeft: number }
  /** Expired, used, tried too often, or never there. */
  | { kind: 'void' };
/** A new attempt, or `undefined` when the address has been sent enough codes for now. */
export async function createSignInCode(
  db: Database,
  email: string,
  now: number,
): Promise<SignInAttempt | undefined> {
  const secret = createOpaqueSecret();
  const code = createSixDigits();
  const work = async (transaction: Database) => {
    // Writing the address's row first makes everybody else who asks for the same address wait for this count.
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
      // Codes of a clock that was far ahead must not keep anybody out until it would be right.
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

/** The address that a living attempt is for. */
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

/** Counts the try before it is judged, so that parallel guesses count too; the right code is spent at once. */
export async function enterSignInCode(
  db: Database,
  attemptSecret: string,
  code: string,
  now: number,
): Promise<SignInCodeOutcome> {
  const tried = await db
    .updateTable('sign_in_codes')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('attempt_hash', '=', hashSecret(attemptSecret))
    .where('spent_at', 'is', null)
    .where('tries', '<', SIGN_IN_CODE_TRIES)
    .where('expires_at', '>', now)
    .returning(['attempt_hash', 'email', 'code_hash', 'tries'])
    .executeTakeFirst();
  if (tried === undefined) return { kind: 'void' };
  const { attempt_hash, email, code_hash, tries } = tried;
  if (!isSameHash(code_hash, hashSignInCode(attemptSecret, code))) {
    return { kind: 'wrong', email, triesLeft: SIGN_IN_CODE_TRIES - tries };
  }
  const spent = await db
    .updateTable('sign_in_codes')
    .set({ spent_at: now })
    .where('attempt_hash', '=', attempt_hash)
    .where('spent_at', 'is', null)
    .returning('email')
    .executeTakeFirst();
  return spent === undefined ? { kind: 'void' } : { kind: 'right', email };
}
