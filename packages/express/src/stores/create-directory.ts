import { docsUrl, isError } from '@latchkey/contract/constants';
import { type Clock, systemClock } from '../platform/clock.js';
import { optionError } from '../platform/errors.js';
import type {
  DirectoryEntry,
  DirectoryRecord,
  DirectoryStatement,
  DirectoryStore,
  ImportResult,
  MembershipDirectory,
} from './kit-store.js';

/** How many rows of an import are stored together. Small, so other writers don't wait long. */
const IMPORT_BATCH = 500;

/** Options of every directory. */
export interface DirectoryOptions {
  /**
   * Gives the time of records without `observedAt`.
   * @default the system clock
   */
  clock?: Clock | undefined;
}

/** Creates a directory on a store. Use it for your own kind of database. */
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

/** Returns the distinct ids in lower case, without those that no directory can contain. */
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

/** A record that contradicts an entry of the directory. */
export interface DirectoryConflict {
  membershipId: string;
  stored: Pick<DirectoryEntry, 'communityId' | 'productId'>;
  given: Pick<DirectoryEntry, 'communityId' | 'productId'>;
}

/** Thrown for records with a different community or product than in the directory. Nothing was stored. */
export class DirectoryConflictError extends Error {
  override readonly name = 'DirectoryConflictError';
  readonly conflicts: readonly DirectoryConflict[];
  /** URL of the entry in the documentation. Node.js prints it with an uncaught error. */
  readonly docs = docsUrl('troubleshooting', 'directory_conflict');

  constructor(conflicts: readonly DirectoryConflict[]) {
    super(messageOf(conflicts));
    this.conflicts = conflicts;
  }
}

/** Thrown by `import`. The `cause` says what is wrong with the row. */
export class DirectoryImportError extends Error {
  override readonly name = 'DirectoryImportError';
  /** Number of rows that were already stored. */
  readonly imported: number;
  /** URL of the entry in the documentation. Node.js prints it with an uncaught error. */
  readonly docs = docsUrl('troubleshooting', 'import_stopped');

  constructor(imported: number, cause: unknown) {
    const reason = isError(cause) ? cause.message : String(cause);
    super(
      `The import stopped after ${imported} stored rows. ${reason} Correct it and import all rows again: a repeated row changes nothing.`,
      { cause },
    );
    this.imported = imported;
  }
}

/** How many conflicts the message lists. The property has all of them. */
const LISTED = 3;

function messageOf(conflicts: readonly DirectoryConflict[]): string {
  const lines = conflicts
    .slice(0, LISTED)
    .map(
      ({ membershipId, stored, given }) =>
        `Membership ${membershipId} belongs to ${nameOf(stored)}, but the record names ${nameOf(given)}.`,
    );
  const more = conflicts.length > LISTED ? [`${conflicts.length - LISTED} more records conflict.`] : [];
  const advice =
    'A membership never changes its community or product, so one of the sources is wrong. If the directory is, call remove() first.';
  return [...lines, ...more, advice].join(' ');
}

function nameOf({ communityId, productId }: DirectoryConflict['stored']): string {
  return communityId === null ? `product ${productId}` : `community ${communityId}`;
}

/** The service's ids are UUIDs. Other printable ids without white space are accepted too. */
const ID = /^[\x21-\x7e]{1,200}$/;
/** Start of the year 2000. An earlier time was probably given in seconds. */
const EARLIEST_MS = 946_684_800_000;
/** Start of the year 3000. A later time was probably given in microseconds, and no newer plan would ever replace it. */
const LATEST_MS = 32_503_680_000_000;

const FIELDS: ReadonlySet<string> = new Set<keyof DirectoryRecord>([
  'membershipId',
  'communityId',
  'productId',
  'pricingPlanId',
  'observedAt',
]);

/** Returns the id in lower case, or undefined if no directory can contain it. */
function directoryId(id: unknown): string | undefined {
  return typeof id === 'string' && ID.test(id) ? id.toLowerCase() : undefined;
}

/** True for a time in milliseconds since the epoch. Excludes times in other units. */
export function isObservedTime(ms: number): boolean {
  return ms >= EARLIEST_MS && ms < LATEST_MS;
}

/**
 * Checks a record.
 * @param path what errors call the record.
 * @throws LatchkeyOptionsError
 */
function readRecord(record: DirectoryRecord, now: number, path = 'record'): DirectoryStatement {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    throw optionError(path, 'must be an object such as { membershipId, communityId }.');
  }
  const unknown = Object.keys(record).find((key) => !FIELDS.has(key));
  if (unknown !== undefined) {
    throw optionError(
      `${path}.${unknown}`,
      `is not a field of a record. The fields are ${[...FIELDS].join(', ')}.`,
    );
  }
  const { communityId = null, productId = null, pricingPlanId, observedAt = now } = record;
  if ((communityId === null) === (productId === null)) {
    throw optionError(path, 'must have exactly one of communityId and productId.');
  }
  if (!isObservedTime(observedAt)) {
    throw optionError(
      `${path}.observedAt`,
      `must be milliseconds since the epoch, such as Date.parse(event.createdAt); got ${String(observedAt)}.`,
    );
  }
  return {
    membershipId: requireId(record.membershipId, `${path}.membershipId`),
    communityId: communityId === null ? null : requireId(communityId, `${path}.communityId`),
    productId: productId === null ? null : requireId(productId, `${path}.productId`),
    plan:
      pricingPlanId === undefined
        ? undefined
        : {
            id: pricingPlanId === null ? null : requireId(pricingPlanId, `${path}.pricingPlanId`),
            observedAt: Math.round(observedAt),
          },
  };
}

/**
 * Merges the statements about the same membership.
 * @returns one statement for each membership, ordered by id: concurrent writers that lock rows in the same order can't
 * deadlock.
 * @throws DirectoryConflictError if two statements contradict each other.
 */
function mergeStatements(statements: readonly DirectoryStatement[]): DirectoryStatement[] {
  const merged = new Map<string, DirectoryStatement>();
  for (const statement of statements) {
    const previous = merged.get(statement.membershipId);
    if (previous !== undefined && !isSameSource(previous, statement)) {
      const { membershipId } = statement;
      throw new DirectoryConflictError([{ membershipId, stored: previous, given: statement }]);
    }
    const plan = previous === undefined ? statement.plan : newerPlan(previous.plan, statement.plan);
    merged.set(statement.membershipId, { ...statement, plan });
  }
  return [...merged.values()].sort((a, b) => (a.membershipId < b.membershipId ? -1 : 1));
}

export function isSameSource(
  a: Pick<DirectoryStatement, 'communityId' | 'productId'>,
  b: Pick<DirectoryStatement, 'communityId' | 'productId'>,
): boolean {
  return a.communityId === b.communityId && a.productId === b.productId;
}

/** Returns the plan that was observed later. If the times are equal, the first one stays. */
export function newerPlan(
  stored: DirectoryStatement['plan'],
  given: DirectoryStatement['plan'],
): DirectoryStatement['plan'] {
  if (given === undefined || stored === undefined) return stored ?? given;
  return given.observedAt > stored.observedAt ? given : stored;
}

function requireId(value: unknown, path: string): string {
  const id = directoryId(value);
  if (id !== undefined) return id;
  throw optionError(path, `must be an id of the service, such as a UUID; got ${shown(value)}.`);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : typeof value;
}
