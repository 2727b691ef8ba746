import { type Clock, systemClock } from '../platform/clock.js';
import {
  DirectoryConflictError,
  DirectoryImportError,
  directoryId,
  isSameSource,
  mergeStatements,
  readRecord,
} from './directory-record.js';
import type {
  DirectoryEntry,
  DirectoryRecord,
  DirectoryStatement,
  DirectoryStore,
  ImportResult,
  MembershipDirectory,
} from './kit-store.js';

/** Rows of an import that are stored together. Small, so that other writers wait only shortly. */
const IMPORT_BATCH = 500;

/** Options of every directory. */
export interface DirectoryOptions {
  /**
   * Time of records without `observedAt`.
   * @default The system clock.
   */
  clock?: Clock | undefined;
}

/** Creates a directory on a store. Use it for a database of your own. */
export function membershipDirectory(
  store: DirectoryStore,
  { clock = systemClock }: DirectoryOptions = {},
): MembershipDirectory {
  const record = async (given: DirectoryRecord | readonly DirectoryRecord[]): Promise<void> => {
    const records: readonly DirectoryRecord[] = isList(given) ? given : [given];
    const now = clock.now();
    const statements = mergeStatements(
      records.map((each, index) => readRecord(each, now, isList(given) ? `record.${index}` : 'record')),
    );
    if (statements.length === 0) return;
    const result = await store.record(statements);
    if (result.kind === 'conflict') throw conflictOf(statements, result.stored);
  };
  return {
    async find(membershipIds) {
      const ids = readIds(membershipIds);
      if (ids.length === 0) return new Map();
      const entries = await store.find(ids);
      return new Map(entries.map((entry) => [entry.membershipId, entry]));
    },
    record,
    import: (rows) => importInBatches(rows, record),
    async remove(membershipIds) {
      const ids = readIds(typeof membershipIds === 'string' ? [membershipIds] : membershipIds);
      if (ids.length > 0) await store.remove(ids);
    },
    close: () => store.close(),
  };
}

/** Passes rows to `record` in batches. */
export async function importInBatches(
  rows: Iterable<DirectoryRecord> | AsyncIterable<DirectoryRecord>,
  record: (batch: readonly DirectoryRecord[]) => Promise<void>,
): Promise<ImportResult> {
  let imported = 0;
  let batch: DirectoryRecord[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    await record(batch);
    imported += batch.length;
    batch = [];
  };
  try {
    for await (const row of rows) {
      batch.push(row);
      if (batch.length >= IMPORT_BATCH) await flush();
    }
    await flush();
  } catch (error) {
    throw new DirectoryImportError(imported, error);
  }
  return { imported };
}

/** Returns distinct ids in lower case, without those that no directory can contain. */
function readIds(membershipIds: readonly string[]): string[] {
  return [...new Set(membershipIds.map(directoryId).filter((id) => id !== undefined))];
}

function conflictOf(
  statements: readonly DirectoryStatement[],
  stored: readonly DirectoryEntry[],
): DirectoryConflictError {
  const byId = new Map(statements.map((statement) => [statement.membershipId, statement]));
  return new DirectoryConflictError(
    stored.flatMap((entry) => {
      const given = byId.get(entry.membershipId);
      return given === undefined || isSameSource(entry, given)
        ? []
        : [{ membershipId: entry.membershipId, stored: entry, given }];
    }),
  );
}

const isList = (given: DirectoryRecord | readonly DirectoryRecord[]): given is readonly DirectoryRecord[] =>
  Array.isArray(given);
