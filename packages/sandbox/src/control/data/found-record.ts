import type { Database } from '@latchkey/server/extension';
import type { DataRecord, RecordKind } from './records/record-kinds.js';
import { labelsOf, type RecordLabels, type RelatedRecords, relatedTo } from './records/record-labels.js';
import { asRecord } from './records/records.js';
import { requireRow } from './writes/current-record.js';

/** Record with what belongs to it. */
export interface FoundRecord {
  readonly record: DataRecord;
  /** Names of the records that it mentions, by id. */
  readonly labels: RecordLabels;
  readonly related: readonly RelatedRecords[];
}

/** @throws ControlFailure `not_found` if there is no such record. */
export async function findRecord(
  { db, now }: { db: Database; now: number },
  kind: RecordKind,
  id: string,
): Promise<FoundRecord> {
  const row = await requireRow(db, kind, id);
  const record = { ...asRecord(kind, row, now), ...(await moreAbout(db, kind, id)) };
  return { record, labels: await labelsOf(db, [record]), related: await relatedTo(db, kind, id) };
}

/** Returns fields of other tables that a change of the record can set. */
async function moreAbout(db: Database, kind: RecordKind, id: string): Promise<DataRecord> {
  if (kind === 'users') {
    const grant = await db
      .selectFrom('provisioning_grants')
      .select('user_id')
      .where('user_id', '=', id)
      .executeTakeFirst();
    return { mayProvision: grant !== undefined };
  }
  if (kind !== 'communities') return {};
  const bot = await db
    .selectFrom('messenger_bots')
    .select('name')
    .where('community_id', '=', id)
    .executeTakeFirst();
  return { messengerBot: bot?.name ?? null };
}
