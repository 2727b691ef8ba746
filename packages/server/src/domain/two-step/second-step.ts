import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import type { SessionPlace } from '../sessions/sessions.js';
import { enterSecondFactor, type SecondFactorResult } from './second-factor.js';

/** Time between the e-mailed code and the second step, in seconds. */
export const SECOND_STEP_LIFETIME_SECONDS = 10 * 60;
/** Maximum number of codes that can be entered in one sign-in. */
const SECOND_STEP_TRIES = 5;

/** Result of {@link enterSecondStep}. */
export type SecondStepResult =
  | { kind: 'correct'; userId: string; method: 'app' | 'recovery-code' }
  | { kind: 'wrong' | 'used'; userId: string; triesLeft: number }
  /** The sign-in has expired, was finished, or was attempted too often, or two-step sign-in is off meanwhile. */
  | { kind: 'invalid' }
  | { kind: 'exhausted'; userId: string; availableAt: number };

/** Starts the second step of a sign-in. Returns a secret that binds it to the browser. */
export async function beginSecondStep(db: Database, userId: string, now: number): Promise<string> {
  const { text, hash } = createOpaqueSecret();
  await db
    .insertInto('second_step_attempts')
    .values({
      attempt_hash: hash,
      user_id: userId,
      tries: 0,
      expires_at: now + SECOND_STEP_LIFETIME_SECONDS * 1000,
      spent_at: null,
    })
    .execute();
  return text;
}

/** Returns the user's id and e-mail address of a sign-in that waits for the second step. */
export async function findSecondStep(
  db: Database,
  attemptSecret: string,
  now: number,
): Promise<{ userId: string; email: string | null } | undefined> {
  const row = await db
    .selectFrom('second_step_attempts')
    .innerJoin('users', 'users.id', 'second_step_attempts.user_id')
    .select(['users.id', 'users.email'])
    .where('attempt_hash', '=', hashSecret(attemptSecret))
    .where('spent_at', 'is', null)
    .where('tries', '<', SECOND_STEP_TRIES)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row && { userId: row.id, email: row.email };
}

/** Checks the second factor of a sign-in. Every try is counted before the check. A sign-in succeeds once. */
export async function enterSecondStep(
  db: Database,
  { attemptSecret, code, ...place }: SessionPlace & { attemptSecret: string; code: string },
  now: number,
): Promise<SecondStepResult> {
  const work = async (transaction: Database): Promise<SecondStepResult> => {
    const attempt = await countTry(transaction, attemptSecret, now);
    if (attempt === undefined) return { kind: 'invalid' };
    const { user_id: userId, tries } = attempt;
    const result = await enterSecondFactor(transaction, { userId, code, ...place }, now);
    if (result.kind === 'correct') {
      await transaction
        .updateTable('second_step_attempts')
        .set({ spent_at: now })
        .where('attempt_hash', '=', hashSecret(attemptSecret))
        .execute();
    }
    return stepResult(result, { userId, triesLeft: SECOND_STEP_TRIES - tries });
  };
  // The rows of attempt, budget and factor are locked by the writes, so each transaction decides by the latest values.
  return await inTransaction(db, work, { isolation: 'read committed' });
}

function stepResult(
  result: SecondFactorResult,
  { userId, triesLeft }: { userId: string; triesLeft: number },
): SecondStepResult {
  switch (result.kind) {
    case 'correct':
    case 'exhausted':
      return { ...result, userId };
    case 'off':
      return { kind: 'invalid' };
    case 'wrong':
    case 'used':
      return { kind: result.kind, userId, triesLeft };
  }
}

/** Counts a try and locks the attempt until the transaction ends. */
async function countTry(transaction: Database, attemptSecret: string, now: number) {
  return await transaction
    .updateTable('second_step_attempts')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('attempt_hash', '=', hashSecret(attemptSecret))
    .where('spent_at', 'is', null)
    .where('tries', '<', SECOND_STEP_TRIES)
    .where('expires_at', '>', now)
    .returning(['user_id', 'tries'])
    .executeTakeFirst();
}
