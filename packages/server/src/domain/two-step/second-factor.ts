import { DAY_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { type Budget, useBudgets } from '../budgets/budgets.js';
import type { SessionPlace } from '../sessions/sessions.js';
import { type AuthenticatorApp, findAuthenticatorApp, lockAuthenticatorApp } from './authenticator-app.js';
import { findProvenBrowser } from './proven-browsers.js';
import { countRecoveryCodes, useRecoveryCode } from './recovery-codes.js';
import { findTotpStep } from './totp.js';
import { queueTwoStepMail } from './two-step-mail.js';

/**
 * Wrong codes of an app that can be entered for a user in a day: by one proven browser, and by all other browsers together. Proven
 * browsers are counted apart, so that an attacker who reads the mailbox can't lock them out.
 */
const WRONG_CODES_PER_DAY = 20;

/** Code that a user enters as the second factor. */
export interface EnteredFactor extends SessionPlace {
  userId: string;
  /** Code of the authenticator app, or a recovery code. */
  code: string;
  /** Secret that makes the browser a proven one; see `rememberProvenBrowser`. */
  provenSecret: string | undefined;
}

/** Result of {@link enterSecondFactor}. */
export type SecondFactorResult =
  | { kind: 'correct'; method: 'app' | 'recovery-code'; app: AuthenticatorApp }
  | { kind: 'wrong' }
  /** The app's code is right, but it or a later one was accepted before. */
  | { kind: 'used' }
  /** The user does not have two-step sign-in on. */
  | { kind: 'off' }
  | { kind: 'exhausted'; availableAt: number };

/** State of a user's two-step sign-in. */
export interface TwoStepState {
  /** Null if it is off. */
  onSince: number | null;
  recoveryCodesLeft: number;
}

/** Returns the state of a user's two-step sign-in. */
export async function readTwoStepState(db: Database, userId: string): Promise<TwoStepState> {
  const app = await findAuthenticatorApp(db, userId);
  if (app === undefined) return { onSince: null, recoveryCodesLeft: 0 };
  return { onSince: app.created_at, recoveryCodesLeft: await countRecoveryCodes(db, userId) };
}

/**
 * Checks the second factor of a user, and queues a mail if it is a recovery code. Must run in a transaction. A wrong code of the
 * app counts before the check, so that parallel guesses count, and the count of a right code is undone. Recovery codes are not
 * counted: 120 bits can not be guessed, and they still work while an attacker uses up the allowance.
 */
export async function enterSecondFactor(
  transaction: Database,
  entered: EnteredFactor,
  now: number,
): Promise<SecondFactorResult> {
  const app = await lockAuthenticatorApp(transaction, entered.userId);
  if (app === undefined) return { kind: 'off' };
  // Users add spaces and hyphens to codes.
  const code = entered.code.replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(code))
    return await enterRecoveryCode(transaction, { app, entered: { ...entered, code } }, now);
  const provenSecret = entered.provenSecret;
  const proven = provenSecret && (await findProvenBrowser(transaction, { app, provenSecret }, now));
  const use = await useBudgets(transaction, [wrongCodeBudget(entered.userId, proven)], now);
  if (use.kind === 'exhausted') return { kind: 'exhausted', availableAt: use.availableAt };
  const result = await useAppCode(transaction, { app, code }, now);
  if (result.kind === 'correct') await use.undo(transaction);
  return result;
}

async function enterRecoveryCode(
  transaction: Database,
  { app, entered: { userId, code, browser, network } }: { app: AuthenticatorApp; entered: EnteredFactor },
  now: number,
): Promise<SecondFactorResult> {
  if (!(await useRecoveryCode(transaction, { userId, code }, now))) return { kind: 'wrong' };
  const codesLeft = await countRecoveryCodes(transaction, userId);
  const change = { userId, change: 'recovery-code-used', browser, network, codesLeft } as const;
  await queueTwoStepMail(transaction, change, now);
  return { kind: 'correct', method: 'recovery-code', app };
}

/** Accepts each time step once. One conditional write decides between two requests with the same code. */
async function useAppCode(
  transaction: Database,
  { app, code }: { app: AuthenticatorApp; code: string },
  now: number,
): Promise<SecondFactorResult> {
  const { user_id, secret } = app;
  const step = await findTotpStep({ secret, code }, now);
  if (step === undefined) return { kind: 'wrong' };
  const accepted = await transaction
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', user_id)
    .where('secret', '=', secret)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();
  return accepted === undefined ? { kind: 'used' } : { kind: 'correct', method: 'app', app };
}

function wrongCodeBudget(userId: string, provenBrowser: string | undefined): Budget {
  const counted =
    provenBrowser === undefined
      ? ['user', 'wrong second factors', userId]
      : ['browser', 'wrong second factors', provenBrowser];
  return { counted, limit: WRONG_CODES_PER_DAY, periodMs: DAY_MS };
}
