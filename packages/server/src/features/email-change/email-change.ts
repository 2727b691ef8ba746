import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import { revokeApiKey } from '../api-keys/api-keys.js';
import { listChanged, recordAudit } from '../audit/audit.js';
import { type Budget, useBudgets } from '../budgets/budgets.js';
import { disableClient } from '../clients/clients.js';
import { deactivateAssigned, withdrawOffers, withdrawWhere } from '../communities/roles.js';
import { adoptClaims } from '../memberships/claims.js';
import { revokeConsent } from '../oauth/consents.js';
import { revokeClientAccess } from '../oauth/token-pairs.js';
import { endAllSessions, type SessionPlace } from '../sessions/sessions.js';
import type { SignInLimits, SignInVisitor } from '../sign-in/sign-in-budgets.js';
import {
  createSignInCode,
  enterSignInCode,
  SIGN_IN_CODE_LIFETIME_SECONDS,
  type SignInCodeResult,
} from '../sign-in/sign-in-codes.js';
import { lockAuthenticatorApp } from '../two-step/authenticator-app.js';
import { type EnteredProof, proveUser, type UserProof } from '../two-step/second-factor.js';
import { removeTwoStep } from '../two-step/two-step-settings.js';
import { findUser, findUserByEmail } from '../users/users.js';
import { createWebhookSecret, saveWebhook } from '../webhooks/registration/webhooks.js';
import { queueEmailChangeMail } from './email-change-mail.js';

/** How long the holder of the earlier address can undo a change, in milliseconds. */
const UNDO_MS = 7 * DAY_MS;
const CHANGES_PER_DAY = 5;

/**
 * Returns the secret of the code's attempt. The prefix keeps it apart from the secrets of sign-ins: a code for a change
 * signs nobody in, and a sign-in code changes no address.
 */
const attemptOf = (secret: string) => `email change.${secret}`;

interface Visitor {
  visitor: SignInVisitor;
  limits: SignInLimits;
}

export type BegunChange =
  | { kind: 'begun'; secret: string; code: string }
  | { kind: 'same' }
  | { kind: 'unproven'; proof: Exclude<UserProof, { kind: 'proven' }> }
  | { kind: 'too-many'; availableAt: number };

/** The result doesn't reveal whether someone already has the new address. */
export async function beginEmailChange(
  db: Database,
  { email, proof, visitor, limits }: { email: string; proof: EnteredProof } & Visitor,
  now: number,
): Promise<BegunChange> {
  const { userId } = proof;
  const work = async (transaction: Database): Promise<BegunChange> => {
    const proven = await proveUser(transaction, proof, now);
    if (proven.kind !== 'proven') return { kind: 'unproven', proof: proven };
    const { email: current = null } = (await findUser(transaction, userId)) ?? {};
    if (current === null || current === email) return { kind: 'same' };
    const daily: Budget = {
      counted: ['user', 'email changes', userId],
      limit: CHANGES_PER_DAY,
      periodMs: DAY_MS,
    };
    const use = await useBudgets(transaction, [daily], now);
    if (use.kind === 'exhausted') return { kind: 'too-many', availableAt: use.availableAt };
    const { text: secret } = createOpaqueSecret();
    const attempt = await createSignInCode(
      transaction,
      { email, visitor, limits, attemptSecret: attemptOf(secret) },
      now,
    );
    if (attempt.kind === 'exhausted') return { kind: 'too-many', availableAt: attempt.availableAt };
    await transaction
      .deleteFrom('email_changes')
      .where('user_id', '=', userId)
      .where('changed_at', 'is', null)
      .execute();
    await transaction
      .insertInto('email_changes')
      .values({
        ...{ id: randomUUID(), user_id: userId, old_email: current, new_email: email },
        ...{ attempt_hash: hashSecret(secret), undo_hash: null, changed_at: null },
        expires_at: now + SIGN_IN_CODE_LIFETIME_SECONDS * 1000,
      })
      .execute();
    return { kind: 'begun', secret, code: attempt.code };
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

export async function findPendingChange(
  db: Database,
  { userId, secret }: { userId: string; secret: string },
  now: number,
) {
  return await db
    .selectFrom('email_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('attempt_hash', '=', hashSecret(secret))
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export type FinishedChange =
  | { kind: 'changed'; email: string }
  /** Another account has the new address. Only someone who can read its mail finds out. */
  | { kind: 'taken' }
  /** The change has expired or is finished, or it was begun in another browser or by another account. */
  | { kind: 'invalid' }
  | Extract<SignInCodeResult, { kind: 'wrong' | 'exhausted' }>;

/**
 * Changes the address with the code from the new one, in one transaction. Communities' claims to the new address move
 * to the user, the earlier address stops counting, all of the user's other sessions end, and a mail tells the earlier
 * address how to undo it. If two accounts change to the same address, its unique key lets one win.
 */
export async function finishEmailChange(
  db: Database,
  {
    userId,
    sessionId,
    secret,
    provenHash,
    code,
    visitor,
    limits,
    ...place
  }: {
    userId: string;
    sessionId: string;
    secret: string;
    provenHash: string | undefined;
    code: string;
  } & SessionPlace &
    Visitor,
  now: number,
): Promise<FinishedChange> {
  const work = async (transaction: Database): Promise<FinishedChange> => {
    const pending = await findPendingChange(transaction, { userId, secret }, now);
    if (pending === undefined) return { kind: 'invalid' };
    const { id, old_email: earlier, new_email: email } = pending;
    const entered = await enterSignInCode(
      transaction,
      { attemptSecret: attemptOf(secret), earlierSecrets: [], code, email, visitor, limits },
      now,
    );
    if (entered.kind === 'earlier') return { kind: 'invalid' };
    if (entered.kind !== 'correct') return entered;
    if ((await lockAddress(transaction, userId)) !== earlier) return { kind: 'invalid' };
    const except = { except: sessionId, apps: false, provenHash };
    if (!(await moveAddress(transaction, { userId, from: earlier, to: email, ...except }, now)))
      return { kind: 'taken' };
    await transaction
      .updateTable('email_changes')
      .set({ attempt_hash: null, changed_at: now, expires_at: now + UNDO_MS })
      .where('id', '=', id)
      .execute();
    await queueEmailChangeMail(transaction, { to: earlier, userId, change: id, ...place }, now);
    return { kind: 'changed', email };
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

export async function findUndo(db: Database, secret: string, now: number) {
  return await db
    .selectFrom('email_changes')
    .selectAll()
    .where('undo_hash', '=', hashSecret(secret))
    .where('changed_at', 'is not', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export type UndoneChange = 'undone' | 'expired' | 'taken';

/**
 * Gives the user their earlier address back, in one transaction. All of the user's sessions and tokens end, the links of
 * this change and later ones, and what the account got since the day before: whoever has the address now can't take it
 * back, and has nothing left.
 */
export async function undoEmailChange(db: Database, secret: string, now: number): Promise<UndoneChange> {
  const work = async (transaction: Database): Promise<UndoneChange> => {
    const found = await findUndo(transaction, secret, now);
    if (found === undefined) return 'expired';
    const { user_id: userId, old_email: email, changed_at: changedAt } = found;
    const current = await lockAddress(transaction, userId);
    if ((await findUndo(transaction, secret, now)) === undefined || current === undefined) return 'expired';
    const all = { except: undefined, apps: true };
    if (!(await moveAddress(transaction, { userId, from: current, to: email, ...all }, now))) return 'taken';
    await transaction
      .deleteFrom('email_changes')
      .where('user_id', '=', userId)
      .where((eb) => eb.or([eb('changed_at', 'is', null), eb('changed_at', '>=', changedAt)]))
      .execute();
    const app = await lockAuthenticatorApp(transaction, userId);
    const off = { userId, change: 'off', browser: null, network: null } as const;
    // An earlier one proved the change. It protects an owner who left a mailbox that somebody else reads.
    if (app !== undefined && app.created_at >= (changedAt ?? now)) await removeTwoStep(transaction, off, now);
    await endChangesSince(transaction, { userId, since: (changedAt ?? now) - DAY_MS }, now);
    const undone = { to: current ?? email, userId, change: null, browser: null, network: null };
    if (current !== null) await queueEmailChangeMail(transaction, undone, now);
    return 'undone';
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

/**
 * Ends or switches off what lets somebody act or listen with what the account did since an instant. It's only what the
 * user could end too.
 */
async function endChangesSince(
  transaction: Database,
  by: { userId: string; since: number },
  now: number,
): Promise<void> {
  const { userId: ownerId, since } = by;
  for (const id of await listChanged(transaction, by, ['key.create']))
    await revokeApiKey(transaction, { id, ownerId }, now);
  for (const id of await listChanged(transaction, by, WEBHOOK_CHANGES)) {
    const off = { isActive: false, secret: createWebhookSecret() };
    await saveWebhook(transaction, { id, ownerId }, off, now);
  }
  for (const clientId of await listChanged(transaction, by, CLIENT_CHANGES)) {
    if (await disableClient(transaction, { clientId, ownerId }))
      await revokeClientAccess(transaction, { clientId }, now);
  }
  for (const clientId of await listChanged(transaction, by, ['consent.grant']))
    await revokeConsent(transaction, { userId: ownerId, clientId }, now);
  await withdrawWhere(transaction, (eb) =>
    eb.and([eb('invited_by', '=', ownerId), eb('created_at', '>=', since)]),
  );
  await deactivateAssigned(transaction, by);
}

const WEBHOOK_CHANGES = ['webhook.create', 'webhook.change', 'webhook.reveal-secret'] as const;
const CLIENT_CHANGES = ['client.create', 'client.change', 'client.replace-secret'] as const;

/**
 * Gives a user another address, and ends their sessions and the sign-ins begun with the previous one. Returns false if
 * someone else has it. The previous address stops counting in every community, also in offers of another role: they
 * would outlive the role.
 */
async function moveAddress(
  transaction: Database,
  { from, to, ...which }: Parameters<typeof endAllSessions>[1] & { from: string | null; to: string },
  now: number,
): Promise<boolean> {
  const { userId, provenHash = '' } = which;
  if (from !== to && (await findUserByEmail(transaction, to)) !== undefined) return false;
  await transaction.deleteFrom('second_step_attempts').where('user_id', '=', userId).execute();
  await endAllSessions(transaction, which, now);
  if (from === to) return true;
  await withdrawOffers(transaction, { userId });
  const proven = { email: to, email_verified_at: now };
  await transaction.updateTable('users').set(proven).where('id', '=', userId).execute();
  await transaction
    .updateTable('known_browsers')
    .set({ email: to })
    .where('secret_hash', '=', provenHash)
    .execute();
  const details = { fields: ['email', 'emailVerifiedAt'] };
  await recordAudit(transaction, { action: 'user.change', subjectId: userId, details });
  if (from !== null) {
    await transaction
      .updateTable('community_emails')
      .set({ email: null })
      .where('user_id', '=', userId)
      .where('email', '=', from)
      .execute();
  }
  await adoptClaims(transaction, { email: to, userId }, now);
  return true;
}

/** Returns a user's address, and locks it until the transaction ends. `undefined` if the account was deleted. */
async function lockAddress(transaction: Database, userId: string): Promise<string | null | undefined> {
  const row = await transaction
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row?.email;
}
