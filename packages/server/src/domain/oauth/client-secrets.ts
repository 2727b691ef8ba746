import { noteSubmission } from '../../platform/database/form-submission.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { OwnClientKey } from './clients.js';

/** Result of {@link rotateClientSecret}. */
export interface RotateClientSecretResult {
  kind: 'rotated' | 'already-submitted' | 'not-confidential';
}

/** Replaces the secret of a confidential client, from a form that takes effect once. The old secret stops working. */
export async function rotateClientSecret(
  db: Database,
  { clientId, ownerId }: OwnClientKey,
  { secretHash, submissionId }: { secretHash: string; submissionId: string },
  now: number,
): Promise<RotateClientSecretResult> {
  return await inTransaction(db, async (transaction) => {
    if (!(await noteSubmission(transaction, { userId: ownerId, id: submissionId }, now))) {
      return { kind: 'already-submitted' };
    }
    const isRotated = await setSecret(transaction, { clientId, ownerId }, secretHash);
    return { kind: isRotated ? 'rotated' : 'not-confidential' };
  });
}

/** Replaces the secret of a confidential client, regardless of its owner. False if there is no such client. */
export async function setClientSecret(db: Database, clientId: string, secretHash: string): Promise<boolean> {
  return await setSecret(db, { clientId }, secretHash);
}

async function setSecret(
  db: Database,
  key: OwnClientKey | { clientId: string },
  secretHash: string,
): Promise<boolean> {
  const changed = await db
    .updateTable('oauth_clients')
    .set({ secret_hash: secretHash })
    .where('client_id', '=', key.clientId)
    .where((eb) => ('ownerId' in key ? eb('owner_id', '=', key.ownerId) : eb.lit(true)))
    .where('type', '=', 'confidential')
    .returning('client_id')
    .executeTakeFirst();
  return changed !== undefined;
}
