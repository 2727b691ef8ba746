import type { Database } from '@latchkey/server/extension';
import { ControlFailure, unknown } from '../../access/control-failure.js';
import { RECORD_NAMES, type RecordKind } from '../records/record-kinds.js';
import { findRow, type Row } from '../records/records.js';

/** @throws ControlFailure `not_found` if there is no such record. */
export async function requireRow(db: Database, kind: RecordKind, id: string): Promise<Row> {
  const row = await findRow(db, kind, id);
  if (row === undefined) throw unknown(RECORD_NAMES[kind], id);
  return row;
}

/**
 * Returns an active owner of the community, in whose name the sandbox changes it. Another user than `besides` comes first.
 *
 * @throws ControlFailure `conflict` if the community has no active owner.
 */
export async function actingOwner(
  db: Database,
  communityId: string,
  besides?: string,
): Promise<{ communityId: string; userId: string }> {
  const owners = await db
    .selectFrom('community_roles')
    .select('user_id')
    .where('community_id', '=', communityId)
    .where('role', '=', 'OWNER')
    .where('is_active', '=', 1)
    .orderBy('user_id')
    .limit(2)
    .execute();
  const owner = owners.find(({ user_id }) => user_id !== besides) ?? owners[0];
  if (owner !== undefined) return { communityId, userId: owner.user_id };
  throw new ControlFailure('conflict', 'The community has no active owner, who alone could change this.');
}

/** Failure of a change that the service's rules do not allow now. */
export function refused(message: string, fields: Readonly<Record<string, string>> = {}): ControlFailure {
  return new ControlFailure('conflict', message, fields);
}

/** Failure of an input whose fields do not fit together, or name a record that does not exist. */
export function invalid(field: string, message: string): ControlFailure {
  return new ControlFailure('invalid_input', `${field}: ${message}`, { [field]: message });
}
