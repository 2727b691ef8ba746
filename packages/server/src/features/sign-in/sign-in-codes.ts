import { randomInt } from 'node:crypto';
import { sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret, hashSecret, isSameHash } from '../../platform/secrets.js';
import { type BudgetUse, isHalfUsed, useBudgets } from '../budgets/budgets.js';
import { KNOWN_BROWSER_LINK_LIFETIME_SECONDS, rememberBrowser } from './known-browsers.js';
import {
  attackBudgets,
  codeBudgets,
  type SignInBudget,
  type SignInLimits,
  type SignInVisitor,
  wrongCodeBudgets,
} from './sign-in-budgets.js';

export const SIGN_IN_CODE_LIFETIME_SECONDS = 10 * 60;
const SIGN_IN_CODE_TRIES = 5;

/** Letters of a reference. They spell no words and look unlike digits. */
const REFERENCE_LETTERS = 'BCDFGHJKLMNPQRTV';
const REFERENCE_LENGTH = 4;

/** An exhausted budget. `availableAt` is when the request is allowed again. */
export type ExhaustedBudget = Extract<BudgetUse<SignInBudget>, { kind: 'exhausted' }>;

export type SignInAttempt =
  | {
      kind: 'created';
      attemptSecret: string;
      code: string;
      /** Makes known the browser that opens a link with it; `undefined` as long as few codes are requested. */
      browserSecret: string | undefined;
    }
  | ExhaustedBudget;

export type SignInCodeResult =
  | { kind: 'correct'; email: string }
  | { kind: 'wrong'; email: string; triesLeft: number }
  /** The code comes from an earlier email to this browser. It doesn't count as a try. */
  | { kind: 'earlier'; email: string }
  /** The code has expired, was used, was tried too often, or never existed. */
  | { kind: 'invalid' }
  | ExhaustedBudget;

export async function createSignInCode(
  db: Database,
  {
    email,
    visitor,
    limits,
    attemptSecret = createOpaqueSecret().text,
  }: { email: string; visitor: SignInVisitor; limits: SignInLimits; attemptSecret?: string },
  now: number,
): Promise<SignInAttempt> {
  const code = createSixDigits();
  const work = async (transaction: Database): Promise<SignInAttempt> => {
    const use = await useBudgets(transaction, codeBudgets(email, visitor, limits), now);
    if (use.kind === 'exhausted') return use;
    await transaction
      .insertInto('sign_in_codes')
      .values({
        attempt_hash: hashSecret(attemptSecret),
        email,
        code_hash: hashSignInCode(attemptSecret, code),
        tries: 0,
        created_at: now,
        expires_at: now + SIGN_IN_CODE_LIFETIME_SECONDS * 1000,
        spent_at: null,
      })
      .execute();
    const isAttacked = await isHalfUsed(transaction, attackBudgets(email, visitor, limits), now);
    const link = { email, lifetimeSeconds: KNOWN_BROWSER_LINK_LIFETIME_SECONDS };
    const browserSecret = isAttacked ? await rememberBrowser(transaction, link, now) : undefined;
    return { kind: 'created', attemptSecret, code, browserSecret };
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

export async function endSignInAttempts(db: Database, attemptSecrets: readonly string[], now: number) {
  for (const secret of attemptSecrets) {
    await db
      .updateTable('sign_in_codes')
      .set({ spent_at: now })
      .where('attempt_hash', '=', hashSecret(secret))
      .where('spent_at', 'is', null)
      .execute();
  }
}

export async function findSignInEmail(db: Database, attemptSecret: string, now: number) {
  const row = await db
    .selectFrom('sign_in_codes')
    .select('email')
    .where(isOpenAttempt({ attemptSecret, maxTries: SIGN_IN_CODE_TRIES }, now))
    .executeTakeFirst();
  return row?.email;
}

/** Four letters that the mail and the code page show. They help users find the mail of their own request. */
export function signInReference(attemptSecret: string): string {
  return [...hashSecret(`reference.${attemptSecret}`).slice(0, REFERENCE_LENGTH)]
    .map((digit) => REFERENCE_LETTERS[Number.parseInt(digit, 16)])
    .join('');
}

/** Every try is counted before the check, or parallel guesses wouldn't count; a right code undoes its count. */
export async function enterSignInCode(
  db: Database,
  entered: {
    attemptSecret: string;
    /** Secrets of this browser's earlier attempts, which a new code replaced. */
    earlierSecrets: readonly string[];
    code: string;
    email: string;
    visitor: SignInVisitor;
    limits: SignInLimits;
  },
  now: number,
): Promise<SignInCodeResult> {
  const { attemptSecret, earlierSecrets, code, email, visitor, limits } = entered;
  const work = async (transaction: Database): Promise<SignInCodeResult> => {
    const use = await useBudgets(transaction, wrongCodeBudgets(email, visitor, limits), now);
    if (use.kind === 'exhausted') return use;
    const attempt = await countTry(transaction, attemptSecret, now);
    if (attempt === undefined) {
      await use.undo(transaction);
      return { kind: 'invalid' };
    }
    if (!isSameHash(attempt.code_hash, hashSignInCode(attemptSecret, code))) {
      if (await isEarlierCode(transaction, { earlierSecrets, code })) {
        await use.undo(transaction);
        await transaction
          .updateTable('sign_in_codes')
          .set(({ eb }) => ({ tries: eb('tries', '-', 1) }))
          .where('attempt_hash', '=', attempt.attempt_hash)
          .execute();
        return { kind: 'earlier', email: attempt.email };
      }
      return { kind: 'wrong', email: attempt.email, triesLeft: SIGN_IN_CODE_TRIES - attempt.tries };
    }
    await use.undo(transaction);
    await transaction
      .updateTable('sign_in_codes')
      .set({ spent_at: now })
      .where('attempt_hash', '=', attempt.attempt_hash)
      .execute();
    return { kind: 'correct', email: attempt.email };
  };
  // The writes lock the rows of budgets and attempt, so each transaction decides by the latest counts.
  return await inTransaction(db, work, { isolation: 'read committed' });
}

/** Returns the condition that an attempt, of either step of a sign-in, is this one and can still be tried. */
export function isOpenAttempt(attempt: { attemptSecret: string; maxTries: number }, now: number) {
  return sql<boolean>`attempt_hash = ${hashSecret(attempt.attemptSecret)}
    and spent_at is null and tries < ${attempt.maxTries} and expires_at > ${now}`;
}

async function countTry(transaction: Database, attemptSecret: string, now: number) {
  return await transaction
    .updateTable('sign_in_codes')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where(isOpenAttempt({ attemptSecret, maxTries: SIGN_IN_CODE_TRIES }, now))
    .returning(['attempt_hash', 'email', 'code_hash', 'tries'])
    .executeTakeFirst();
}

/** True if the code was emailed for one of these attempts. They have ended, so guesses gain nothing. */
async function isEarlierCode(
  transaction: Database,
  { earlierSecrets, code }: { earlierSecrets: readonly string[]; code: string },
): Promise<boolean> {
  for (const secret of earlierSecrets) {
    const attempt = await transaction
      .selectFrom('sign_in_codes')
      .select('code_hash')
      .where('attempt_hash', '=', hashSecret(secret))
      .where('spent_at', 'is not', null)
      .executeTakeFirst();
    if (attempt !== undefined && isSameHash(attempt.code_hash, hashSignInCode(secret, code))) return true;
  }
  return false;
}

/** Without the spaces and hyphens that people and mail programs add, and with full-width digits as ASCII. */
export function typedCode(text: string): string {
  return text.normalize('NFKC').replace(/[\s-]/g, '');
}

/** Creates a sign-in code of six random digits. A plain hash of it could be reversed; see {@link hashSignInCode}. */
export function createSixDigits(): string {
  return randomInt(1_000_000).toString().padStart(6, '0');
}

/** Includes the attempt's secret, or anyone who reads the database could find the code by hashing all six digits. */
function hashSignInCode(attemptSecret: string, code: string): string {
  return hashSecret(`${attemptSecret}.${code}`);
}
