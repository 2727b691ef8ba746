import { ACCESS_TOKEN_LIFETIME_SECONDS, REFRESH_TOKEN_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { prepareDeferredWrite, prepareQuery } from '../../platform/database/prepared-query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createTimedToken, hashToken, timeOrderedId } from '../../platform/secrets.js';

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
export async function rotateTokenPair(db: Database, { token, clientId, now }: PresentedToken) {
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
export async function findAccessGrant(db: Database, accessToken: string, now: number) {
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

/**
 * Revokes an authorization grant: all tokens that came from one code, refreshed ones too.
 *
 * The transaction must be serializable. A concurrent refresh then either finds its token revoked, or makes this
 * transaction run again. The repeated transaction also revokes the refreshed tokens.
 */
export async function revokeGrant(
  transaction: Database,
  { codeId, clientId, now }: { codeId: string; clientId: string; now: number },
): Promise<void> {
  await transaction
    .updateTable('token_pairs')
    .set(({ fn, val }) => ({
      access_revoked_at: fn.coalesce('access_revoked_at', val(now)),
      refresh_spent_at: fn.coalesce('refresh_spent_at', val(now)),
    }))
    .where('code_id', '=', codeId)
    .where('client_id', '=', clientId)
    // Rows that are already revoked are skipped, so concurrent revocations of one grant do not conflict.
    .where((eb) => eb.or([eb('access_revoked_at', 'is', null), eb('refresh_spent_at', 'is', null)]))
    .execute();
}

/** Code, client and user that a token pair belongs to. */
export interface TokenGrantee {
  /** Authorization code that the first pair was issued for. Refreshed pairs keep it. */
  codeId: string;
  clientId: string;
  userId: string;
  /** Space-separated. */
  scope: string;
}

/** Token pair to send to the client. The database contains only hashes of the tokens. */
export interface IssuedTokenPair {
  accessToken: string;
  refreshToken: string;
  scope: string;
}

interface NewPair extends TokenGrantee {
  id: string;
  accessTokenHash: string;
  accessExpiresAt: number;
  refreshTokenHash: string;
  refreshExpiresAt: number;
}

const insertPair = prepareDeferredWrite((db, values: NewPair) =>
  db.insertInto('token_pairs').values({
    id: values.id,
    code_id: values.codeId,
    client_id: values.clientId,
    user_id: values.userId,
    scope: values.scope,
    access_token_hash: values.accessTokenHash,
    access_expires_at: values.accessExpiresAt,
    access_revoked_at: null,
    refresh_token_hash: values.refreshTokenHash,
    refresh_expires_at: values.refreshExpiresAt,
    refresh_spent_at: null,
  }),
);

/** Issues a pair with the lifetimes of the contract. Must run in the transaction that redeems its code or rotates the previous pair. */
export async function insertTokenPair(transaction: Database, grantee: TokenGrantee, now: number) {
  const [access, refresh] = [createTimedToken(now), createTimedToken(now)];
  await insertPair.run(transaction, {
    id: timeOrderedId(now),
    ...grantee,
    accessTokenHash: access.hash,
    accessExpiresAt: now + ACCESS_TOKEN_LIFETIME_SECONDS * 1000,
    refreshTokenHash: refresh.hash,
    refreshExpiresAt: now + REFRESH_TOKEN_LIFETIME_SECONDS * 1000,
  });
  return { accessToken: access.text, refreshToken: refresh.text, scope: grantee.scope };
}

/**
 * Revokes the codes and tokens of a user, for all clients or for one. The caller's transaction contains the change that
 * causes the revocation.
 */
export async function revokeClientAccess(
  transaction: Database,
  { userId, clientId }: { userId: string; clientId?: string },
  now: number,
): Promise<void> {
  await transaction
    .updateTable('authorization_codes')
    .set({ spent_at: now })
    .where('user_id', '=', userId)
    .$if(clientId !== undefined, (codes) => codes.where('client_id', '=', clientId ?? ''))
    .where('spent_at', 'is', null)
    .execute();
  await transaction
    .updateTable('token_pairs')
    .set(({ fn, val }) => ({
      refresh_spent_at: fn.coalesce('refresh_spent_at', val(now)),
      access_revoked_at: fn.coalesce('access_revoked_at', val(now)),
    }))
    .where('user_id', '=', userId)
    .$if(clientId !== undefined, (pairs) => pairs.where('client_id', '=', clientId ?? ''))
    .execute();
}
