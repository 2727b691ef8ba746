import { randomBytes } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { hashSecret, isSameHash } from '../../platform/secrets.js';

/** Number of recovery codes that a user receives. */
const RECOVERY_CODE_COUNT = 10;

/** 32 characters that people don't confuse: without I and O, and without 0 and 1. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** 120 random bits. A fast hash is enough for them. */
const LENGTH = 24;
const GROUP = /.{4}(?=.)/g;

/** Returns the stored form of a recovery code, however its groups are separated. */
function hashRecoveryCode(code: string): string {
  return hashSecret(`recovery.${code.replace(/[\s-]/g, '').toUpperCase()}`);
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

/** Uses a recovery code. False if the user has no such code, or has used it. */
export async function useRecoveryCode(
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

/** Returns the number of recovery codes that a user has left. */
export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
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
