import { ACCESS_TOKEN_LIFETIME_SECONDS, REFRESH_TOKEN_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { prepareDeferredWrite } from '../../platform/database/prepared-query.js';
import { createTimedToken } from '../../platform/secrets.js';
import { timeOrderedId } from '../../platform/time-ordered-id.js';

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
export async function insertTokenPair(
  transaction: Database,
  grantee: TokenGrantee,
  now: number,
): Promise<IssuedTokenPair> {
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
