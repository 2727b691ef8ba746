import { randomUUID } from 'node:crypto';
import { ACCESS_TOKEN_LIFETIME_SECONDS, REFRESH_TOKEN_LIFETIME_SECONDS } from '@latchkey/contract';
import type { Database } from '../database/open-database.js';
import { createOpaqueSecret } from '../opaque-secret.js';

/** Whom a pair is for. */
export interface TokenGrantee {
  /** The code at the start of the chain of refreshes. */
  codeId: string;
  clientId: string;
  userId: string;
  /** Space-separated. */
  scope: string;
}

/** A pair on its way to the client; the database keeps hashes only. */
export interface IssuedTokenPair {
  accessToken: string;
  refreshToken: string;
  scope: string;
}

/** Issues a pair: an hour of access, thirty days to refresh. */
export async function insertTokenPair(
  db: Database,
  grantee: TokenGrantee,
  now: number,
): Promise<IssuedTokenPair> {
  const [access, refresh] = [createOpaqueSecret(), createOpaqueSecret()];
  await db
    .insertInto('token_pairs')
    .values({
      id: randomUUID(),
      code_id: grantee.codeId,
      client_id: grantee.clientId,
      user_id: grantee.userId,
      scope: grantee.scope,
      access_token_hash: access.hash,
      access_expires_at: now + ACCESS_TOKEN_LIFETIME_SECONDS * 1000,
      access_revoked_at: null,
      refresh_token_hash: refresh.hash,
      refresh_expires_at: now + REFRESH_TOKEN_LIFETIME_SECONDS * 1000,
      refresh_spent_at: null,
    })
    .execute();
  return { accessToken: access.text, refreshToken: refresh.text, scope: grantee.scope };
}
