import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { hashSecret } from '../../platform/secrets.js';
import { type IssuedTokenPair, insertTokenPair } from './new-token-pair.js';
import { endGrant } from './revoke-grant.js';

/** A token as one client presents it. */
interface PresentedToken {
  token: string;
  /** The client that has proved itself. */
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

const spendRefreshToken = prepareQuery(
  (db, given: { refreshTokenHash: string; clientId: string; now: number }) =>
    db
      .updateTable('token_pairs')
      .set(({ fn, val }) => ({
        refresh_spent_at: given.now,
        access_revoked_at: fn.coalesce('access_revoked_at', val(given.now)),
      }))
      .where('refresh_token_hash', '=', given.refreshTokenHash)
      .where('client_id', '=', given.clientId)
      .where('refresh_spent_at', 'is', null)
      .where('refresh_expires_at', '>', given.now)
      .returning(['code_id', 'client_id', 'user_id', 'scope']),
);

const findLivingAccess = prepareQuery((db, given: { accessTokenHash: string; now: number }) =>
  db
    .selectFrom('token_pairs')
    .innerJoin('users', 'users.id', 'token_pairs.user_id')
    .select(['token_pairs.user_id', 'token_pairs.client_id', 'token_pairs.scope', 'users.email'])
    .where('token_pairs.access_token_hash', '=', given.accessTokenHash)
    .where('token_pairs.access_revoked_at', 'is', null)
    .where('token_pairs.access_expires_at', '>', given.now),
);
/**
 * Spends a refresh token together with its access token and issues the next pair, in one transaction. The database
 * decides who is first; for everybody else, and for a token that is not living or not the client's, nothing changes.
 */
export async function rotateTokenPair(
  db: Database,
  { token, clientId, now }: PresentedToken,
): Promise<IssuedTokenPair | undefined> {
  const work = async (transaction: Database) => {
    const spent = await spendRefreshToken.first(transaction, {
      refreshTokenHash: hashSecret(token),
      clientId,
      now,
    });
    if (spent === undefined) return undefined;
    const grantee = {
      codeId: spent.code_id,
      clientId: spent.client_id,
      userId: spent.user_id,
      scope: spent.scope,
    };
    return await insertTokenPair(transaction, grantee, now);
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

/**
 * Ends an access token alone, or with a refresh token the whole grant that it comes from: a refresh that goes on
 * meanwhile leaves nothing living behind. Another client's token is left alone.
 */
export async function revokeToken(db: Database, { token, clientId, now }: PresentedToken): Promise<void> {
  const tokenHash = hashSecret(token);
  await inTransaction(db, async (transaction) => {
    const pair = await transaction
      .selectFrom('token_pairs')
      .select('code_id')
      .where('refresh_token_hash', '=', tokenHash)
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (pair !== undefined) {
      return await endGrant(transaction, { codeId: pair.code_id, clientId, now });
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
  const row = await findLivingAccess.first(db, { accessTokenHash: hashSecret(accessToken), now });
  return (
    row && {
      userId: row.user_id,
      email: row.email,
      clientId: row.client_id,
      scopes: row.scope.split(' '),
    }
  );
}
