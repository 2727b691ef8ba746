import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { createOpaqueSecret, hashSecret, isSameHash } from '../../platform/secrets.js';
import { recordAudit } from '../audit/audit.js';
import { type Budget, useBudgets } from '../budgets/budgets.js';
import { findSignInTime, isRecentSignIn, type SessionPlace } from '../sessions/sessions.js';
import { typedCode } from '../sign-in/sign-in-codes.js';
import { findUser } from '../users/users.js';
import {
  type AuthenticatorApp,
  findAuthenticatorApp,
  findTotpStep,
  lockAuthenticatorApp,
} from './authenticator-app.js';
import { queueTwoStepMail } from './two-step-mail.js';

/** By one proven browser, and by all others together: an attacker who reads the mailbox can't lock out the first. */
const WRONG_CODES_PER_DAY = 20;

export interface EnteredFactor extends SessionPlace {
  userId: string;
  code: string;
  /** Secret that makes the browser a proven one; see `rememberProvenBrowser`. */
  provenSecret: string | undefined;
}

export type SecondFactorResult =
  | { kind: 'correct'; method: 'app' | 'recovery-code'; app: AuthenticatorApp }
  | { kind: 'wrong' }
  /** The app's code is right, but it or a later one has already been accepted. */
  | { kind: 'used' }
  /** The user doesn't have two-step sign-in on. */
  | { kind: 'off' }
  | { kind: 'exhausted'; availableAt: number };

export async function readTwoStepState(db: Database, userId: string) {
  const app = await findAuthenticatorApp(db, userId);
  if (app === undefined) return { onSince: null, recoveryCodesLeft: 0 };
  return { onSince: app.created_at, recoveryCodesLeft: await countRecoveryCodes(db, userId) };
}

/**
 * Checks a user's second factor, and queues an email if it's a recovery code. Must run in a transaction. A wrong app
 * code is counted before the check, or parallel guesses wouldn't count; a right code undoes its count. Recovery codes
 * aren't counted: 120 bits can't be guessed, and they must still work while an attacker uses up the allowance.
 */
export async function enterSecondFactor(
  transaction: Database,
  entered: EnteredFactor,
  now: number,
): Promise<SecondFactorResult> {
  const app = await lockAuthenticatorApp(transaction, entered.userId);
  if (app === undefined) return { kind: 'off' };
  // Users add spaces and hyphens to codes.
  const code = typedCode(entered.code);
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

export interface EnteredProof extends EnteredFactor {
  sessionId: string;
}

export type UserProof =
  | { readonly kind: 'proven' }
  /** The session has ended, or the sign-in is too old for a user without two-step sign-in. */
  | { readonly kind: 'must-sign-in' }
  | Exclude<SecondFactorResult, { kind: 'correct' | 'off' }>;

/** By the second factor if two-step sign-in is on, otherwise by a recent sign-in. A rejected code is counted. */
export async function proveUser(
  transaction: Database,
  { sessionId, ...entered }: EnteredProof,
  now: number,
): Promise<UserProof> {
  const signedInAt = await findSignInTime(transaction, { userId: entered.userId, sessionId }, now);
  if (signedInAt === undefined) return { kind: 'must-sign-in' };
  const factor = await enterSecondFactor(transaction, entered, now);
  if (factor.kind === 'off') return { kind: isRecentSignIn(signedInAt, now) ? 'proven' : 'must-sign-in' };
  return factor.kind === 'correct' ? { kind: 'proven' } : factor;
}

async function enterRecoveryCode(
  transaction: Database,
  { app, entered: { userId, code, browser, network } }: { app: AuthenticatorApp; entered: EnteredFactor },
  now: number,
): Promise<SecondFactorResult> {
  if (!(await useRecoveryCode(transaction, { userId, code }, now))) return { kind: 'wrong' };
  await recordAudit(transaction, { action: 'two-step.use-recovery-code', subjectId: userId });
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

const RECOVERY_CODE_COUNT = 10;

/** 32 characters that people don't confuse: without I and O, and without 0 and 1. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** 120 random bits. A fast hash is enough for them. */
const LENGTH = 24;
const GROUP = /.{4}(?=.)/g;

/** Returns the stored form of a recovery code, however its groups are separated. */
function hashRecoveryCode(code: string): string {
  return hashSecret(`recovery.${typedCode(code).toUpperCase()}`);
}

function createRecoveryCode(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length));
  return letters.join('').replace(GROUP, '$&-');
}

/** Replaces the recovery codes of a user, and returns the new ones. The database contains only their hashes. */
export async function replaceRecoveryCodes(transaction: Database, userId: string): Promise<string[]> {
  await deleteRecoveryCodes(transaction, userId);
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, createRecoveryCode);
  await transaction
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ code_hash: hashRecoveryCode(code), user_id: userId, used_at: null })))
    .execute();
  return codes;
}

export async function deleteRecoveryCodes(transaction: Database, userId: string): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

async function useRecoveryCode(
  transaction: Database,
  { userId, code }: { userId: string; code: string },
  now: number,
): Promise<boolean> {
  const entered = hashRecoveryCode(code);
  const rows = await unusedCodes(transaction, userId);
  const [match] = rows.filter(({ code_hash }) => isSameHash(code_hash, entered));
  if (match === undefined) return false;
  // Of two requests with the same code, one finds it unused.
  const used = await transaction
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('code_hash', '=', match.code_hash)
    .where('used_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();
  return used !== undefined;
}

async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  return (await unusedCodes(db, userId)).length;
}

async function unusedCodes(db: Database, userId: string) {
  return await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
}

export const PROVEN_BROWSER_LIFETIME_SECONDS = 180 * 24 * 3600;

interface ProvenBrowser {
  app: AuthenticatorApp;
  provenSecret: string;
}

/**
 * Returns the stored form of a secret. The prefix separates it from the secrets of known browsers, which prove the
 * mailbox only. It includes the time of the setup, so the proof ends with the setup.
 */
export function hashProof({ app: { user_id, created_at }, provenSecret }: ProvenBrowser): string {
  return hashSecret(`second factor.${user_id}.${created_at}.${provenSecret}`);
}

/** A proven browser has a separate allowance for wrong codes. The secret replaces `earlier`, and doesn't sign in. */
export async function rememberProvenBrowser(
  transaction: Database,
  { app, earlier }: { app: AuthenticatorApp; earlier: string | undefined },
  now: number,
): Promise<string> {
  if (earlier !== undefined) {
    const earlierHash = hashProof({ app, provenSecret: earlier });
    await transaction.deleteFrom('known_browsers').where('secret_hash', '=', earlierHash).execute();
  }
  const { text } = createOpaqueSecret();
  const user = await findUser(transaction, app.user_id);
  await transaction
    .insertInto('known_browsers')
    .values({
      secret_hash: hashProof({ app, provenSecret: text }),
      email: user?.email ?? '',
      expires_at: now + PROVEN_BROWSER_LIFETIME_SECONDS * 1000,
    })
    .execute();
  return text;
}

/** Returns the identifier of a browser that has entered a second factor of the current setup before. */
async function findProvenBrowser(db: Database, proof: ProvenBrowser, now: number) {
  const row = await db
    .selectFrom('known_browsers')
    .select('secret_hash')
    .where('secret_hash', '=', hashProof(proof))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.secret_hash;
}
