import { randomUUID } from 'node:crypto';
import { AUTHORIZATION_CODE_LIFETIME_SECONDS, formatScopeList } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import { coversScopes } from './consents.js';
import { type IssuedTokenPair, insertTokenPair } from './new-token-pair.js';
import { endGrant } from './revoke-grant.js';

/** Grant that a code represents. */
interface CodeGrant {
  clientId: string;
  userId: string;
  /** Redirect URI of the authorization request. */
  redirectUri: string;
  scopes: readonly string[];
  codeChallenge: string | undefined;
}

/** A code that its own client has just presented for the first time. It is spent, whatever comes of it. */
export interface PresentedCode {
  redirectUri: string;
  codeChallenge: string | null;
  /** Milliseconds since the epoch; from this instant on the code is void. */
  expiresAt: number;
}

/** Redemption of a code. */
interface Redemption<Refusal> {
  code: string;
  /** Authenticated client. */
  clientId: string;
  now: number;
  /** Judges the code against the request; `undefined` lets it pass. Must be pure: it runs inside a transaction. */
  judge(code: PresentedCode): Refusal | undefined;
}

/** Result of {@link redeemAuthorizationCode}. `unknown`: the code was never issued, is spent, or belongs to another client. */
type RedeemCodeResult<Refusal> =
  | { kind: 'issued'; tokenPair: IssuedTokenPair }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'unknown' };

interface Replay {
  codeHash: string;
  clientId: string;
  now: number;
}

async function endGrantOfSpentCode(db: Database, { codeHash, clientId, now }: Replay): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const code = await transaction
      .selectFrom('authorization_codes')
      .select('id')
      .where('code_hash', '=', codeHash)
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (code !== undefined) await endGrant(transaction, { codeId: code.id, clientId, now });
  });
}
/**
 * Issues a code and returns its text. `undefined` if the user has not consented to every scope. The same transaction
 * checks the consent, so a consent that is revoked meanwhile leaves no code behind.
 */
export async function issueAuthorizationCode(
  db: Database,
  grant: CodeGrant,
  now: number,
): Promise<string | undefined> {
  const code = createOpaqueSecret();
  return await inTransaction(db, async (transaction) => {
    if (!(await coversScopes(transaction, grant, grant.scopes))) return undefined;
    await transaction
      .insertInto('authorization_codes')
      .values({
        id: randomUUID(),
        code_hash: code.hash,
        client_id: grant.clientId,
        user_id: grant.userId,
        redirect_uri: grant.redirectUri,
        scope: formatScopeList(grant.scopes),
        code_challenge: grant.codeChallenge ?? null,
        expires_at: now + AUTHORIZATION_CODE_LIFETIME_SECONDS * 1000,
        spent_at: null,
      })
      .execute();
    return code.text;
  });
}

/**
 * Spends a code and issues a pair for it, in one transaction. The database decides who is first. Whoever of the same
 * client comes later ends every token that the code has given, refreshed ones too (RFC 6749 section 4.1.2).
 */
export async function redeemAuthorizationCode<Refusal>(
  db: Database,
  { code, clientId, now, judge }: Redemption<Refusal>,
): Promise<RedeemCodeResult<Refusal>> {
  const codeHash = hashSecret(code);
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
    const refusal = judge({
      redirectUri: presented.redirect_uri,
      codeChallenge: presented.code_challenge,
      expiresAt: presented.expires_at,
    });
    if (refusal !== undefined) return { kind: 'refused', refusal } as const;
    const grantee = {
      codeId: presented.id,
      clientId,
      userId: presented.user_id,
      scope: presented.scope,
    };
    const tokenPair = await insertTokenPair(transaction, grantee, now);
    return { kind: 'issued', tokenPair } as const;
  };
  const outcome = await inTransaction(db, redeemOnce, { isolation: 'read committed' });
  // Whoever spent the code has committed by now, so the pair that it gave is there to be ended.
  if (outcome.kind === 'unknown') await endGrantOfSpentCode(db, { codeHash, clientId, now });
  return outcome;
}
