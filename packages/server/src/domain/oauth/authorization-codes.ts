import { randomUUID } from 'node:crypto';
import { AUTHORIZATION_CODE_LIFETIME_SECONDS, formatScopeList } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import { coversScopes } from './consents.js';
import { type IssuedTokenPair, insertTokenPair, revokeGrant } from './token-pairs.js';

/** Grant that a code represents. */
interface CodeGrant {
  clientId: string;
  userId: string;
  /** Redirect URI of the authorization request. */
  redirectUri: string;
  scopes: readonly string[];
  codeChallenge: string | undefined;
}

/** Code that its client sends for the first time. The attempt invalidates the code even if the redemption fails. */
export interface PresentedCode {
  redirectUri: string;
  codeChallenge: string | null;
  /** First instant at which the code is invalid, in milliseconds since the epoch. */
  expiresAt: number;
}

/** Redemption of a code. */
interface Redemption<Failure> {
  code: string;
  /** Authenticated client. */
  clientId: string;
  now: number;
  /**
   * Compares the code with the request. Returns a failure, or `undefined` if the code is valid. The function must be pure,
   * because it runs inside a transaction that can be repeated.
   */
  check(code: PresentedCode): Failure | undefined;
}

/** Result of {@link redeemAuthorizationCode}. */
type RedeemCodeResult<Failure> =
  | { kind: 'issued'; tokenPair: IssuedTokenPair }
  | { kind: 'failed'; failure: Failure }
  /** The code was never issued, was already redeemed or revoked, or belongs to another client. */
  | { kind: 'unknown' };

/** Second redemption of a code. */
interface Replay {
  codeHash: string;
  clientId: string;
  now: number;
}

async function revokeGrantOfReplayedCode(db: Database, { codeHash, clientId, now }: Replay): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const code = await transaction
      .selectFrom('authorization_codes')
      .select('id')
      .where('code_hash', '=', codeHash)
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (code !== undefined) await revokeGrant(transaction, { codeId: code.id, clientId, now });
  });
}

/** Request for a code. */
interface CodeRequest extends CodeGrant {
  /** Returns true if the user's session has not ended. It runs inside a transaction that can be repeated. */
  isSignedIn(transaction: Database): Promise<boolean>;
}

/**
 * Issues a code and returns its text. `undefined` if the user has not consented to every scope, or has been signed out
 * since the request began. The same transaction checks both. A consent that is revoked meanwhile therefore leaves no code
 * behind, and neither does a session that ends together with the tokens of all apps.
 */
export async function issueAuthorizationCode(db: Database, grant: CodeRequest, now: number) {
  const code = createOpaqueSecret();
  return await inTransaction(db, async (transaction) => {
    if (!(await grant.isSignedIn(transaction))) return undefined;
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
 * Redeems a code for a token pair, in one transaction. Only one of several concurrent redemptions succeeds. Any other
 * redemption by the same client revokes all tokens that came from the code, refreshed ones too (RFC 6749 section 4.1.2).
 */
export async function redeemAuthorizationCode<Failure>(
  db: Database,
  { code, clientId, now, check }: Redemption<Failure>,
): Promise<RedeemCodeResult<Failure>> {
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
    const failure = check({
      redirectUri: presented.redirect_uri,
      codeChallenge: presented.code_challenge,
      expiresAt: presented.expires_at,
    });
    if (failure !== undefined) return { kind: 'failed', failure } as const;
    const grantee = {
      codeId: presented.id,
      clientId,
      userId: presented.user_id,
      scope: presented.scope,
    };
    const tokenPair = await insertTokenPair(transaction, grantee, now);
    return { kind: 'issued', tokenPair } as const;
  };
  const result = await inTransaction(db, redeemOnce, { isolation: 'read committed' });
  // The transaction that redeemed the code has committed by now, so its tokens are found and revoked.
  if (result.kind === 'unknown') await revokeGrantOfReplayedCode(db, { codeHash, clientId, now });
  return result;
}
