import type { Database } from '../../platform/database/open-database.js';
import { type Budget, useBudgets } from '../budgets/budgets.js';
import type { SessionPlace } from '../sessions/sessions.js';
import { countRecoveryCodes, useRecoveryCode } from './recovery-codes.js';
import { findTotpStep } from './totp.js';
import { queueTwoStepMail } from './two-step-mail.js';
import { isTwoStepAvailable } from './two-step-migration.js';

/** Wrong codes that all browsers together can enter for a user in a day. */
const WRONG_CODES_PER_USER = 20;
const DAY_MS = 24 * 3600_000;

/** Code that a user enters as the second factor. */
export interface EnteredFactor extends SessionPlace {
  userId: string;
  /** Code of the authenticator app, or a recovery code. */
  code: string;
}

/** Result of {@link enterSecondFactor}. */
export type SecondFactorResult =
  | { kind: 'correct'; method: 'app' | 'recovery-code' }
  | { kind: 'wrong' }
  /** The app's code is right, but it or a later one was accepted before. */
  | { kind: 'used' }
  /** The user does not have two-step sign-in on. */
  | { kind: 'off' }
  | { kind: 'exhausted'; availableAt: number };

/** True if a sign-in of the user needs a second factor. */
export async function isTwoStepOn(db: Database, userId: string): Promise<boolean> {
  return (await findSecondFactor(db, userId)) !== undefined;
}

/** State of a user's two-step sign-in. */
export interface TwoStepState {
  /** Null if it is off. */
  onSince: number | null;
  recoveryCodesLeft: number;
}

/** Returns the state of a user's two-step sign-in. */
export async function readTwoStepState(db: Database, userId: string): Promise<TwoStepState> {
  const factor = await findSecondFactor(db, userId);
  if (factor === undefined) return { onSince: null, recoveryCodesLeft: 0 };
  return { onSince: factor.created_at, recoveryCodesLeft: await countRecoveryCodes(db, userId) };
}

async function findSecondFactor(db: Database, userId: string) {
  if (!(await isTwoStepAvailable(db))) return undefined;
  return await db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/**
 * Checks the second factor of a user, and queues a mail if it is a recovery code. Must run in a transaction. A wrong code
 * counts before the check, so that parallel guesses count, and the count of a right code is undone.
 */
export async function enterSecondFactor(
  transaction: Database,
  entered: EnteredFactor,
  now: number,
): Promise<SecondFactorResult> {
  const use = await useBudgets(transaction, [wrongCodeBudget(entered.userId)], now);
  if (use.kind === 'exhausted') return { kind: 'exhausted', availableAt: use.availableAt };
  const result = await checkFactor(transaction, entered, now);
  if (result.kind === 'correct') await use.undo(transaction);
  return result;
}

async function checkFactor(
  transaction: Database,
  entered: EnteredFactor,
  now: number,
): Promise<SecondFactorResult> {
  const { userId } = entered;
  const factor = await findSecondFactor(transaction, userId);
  if (factor === undefined) return { kind: 'off' };
  // Users add spaces and hyphens to codes.
  const code = entered.code.replace(/[\s-]/g, '');
  if (/^\d{6}$/.test(code))
    return await useAppCode(transaction, { userId, secret: factor.secret, code }, now);
  if (!(await useRecoveryCode(transaction, { userId, code }, now))) return { kind: 'wrong' };
  const { browser, network } = entered;
  const codesLeft = await countRecoveryCodes(transaction, userId);
  const change = { userId, change: 'recovery-code-used', browser, network, codesLeft } as const;
  await queueTwoStepMail(transaction, change, now);
  return { kind: 'correct', method: 'recovery-code' };
}

/** Accepts each time step once. One conditional write decides between two requests with the same code. */
async function useAppCode(
  transaction: Database,
  { userId, secret, code }: { userId: string; secret: string; code: string },
  now: number,
): Promise<SecondFactorResult> {
  const step = await findTotpStep({ secret, code }, now);
  if (step === undefined) return { kind: 'wrong' };
  const accepted = await transaction
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', secret)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();
  return accepted === undefined ? { kind: 'used' } : { kind: 'correct', method: 'app' };
}

function wrongCodeBudget(userId: string): Budget {
  return {
    counted: ['user', 'wrong second factors', userId],
    limit: WRONG_CODES_PER_USER,
    periodMs: DAY_MS,
  };
}
