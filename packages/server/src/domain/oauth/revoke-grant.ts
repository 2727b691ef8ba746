import type { Database } from '../../platform/database/open-database.js';

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
