import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { hashToken } from '../../platform/secrets.js';
import { type IssuedTokenPair, insertTokenPair } from './new-token-pair.js';
import { revokeGrant } from './revoke-grant.js';

/** Token that a client sends. */
interface PresentedToken {
  token: string;
  /** Authenticated client. */
  clientId: string;
  now: number;
}

/** Access of a valid access token. */
export interface AccessGrant {
  userId: string;
  email: string | null;
  clientId: string;
  scopes: readonly string[];
}

const rotateRefreshToken = prepareQuery(
  (db, values: { refreshTokenHash: string; clientId: string; now: number }) =>
    db
      .updateTable('token_pairs')
      .set(({ fn, val }) => ({
        refresh_spent_at: values.now,
        access_revoked_at: fn.coalesce('access_revoked_at', val(values.now)),
      }))
      .where('refresh_token_hash', '=', values.refreshTokenHash)
      .where('client_id', '=', values.clientId)
      .where('refresh_spent_at', 'is', null)
      .where('refresh_expires_at', '>', values.now)
      .returning(['code_id', 'client_id', 'user_id', 'scope']),
);

const findValidAccess = prepareQuery((db, values: { accessTokenHash: string; now: number }) =>
  db
    .selectFrom('token_pairs')
    .innerJoin('users', 'users.id', 'token_pairs.user_id')
    .select(['token_pairs.user_id', 'token_pairs.client_id', 'token_pairs.scope', 'users.email'])
    .where('token_pairs.access_token_hash', '=', values.accessTokenHash)
    .where('token_pairs.access_revoked_at', 'is', null)
    .where('token_pairs.access_expires_at', '>', values.now),
);

/**
 * Rotates a refresh token: revokes it with its access token and issues the next pair, in one transaction. Only one of
 * several concurrent calls succeeds.
 *
 * @returns `undefined` if the token is unknown, expired, revoked or already rotated, or belongs to another client. Nothing
 *   changes then.
 */
export async function rotateTokenPair(
  db: Database,
  { token, clientId, now }: PresentedToken,
): Promise<IssuedTokenPair | undefined> {
  const work = async (transaction: Database) => {
    const previous = await rotateRefreshToken.first(transaction, {
      refreshTokenHash: hashToken(token),
      clientId,
      now,
    });
    if (previous === undefined) return undefined;
    const grantee = {
      codeId: previous.code_id,
      clientId: previous.client_id,
      userId: previous.user_id,
      scope: previous.scope,
    };
    return await insertTokenPair(transaction, grantee, now);
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

/**
 * Revokes a token. An access token is revoked alone. A refresh token is revoked with its whole grant, including tokens that
 * a concurrent refresh issues. Tokens of other clients stay valid.
 */
export async function revokeToken(db: Database, { token, clientId, now }: PresentedToken): Promise<void> {
  const tokenHash = hashToken(token);
  await inTransaction(db, async (transaction) => {
    const pair = await transaction
      .selectFrom('token_pairs')
      .select('code_id')
      .where('refresh_token_hash', '=', tokenHash)
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (pair !== undefined) {
      return await revokeGrant(transaction, { codeId: pair.code_id, clientId, now });
    }
    await transaction
      .updateTable('token_pairs')
      .set(({ fn, val }) => ({ access_revoked_at: fn.coalesce('access_revoked_at', val(now)) }))
      .where('access_token_hash', '=', tokenHash)
      .where('client_id', '=', clientId)
      .execute();
  });
}

/** Returns the access of a token, if the token is valid. */
export async function findAccessGrant(
  db: Database,
  accessToken: string,
  now: number,
): Promise<AccessGrant | undefined> {
  const row = await findValidAccess.first(db, { accessTokenHash: hashToken(accessToken), now });
  return (
    row && {
      userId: row.user_id,
      email: row.email,
      clientId: row.client_id,
      scopes: row.scope.split(' '),
    }
  );
}
