import { closeSync, existsSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isError, messageOf } from '@latchkey/contract/constants';
import { optionError } from '../platform/errors.js';
import { type DirectoryOptions, isSameSource, membershipDirectory, newerPlan } from './create-directory.js';
import type { DirectoryEntry, DirectoryStatement, MembershipDirectory, StoreResult } from './kit-store.js';
import { markMemoryDirectory } from './memory.js';

/** Number of ids in one query. SQLite runs in the app's thread, and a long list must not block it. */
const FIND_BATCH = 1_000;
/** How long to wait for other processes that write to the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_PAUSE_MS = 10;
/** Result codes `SQLITE_BUSY` and `SQLITE_LOCKED`. The upper bits of a code contain details. */
const BUSY_CODES: ReadonlySet<number> = new Set([5, 6]);
/** A database in memory, or a URI. SQLite resolves URIs itself, and creates the file with the process's mode. */
const NO_PATH = /^(?::memory:$|file:)/;
/** A database in memory, by name or as a URI. */
const IN_MEMORY = /^(?::memory:$|file:(?::memory:|.*[?&]mode=memory(?:&|$)))/;

const CREATE = `create table if not exists latchkey_memberships (
  membership_id text not null primary key,
  community_id text,
  product_id text,
  pricing_plan_id text,
  plan_observed_at integer,
  check ((community_id is null) <> (product_id is null))
) strict, without rowid`;

const SELECT = `select entry.membership_id as "membershipId", entry.community_id as "communityId",
  entry.product_id as "productId", entry.pricing_plan_id as "pricingPlanId",
  entry.plan_observed_at as "planObservedAt"
  from json_each(?) as given cross join latchkey_memberships as entry on entry.membership_id = given.value`;

const UPSERT = `insert into latchkey_memberships values (?, ?, ?, ?, ?)
  on conflict (membership_id) do update set
    pricing_plan_id = excluded.pricing_plan_id, plan_observed_at = excluded.plan_observed_at`;

const REMOVE = 'delete from latchkey_memberships where membership_id in (select value from json_each(?))';

/**
 * Creates a directory in a SQLite file, for apps on one machine. Several processes can share the file. The folder must
 * exist. A missing file is created, readable by its owner only.
 * @param file path of the file.
 * @throws LatchkeyOptionsError if the file can't be opened, or Node.js has no `node:sqlite` (before 22.13).
 */
export function sqliteDirectory(file: string, options: DirectoryOptions = {}): MembershipDirectory {
  const database = openDatabase(file);
  const select = database.prepare(SELECT);
  const upsert = database.prepare(UPSERT);
  const removal = database.prepare(REMOVE);

  const rowsOf = (ids: readonly string[]): Row[] => select.all(JSON.stringify(ids)).map(rowOf);
  const recordAll = (statements: readonly DirectoryStatement[]): StoreResult => {
    const rows = rowsOf(statements.map(({ membershipId }) => membershipId));
    const stored = new Map(rows.map((row) => [row.entry.membershipId, row]));
    const conflicts: DirectoryEntry[] = [];
    const changed = statements.filter((statement) => {
      const row = stored.get(statement.membershipId);
      if (row === undefined) return true;
      if (!isSameSource(row.entry, statement)) conflicts.push(row.entry);
      return newerPlan(row.plan, statement.plan) !== row.plan;
    });
    if (conflicts.length > 0) return { kind: 'conflict', stored: conflicts };
    for (const { membershipId, communityId, productId, plan } of changed) {
      upsert.run(membershipId, communityId, productId, plan?.id ?? null, plan?.observedAt ?? null);
    }
    return { kind: 'recorded' };
  };
  const directory = membershipDirectory(
    {
      async find(membershipIds) {
        const entries: DirectoryEntry[] = [];
        for (let first = 0; first < membershipIds.length; first += FIND_BATCH) {
          if (first > 0) await nextTurn();
          const rows = await untilFree(() => rowsOf(membershipIds.slice(first, first + FIND_BATCH)));
          for (const { entry } of rows) entries.push(entry);
        }
        return entries;
      },
      record: (statements) => untilFree(() => inTransaction(database, () => recordAll(statements))),
      remove: (membershipIds) => untilFree(() => void removal.run(JSON.stringify(membershipIds))),
      async close() {
        if (database.isOpen) database.close();
      },
    },
    options,
  );
  if (IN_MEMORY.test(file)) markMemoryDirectory(directory);
  return directory;
}

/** Opens the file and creates the table. Blocks while another process does the same. */
function openDatabase(file: string): DatabaseSync {
  const sqlite = process.getBuiltinModule?.('node:sqlite');
  if (sqlite === undefined) {
    throw unusable(
      `needs node:sqlite, which Node ${process.version} does not have. Use Node 22.13 or newer.`,
    );
  }
  if (typeof file !== 'string' || file === '') throw unusable('must be the path of a file.');
  let database: DatabaseSync;
  try {
    // The file will contain members' data. SQLite gives the files next to it the same mode.
    if (!NO_PATH.test(file)) createPrivateFile(file);
    database = new sqlite.DatabaseSync(file);
  } catch (error) {
    throw unusable(
      `cannot be opened (${messageOf(error)}): ${file}. Check that its folder exists and is writable.`,
    );
  }
  try {
    database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Two processes that switch the mode at the same time can fail without waiting for the timeout.
    retryWhileBusy(() => database.exec('pragma journal_mode = wal'));
    // When `record()` resolves, the record is on disk: a power failure doesn't lose a webhook.
    database.exec('pragma synchronous = full');
    retryWhileBusy(() => database.exec(CREATE));
    // From here on, waiting is asynchronous: see untilFree.
    database.exec('pragma busy_timeout = 0');
    return database;
  } catch (error) {
    database.close();
    throw unusable(
      `cannot be used (${messageOf(error)}): ${file}. Pass the path of a SQLite file, or of a new file.`,
    );
  }
}

function retryWhileBusy(run: () => void): void {
  const startedAt = performance.now();
  for (;;) {
    try {
      run();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedAt > BUSY_TIMEOUT_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE_MS);
    }
  }
}

/** Runs a query, and repeats it while another process writes. The app serves other requests in between. */
async function untilFree<Result>(run: () => Result): Promise<Result> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedAt > BUSY_TIMEOUT_MS) throw error;
    }
    await pause(BUSY_PAUSE_MS * (0.5 + Math.random()));
  }
}

function inTransaction<Result>(database: DatabaseSync, run: () => Result): Result {
  database.exec('begin immediate');
  try {
    const result = run();
    database.exec('commit');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

interface Row {
  entry: DirectoryEntry;
  plan: DirectoryStatement['plan'];
}

function rowOf(row: Record<string, unknown>): Row {
  const { planObservedAt, ...columns } = row as unknown as DirectoryEntry & { planObservedAt: number | null };
  const plan =
    planObservedAt === null ? undefined : { id: columns.pricingPlanId, observedAt: planObservedAt };
  return { entry: { ...columns }, plan };
}

function isBusy(error: unknown): boolean {
  const code: unknown = isError(error) ? Reflect.get(error, 'errcode') : undefined;
  return typeof code === 'number' && BUSY_CODES.has(code & 0xff);
}
const unusable = (message: string) => optionError('sqliteDirectory file', message);

/**
 * Creates a file that only its owner can read, unless it exists. An existing file isn't opened: closing it would
 * release the locks of this process's SQLite connections to it.
 *
 * @throws Node.js's error if the file can't be created.
 */
function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600));
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // A link to a file that doesn't exist yet.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}
