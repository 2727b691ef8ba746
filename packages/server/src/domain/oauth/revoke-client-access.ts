import type { Database } from '../../platform/database/open-database.js';

/**
 * Ends every code and token that a user's clients have, or that one of them has. Called inside the transaction of what
 * ends them.
 */
export async function endClientAccess(
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
