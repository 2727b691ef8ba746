import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { hashSecret } from '../../platform/secrets.js';
import { recordAudit } from '../audit/audit.js';
import { endAllSessions, renewSessionId, type SessionPlace } from '../sessions/sessions.js';
import { typedCode } from '../sign-in/sign-in-codes.js';
import { createTotpSecret, findTotpStep } from './authenticator-app.js';
import {
  deleteRecoveryCodes,
  type EnteredFactor,
  enterSecondFactor,
  rememberProvenBrowser,
  replaceRecoveryCodes,
} from './second-factor.js';
import { queueTwoStepMail, type TwoStepChange } from './two-step-mail.js';

const SETUP_LIFETIME_MS = 10 * 60_000;

export interface SettingsSession {
  userId: string;
  sessionId: string;
}

/** No other session shows the secret, and the session gets a new id, so a stolen copy of the old one doesn't either. */
export async function beginSetup(db: Database, session: SettingsSession, now: number) {
  const { userId, sessionId } = session;
  const setup = { user_id: userId, secret: await createTotpSecret(), expires_at: now + SETUP_LIFETIME_MS };
  return await inTransaction(db, async (transaction) => {
    const renewed = await renewSessionId(transaction, session);
    if (renewed === undefined) return undefined;
    const earlier = hashSecret(sessionId);
    await transaction.deleteFrom('second_factor_setups').where('session_hash', '=', earlier).execute();
    await transaction
      .insertInto('second_factor_setups')
      .values({ session_hash: hashSecret(renewed), ...setup })
      .execute();
    return renewed;
  });
}

export async function findSetup(db: Database, { userId, sessionId }: SettingsSession, now: number) {
  const row = await db
    .selectFrom('second_factor_setups')
    .select('secret')
    .where('session_hash', '=', hashSecret(sessionId))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.secret;
}

export type SetupResult =
  | {
      kind: 'on';
      recoveryCodes: string[];
      /** See `rememberProvenBrowser`. */
      provenSecret: string;
    }
  | { kind: 'wrong' }
  | { kind: 'expired' };

export async function confirmSetup(
  db: Database,
  confirmation: SettingsSession & SessionPlace & { code: string; endsOtherSessions: boolean },
  now: number,
): Promise<SetupResult> {
  const { userId, sessionId, browser, network, endsOtherSessions } = confirmation;
  return await inTransaction(db, async (transaction) => {
    const secret = await findSetup(transaction, { userId, sessionId }, now);
    if (secret === undefined) return { kind: 'expired' };
    const code = typedCode(confirmation.code);
    const step = await findTotpStep({ secret, code }, now);
    if (step === undefined) return { kind: 'wrong' };
    const app = { user_id: userId, secret, created_at: now };
    const added = await transaction
      .insertInto('second_factors')
      .values({ ...app, last_step: step })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    await transaction.deleteFrom('second_factor_setups').where('user_id', '=', userId).execute();
    // Another tab was faster.
    if (added === undefined) return { kind: 'expired' };
    await recordAudit(transaction, { action: 'two-step.turn-on', subjectId: userId });
    const recoveryCodes = await replaceRecoveryCodes(transaction, userId);
    const others = { userId, except: sessionId, apps: false };
    if (endsOtherSessions) await endAllSessions(transaction, others, now);
    await queueTwoStepMail(transaction, { userId, change: 'on', browser, network }, now);
    const provenSecret = await rememberProvenBrowser(transaction, { app, earlier: undefined }, now);
    return { kind: 'on', recoveryCodes, provenSecret };
  });
}

async function withFactor<Changed>(
  db: Database,
  { entered, now }: { entered: EnteredFactor; now: number },
  change: (transaction: Database) => Promise<Changed>,
) {
  const work = async (transaction: Database) => {
    const result = await enterSecondFactor(transaction, entered, now);
    return result.kind === 'correct' ? await change(transaction) : result;
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

export async function renewRecoveryCodes(db: Database, entered: EnteredFactor, now: number) {
  const { userId, browser, network } = entered;
  return await withFactor(db, { entered, now }, async (transaction) => {
    const recoveryCodes = await replaceRecoveryCodes(transaction, userId);
    await recordAudit(transaction, { action: 'two-step.renew-recovery-codes', subjectId: userId });
    await queueTwoStepMail(transaction, { userId, change: 'new-recovery-codes', browser, network }, now);
    return { kind: 'renewed' as const, recoveryCodes };
  });
}

export async function turnTwoStepOff(db: Database, entered: EnteredFactor, now: number) {
  const { userId, browser, network } = entered;
  return await withFactor(db, { entered, now }, async (transaction) => {
    await removeTwoStep(transaction, { userId, change: 'off', browser, network }, now);
    return { kind: 'correct' as const };
  });
}

/** Turns two-step sign-in off for a user without the app. False if it is off already. */
export async function turnTwoStepOffAsOperator(db: Database, userId: string, now: number): Promise<boolean> {
  const change = { userId, change: 'off-by-operator', browser: null, network: null } as const;
  return await inTransaction(db, (transaction) => removeTwoStep(transaction, change, now));
}

/** Deletes the app, the recovery codes and everything that waits for them. False if there was no app. */
export async function removeTwoStep(
  transaction: Database,
  change: TwoStepChange,
  now: number,
): Promise<boolean> {
  const { userId } = change;
  const removed = await transaction
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  if (removed === undefined) return false;
  await recordAudit(transaction, { action: 'two-step.turn-off', subjectId: userId });
  await deleteRecoveryCodes(transaction, userId);
  await transaction.deleteFrom('second_step_attempts').where('user_id', '=', userId).execute();
  await transaction.deleteFrom('second_factor_setups').where('user_id', '=', userId).execute();
  await queueTwoStepMail(transaction, change, now);
  return true;
}
