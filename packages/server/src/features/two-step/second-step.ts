import { DAY_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import { type Budget, useBudgets } from '../budgets/budgets.js';
import { type SessionPlace, type SessionStart, startSession } from '../sessions/sessions.js';
import { isOpenAttempt } from '../sign-in/sign-in-codes.js';
import { findUser } from '../users/users.js';
import { findAuthenticatorApp } from './authenticator-app.js';
import { type EnteredFactor, enterSecondFactor, rememberProvenBrowser } from './second-factor.js';
import { queueTwoStepMail } from './two-step-mail.js';

export const SECOND_STEP_LIFETIME_SECONDS = 10 * 60;
const SECOND_STEP_TRIES = 5;

export type SecondStepResult =
  | {
      kind: 'correct';
      userId: string;
      method: 'app' | 'recovery-code';
      /** Sessions of the browser. The first one has just started. */
      sessionIds: readonly string[];
      provenSecret: string;
    }
  | { kind: 'wrong' | 'used'; userId: string; triesLeft: number }
  /** The sign-in has expired, was finished, or was tried too often, or two-step sign-in has been turned off. */
  | { kind: 'invalid' }
  | { kind: 'exhausted'; userId: string; availableAt: number };

export type FirstStepResult =
  | { kind: 'signed-in'; sessionIds: readonly string[] }
  /** The secret binds the second step to the browser. */
  | { kind: 'second-step'; attemptSecret: string }
  /** The user has changed the address meanwhile. */
  | { kind: 'other-address' };

/** The transaction is serializable: a setup that ends the user's sessions at the same moment misses none. */
export async function finishFirstStep(
  db: Database,
  { email, ...start }: SessionStart & { email: string },
  now: number,
): Promise<FirstStepResult> {
  const { userId } = start;
  return await inTransaction(db, async (transaction) => {
    const user = await findUser(transaction, userId);
    if (user?.email !== email) return { kind: 'other-address' };
    if ((await findAuthenticatorApp(transaction, userId)) === undefined) {
      return { kind: 'signed-in', sessionIds: await startSession(transaction, start, now) };
    }
    return { kind: 'second-step', attemptSecret: await beginSecondStep(transaction, userId, now) };
  });
}

async function beginSecondStep(db: Database, userId: string, now: number): Promise<string> {
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

export async function findSecondStep(db: Database, attemptSecret: string, now: number) {
  return await db
    .selectFrom('second_step_attempts')
    .innerJoin('users', 'users.id', 'second_step_attempts.user_id')
    .select(['users.id as userId', 'users.email'])
    .where(isOpenAttempt({ attemptSecret, maxTries: SECOND_STEP_TRIES }, now))
    .executeTakeFirst();
}

/** Every try is counted before the check. A sign-in succeeds once, in the transaction that starts its session. */
export async function enterSecondStep(
  db: Database,
  {
    attemptSecret,
    earlier,
    ...entered
  }: Omit<EnteredFactor & SessionStart, 'userId'> & { attemptSecret: string },
  now: number,
): Promise<SecondStepResult> {
  const work = async (transaction: Database): Promise<SecondStepResult> => {
    const attempt = await countTry(transaction, attemptSecret, now);
    if (attempt === undefined) return { kind: 'invalid' };
    const { user_id: userId, tries } = attempt;
    const result = await enterSecondFactor(transaction, { userId, ...entered }, now);
    const { browser, network, provenSecret } = entered;
    if (result.kind !== 'correct') {
      if (result.kind === 'off') return { kind: 'invalid' };
      if (result.kind === 'exhausted') return { ...result, userId };
      const triesLeft = SECOND_STEP_TRIES - tries;
      if (triesLeft === 0) await warnUser(transaction, { userId, browser, network }, now);
      return { kind: result.kind, userId, triesLeft };
    }
    await transaction
      .updateTable('second_step_attempts')
      .set({ spent_at: now })
      .where('attempt_hash', '=', hashSecret(attemptSecret))
      .execute();
    const sessionIds = await startSession(transaction, { userId, browser, network, earlier }, now);
    const { method, app } = result;
    const proven = await rememberProvenBrowser(transaction, { app, earlier: provenSecret }, now);
    return { kind: 'correct', userId, method, sessionIds, provenSecret: proven };
  };
  // The writes lock the rows of attempt, app and budget, so each transaction decides by the latest values.
  return await inTransaction(db, work, { isolation: 'read committed' });
}

/** Someone else may be reading the user's mail. Warns at most once a day. */
async function warnUser(
  transaction: Database,
  { userId, ...place }: SessionPlace & { userId: string },
  now: number,
): Promise<void> {
  const daily: Budget = { counted: ['user', 'mail about wrong codes', userId], limit: 1, periodMs: DAY_MS };
  const use = await useBudgets(transaction, [daily], now);
  if (use.kind === 'used')
    await queueTwoStepMail(transaction, { userId, change: 'wrong-codes', ...place }, now);
}

async function countTry(transaction: Database, attemptSecret: string, now: number) {
  return await transaction
    .updateTable('second_step_attempts')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where(isOpenAttempt({ attemptSecret, maxTries: SECOND_STEP_TRIES }, now))
    .returning(['user_id', 'tries'])
    .executeTakeFirst();
}
