import { ACCESS_TOKEN_LIFETIME_SECONDS, REFRESH_TOKEN_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import type { Schema } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import { pick, prepareDeferredWrite, prepareQuery } from '../../platform/database/prepared-query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createTimedToken, hashToken, timeOrderedId } from '../../platform/secrets.js';
import { recordAudit } from '../audit/audit.js';

interface PresentedToken {
  token: string;
  clientId: string;
  now: number;
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
    .select(['token_pairs.user_id as userId', 'token_pairs.client_id as clientId'])
    .select(['token_pairs.scope', 'users.email'])
    .where('token_pairs.access_token_hash', '=', values.accessTokenHash)
    .where('token_pairs.access_revoked_at', 'is', null)
    .where('token_pairs.access_expires_at', '>', values.now),
);

/**
 * Issues the next pair in the transaction that revokes this one. Of several concurrent calls, one succeeds. `undefined`
 * if the token is unknown, expired, revoked or already rotated, or belongs to another client. Nothing changes then.
 */
export async function rotateTokenPair(db: Database, { token, clientId, now }: PresentedToken) {
  const work = async (transaction: Database) => {
    const previous = await rotateRefreshToken.first(transaction, {
      refreshTokenHash: hashToken(token),
      clientId,
      now,
    });
    return previous && (await insertTokenPair(transaction, previous, now));
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

/**
 * Revokes a token. An access token is revoked alone. A refresh token is revoked with its whole grant, including tokens
 * that a concurrent refresh issues. Tokens of other clients stay valid.
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
    const revoked = await transaction
      .updateTable('token_pairs')
      .set({ access_revoked_at: now })
      .where('access_token_hash', '=', tokenHash)
      .where('client_id', '=', clientId)
      .where('access_revoked_at', 'is', null)
      .returning(['code_id', 'user_id'])
      .executeTakeFirst();
    if (revoked === undefined) return;
    const details = { clientId, grantId: revoked.code_id };
    await recordAudit(transaction, { action: 'token.revoke', subjectId: revoked.user_id, details });
  });
}

export async function findAccessGrant(db: Database, accessToken: string, now: number) {
  const row = await findValidAccess.first(db, { accessTokenHash: hashToken(accessToken), now });
  if (row === undefined) return undefined;
  const { userId, email, clientId, scope } = row;
  return { userId, email, clientId, scopes: scope.split(' ') };
}

export type AccessGrant = NonNullable<Awaited<ReturnType<typeof findAccessGrant>>>;

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
  const [revoked] = await transaction
    .updateTable('token_pairs')
    .set(({ fn, val }) => ({
      access_revoked_at: fn.coalesce('access_revoked_at', val(now)),
      refresh_spent_at: fn.coalesce('refresh_spent_at', val(now)),
    }))
    .where('code_id', '=', codeId)
    .where('client_id', '=', clientId)
    // Skipping rows that are already revoked keeps concurrent revocations of one grant from conflicting.
    .where((eb) => eb.or([eb('access_revoked_at', 'is', null), eb('refresh_spent_at', 'is', null)]))
    .returning('user_id')
    .execute();
  if (revoked === undefined) return;
  const details = { clientId, grantId: codeId };
  await recordAudit(transaction, { action: 'grant.revoke', subjectId: revoked.user_id, details });
}

type NewPair = Omit<Schema['token_pairs'], 'access_revoked_at' | 'refresh_spent_at'>;

const insertPair = prepareDeferredWrite((db, values: NewPair) =>
  db.insertInto('token_pairs').values({
    // The order of the statement that bench/serve-bare-express.mjs runs.
    ...pick(values, [
      'id',
      'code_id',
      'client_id',
      'user_id',
      'scope',
      'access_token_hash',
      'access_expires_at',
    ]),
    access_revoked_at: null,
    ...pick(values, ['refresh_token_hash', 'refresh_expires_at']),
    refresh_spent_at: null,
  }),
);

/** Must run in the transaction that redeems its code or rotates the previous pair. */
export async function insertTokenPair(
  transaction: Database,
  grantee: Pick<NewPair, 'code_id' | 'client_id' | 'user_id' | 'scope'>,
  now: number,
) {
  const [access, refresh] = [createTimedToken(now), createTimedToken(now)];
  await insertPair.run(transaction, {
    id: timeOrderedId(now),
    ...grantee,
    access_token_hash: access.hash,
    access_expires_at: now + ACCESS_TOKEN_LIFETIME_SECONDS * 1000,
    refresh_token_hash: refresh.hash,
    refresh_expires_at: now + REFRESH_TOKEN_LIFETIME_SECONDS * 1000,
  });
  return { accessToken: access.text, refreshToken: refresh.text, scope: grantee.scope };
}

export type IssuedTokenPair = Awaited<ReturnType<typeof insertTokenPair>>;

/**
 * Revokes for a user, a client, or both. The caller's transaction contains the change that causes the revocation. It's
 * serializable, or has locked the user's row: tokens refer to it, so none is issued meanwhile.
 */
export async function revokeClientAccess(
  transaction: Database,
  { userId, clientId }: { userId: string; clientId?: string } | { userId?: never; clientId: string },
  now: number,
): Promise<void> {
  if (userId === undefined) {
    const client = transaction.selectFrom('oauth_clients').select('client_id');
    await client.where('client_id', '=', clientId).forUpdate().execute();
  }
  await transaction
    .updateTable('authorization_codes')
    .set({ spent_at: now })
    .$if(userId !== undefined, (codes) => codes.where('user_id', '=', userId ?? ''))
    .$if(clientId !== undefined, (codes) => codes.where('client_id', '=', clientId ?? ''))
    .where('spent_at', 'is', null)
    .execute();
  await transaction
    .updateTable('token_pairs')
    .set(({ fn, val }) => ({
      refresh_spent_at: fn.coalesce('refresh_spent_at', val(now)),
      access_revoked_at: fn.coalesce('access_revoked_at', val(now)),
    }))
    .$if(userId !== undefined, (pairs) => pairs.where('user_id', '=', userId ?? ''))
    .$if(clientId !== undefined, (pairs) => pairs.where('client_id', '=', clientId ?? ''))
    .execute();
}
