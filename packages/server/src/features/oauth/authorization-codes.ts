import { randomUUID } from 'node:crypto';
import { AUTHORIZATION_CODE_LIFETIME_SECONDS, formatScopeList } from '@latchkey/contract/constants';
import type { Schema } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import { recordAudit } from '../audit/audit.js';
import { isAllowed, type ShownRequest } from './consents.js';
import { insertTokenPair, revokeGrant } from './token-pairs.js';

interface CodeGrant {
  userId: string;
  request: ShownRequest & { codeChallenge: string | undefined };
  /** Returns true if the user's session hasn't ended. Runs inside a transaction that can be repeated. */
  isSignedIn(transaction: Database): Promise<boolean>;
}

/** A code that its client sends for the first time. The attempt invalidates the code even if the redemption fails. */
export type PresentedCode = Schema['authorization_codes'];

/**
 * Issues and returns a code. `undefined` if the user hasn't allowed the request as it is, or has been signed out since
 * it began. The same transaction checks both, so no code survives a consent that is revoked meanwhile, or a session
 * that ends together with the tokens of all apps.
 */
export async function issueAuthorizationCode(db: Database, grant: CodeGrant, now: number) {
  const code = createOpaqueSecret();
  const { userId, request } = grant;
  return await inTransaction(db, async (transaction) => {
    if (!(await grant.isSignedIn(transaction))) return undefined;
    if (!(await isAllowed(transaction, userId, request))) return undefined;
    await transaction
      .insertInto('authorization_codes')
      .values({
        id: randomUUID(),
        code_hash: code.hash,
        client_id: request.client.clientId,
        user_id: userId,
        redirect_uri: request.redirectUri,
        scope: formatScopeList(request.scopes),
        code_challenge: request.codeChallenge ?? null,
        expires_at: now + AUTHORIZATION_CODE_LIFETIME_SECONDS * 1000,
        spent_at: null,
      })
      .execute();
    return code.text;
  });
}

/**
 * Redeems a code for a token pair, in one transaction. Only one of several concurrent redemptions succeeds. Any other
 * redemption by the same client revokes all tokens that came from the code, including refreshed ones (RFC 6749 section
 * 4.1.2). `check` must be pure: its transaction can be repeated. `unknown`: not valid, or not the client's.
 */
export async function redeemAuthorizationCode<Failure>(
  db: Database,
  redemption: {
    code: string;
    clientId: string;
    now: number;
    check(code: PresentedCode): Failure | undefined;
  },
) {
  const { clientId, now, check } = redemption;
  const codeHash = hashSecret(redemption.code);
  const redeemOnce = async (transaction: Database) => {
    const presented = await transaction
      .updateTable('authorization_codes')
      .set({ spent_at: now })
      .where('code_hash', '=', codeHash)
      .where('client_id', '=', clientId)
      .where('spent_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (presented === undefined) return { kind: 'unknown' } as const;
    const failure = check(presented);
    if (failure !== undefined) return { kind: 'failed', failure } as const;
    const { id: code_id, client_id, user_id, scope } = presented;
    const grantee = { code_id, client_id, user_id, scope };
    const details = { clientId, grantId: code_id };
    await recordAudit(transaction, { action: 'grant.redeem', subjectId: user_id, details });
    return { kind: 'issued', tokenPair: await insertTokenPair(transaction, grantee, now) } as const;
  };
  const result = await inTransaction(db, redeemOnce, { isolation: 'read committed' });
  if (result.kind !== 'unknown') return result;
  // The transaction that redeemed the code has committed by now, so its tokens are found and revoked.
  await inTransaction(db, async (transaction) => {
    const code = await transaction
      .selectFrom('authorization_codes')
      .select('id')
      .where('code_hash', '=', codeHash)
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (code !== undefined) await revokeGrant(transaction, { codeId: code.id, clientId, now });
  });
  return result;
}
