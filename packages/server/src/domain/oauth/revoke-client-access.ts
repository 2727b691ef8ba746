import type { Database } from '../../platform/database/open-database.js';

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
