import type { Database } from '../../platform/database/open-database.js';

/**
 * Ends every token that one code has given, refreshed ones too: an authorization grant as a whole.
 *
 * The transaction must be serializable. A refresh that goes on meanwhile then either finds its token spent, or makes
 * this one run again and see the pair that it issued.
 */
export async function endGrant(
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
    // Many who come at once, each to end the same grant, do not hinder each other once one of them has.
    .where((eb) => eb.or([eb('access_revoked_at', 'is', null), eb('refresh_spent_at', 'is', null)]))
    .execute();
}
