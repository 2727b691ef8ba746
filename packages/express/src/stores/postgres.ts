import { randomBytes, randomUUID } from 'node:crypto';
import { optionError, requireMethod } from '../platform/errors.js';
import { type DirectoryOptions, membershipDirectory } from './create-directory.js';
import type { DirectoryEntry, MembershipDirectory, SessionLock, WebhookEventStore } from './kit-store.js';

/** A `Pool` from the package `pg`, or any object that runs one statement and returns its rows. */
export interface PostgresPool {
  query(statement: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

const POOL = { method: 'query', advice: 'a pool of pg, such as new Pool({ connectionString })' };

/** A table name that needs no quoting, optionally with a schema. */
const TABLE_NAME = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/;
const TABLE_NAME_ADVICE =
  'must consist of lower-case letters, digits and underscores, optionally with one schema before it.';
/** Error code `undefined_table` (PostgreSQL, appendix A). */
const UNDEFINED_TABLE = '42P01';

/**
 * Error codes of `create table if not exists` while another process creates the same table: unique_violation,
 * duplicate_table, or duplicate_object for the table's row type (PostgreSQL, appendix A).
 */
const CREATED_CONCURRENTLY: ReadonlySet<unknown> = new Set(['23505', '42P07', '42710']);

/** Runs `create table if not exists`, and ignores the errors if another process creates the table at the same moment. */
async function createTableOnce(pool: PostgresPool, statement: string): Promise<void> {
  try {
    await pool.query(statement);
  } catch (error) {
    if (!CREATED_CONCURRENTLY.has(errorCodeOf(error))) throw error;
  }
}

/**
 * Checks the name of a table and returns it.
 * @throws LatchkeyOptionsError if it would need quoting.
 */
function tableName(table: string): string {
  if (TABLE_NAME.test(table)) return table;
  throw optionError('table', TABLE_NAME_ADVICE);
}

/** Returns a function that runs a statement on a table. Creates the table first if it's missing and `createTable` is set. */
function queryOf(pool: PostgresPool, { create, createTable }: { create: string; createTable: boolean }) {
  return async (text: string, values: unknown[]): Promise<unknown[]> => {
    try {
      return (await pool.query(text, values)).rows;
    } catch (error) {
      if (!createTable || errorCodeOf(error) !== UNDEFINED_TABLE) throw error;
    }
    await createTableOnce(pool, create);
    return (await pool.query(text, values)).rows;
  };
}

/** Returns the SQLSTATE of a PostgreSQL error, if there is one. */
function errorCodeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
}

export interface PostgresDirectoryOptions extends DirectoryOptions {
  /**
   * Table name, optionally with a schema.
   * @default 'latchkey_memberships'
   */
  table?: string | undefined;
  /**
   * Creates the table if it's missing. Set it to false if the app's role may not create tables, and run the statement
   * in README.md.
   * @default true
   */
  createTable?: boolean | undefined;
}

/** Error code `check_violation` (PostgreSQL, appendix A). */
const CHECK_VIOLATION = '23514';

/**
 * Creates a directory in a PostgreSQL table, with one row for each membership.
 * @throws LatchkeyOptionsError if the table name would need quoting.
 */
export function postgresDirectory(
  pool: PostgresPool,
  { table = 'latchkey_memberships', createTable = true, ...options }: PostgresDirectoryOptions = {},
): MembershipDirectory {
  requireMethod('postgresDirectory pool', pool, POOL);
  const sql = directoryStatements(tableName(table));
  const query = queryOf(pool, { create: sql.create, createTable });
  const find = async (membershipIds: readonly string[]) =>
    (await query(sql.find, [membershipIds])) as DirectoryEntry[];
  return membershipDirectory(
    {
      find,
      async record(given) {
        try {
          await query(sql.record, [
            given.map(({ membershipId }) => membershipId),
            given.map(({ communityId }) => communityId),
            given.map(({ productId }) => productId),
            given.map(({ plan }) => plan?.id ?? null),
            given.map(({ plan }) => plan?.observedAt ?? null),
          ]);
          return { kind: 'recorded' };
        } catch (error) {
          if (errorCodeOf(error) !== CHECK_VIOLATION) throw error;
        }
        return { kind: 'conflict', stored: await find(given.map(({ membershipId }) => membershipId)) };
      },
      async remove(membershipIds) {
        await query(sql.remove, [membershipIds]);
      },
      async close() {},
    },
    options,
  );
}

function directoryStatements(table: string) {
  const isSameSource = `(entry.community_id, entry.product_id) is not distinct from (excluded.community_id, excluded.product_id)`;
  const isNewer = 'excluded.plan_observed_at > coalesce(entry.plan_observed_at, -1)';
  return {
    create: `create table if not exists ${table} (
      membership_id text collate "C" primary key,
      community_id text,
      product_id text,
      pricing_plan_id text,
      plan_observed_at bigint,
      check ((community_id is null) <> (product_id is null))
    )`,
    find: `select membership_id as "membershipId", community_id as "communityId", product_id as "productId",
        pricing_plan_id as "pricingPlanId"
      from ${table} where membership_id = any($1::text[])`,
    // A conflict clears both columns, which violates the table's check and undoes the whole statement.
    record: `insert into ${table} as entry (membership_id, community_id, product_id, pricing_plan_id, plan_observed_at)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
      on conflict (membership_id) do update set
        community_id = case when ${isSameSource} then entry.community_id end,
        product_id = case when ${isSameSource} then entry.product_id end,
        pricing_plan_id = excluded.pricing_plan_id,
        plan_observed_at = excluded.plan_observed_at
      where not (${isSameSource}) or ${isNewer}`,
    remove: `delete from ${table} where membership_id = any($1::text[])`,
  };
}

/**
 * Creates a lock in PostgreSQL: a row that one conditional statement acquires and that expires by the database's clock.
 * Unlike an advisory lock it doesn't hold a connection, so a slow service doesn't exhaust the pool.
 * @param options.table table name.
 * @default options.table 'latchkey_locks'
 * @param options.createTable set it to false if the app's role may not create tables.
 * @default options.createTable true
 * @throws TypeError if the table name would need quoting.
 */
export function postgresLock(
  pool: PostgresPool,
  {
    table = 'latchkey_locks',
    createTable = true,
  }: { table?: string | undefined; createTable?: boolean | undefined } = {},
): SessionLock {
  requireMethod('postgresLock pool', pool, POOL);
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(table)) {
    throw new TypeError(
      `postgresLock: table must be a plain lower-case name, got ${JSON.stringify(table.slice(0, 80))}.`,
    );
  }
  let ready: Promise<void> | undefined;
  const prepare = () => {
    ready ??= (createTable ? prepareTable(pool, table) : Promise.resolve()).catch((error: unknown) => {
      // The next call tries again.
      ready = undefined;
      throw error;
    });
    return ready;
  };
  return {
    async acquire(key, ttlMs) {
      await prepare();
      const holder = randomBytes(16).toString('base64url');
      const { rows } = await pool.query(
        `insert into ${table} as held (key, holder, expires_at)
         values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
         on conflict (key) do update set holder = excluded.holder, expires_at = excluded.expires_at
         where held.expires_at <= clock_timestamp()
         returning key`,
        [key, holder, ttlMs],
      );
      if (rows.length === 0) return undefined;
      return async () =>
        void (await pool.query(`delete from ${table} where key = $1 and holder = $2`, [key, holder]));
    },
  };
}

async function prepareTable(pool: PostgresPool, table: string): Promise<void> {
  await createTableOnce(
    pool,
    `create table if not exists ${table} (key text primary key, holder text not null, expires_at timestamptz not null)`,
  );
  // Removes the locks of processes that died.
  await pool.query(`delete from ${table} where expires_at < clock_timestamp() - interval '1 hour'`);
}

const PURGE_EVERY_MS = 3600_000;

/**
 * Creates an event store in a PostgreSQL table. It uses the database's clock, so the processes' clocks may differ.
 * Expired rows are deleted once an hour.
 * @param options.table table name, optionally with a schema.
 * @default options.table 'latchkey_webhook_events'
 * @param options.createTable Creates the table if it's missing. Set it to false if the app's role may not create
 * tables, and run the statement in README.md.
 * @default options.createTable true
 * @throws LatchkeyOptionsError if the table name would need quoting.
 */
export function postgresEventStore(
  pool: PostgresPool,
  {
    table = 'latchkey_webhook_events',
    createTable = true,
  }: { table?: string | undefined; createTable?: boolean | undefined } = {},
): WebhookEventStore {
  requireMethod('postgresEventStore pool', pool, POOL);
  const sql = eventStatements(tableName(table));
  let purgedAt = Number.NEGATIVE_INFINITY;

  const query = queryOf(pool, { create: sql.create, createTable });

  return {
    async claim(eventId, leaseMs) {
      const token = randomUUID();
      const [claimed] = await query(sql.claim, [eventId, token, leaseMs]);
      if (claimed !== undefined) return { kind: 'claimed', token };
      const [held] = await query(sql.find, [eventId]);
      // If the row is missing, another process released its claim a moment ago.
      const isDone = typeof held === 'object' && held !== null && Reflect.get(held, 'holder') === null;
      return { kind: isDone ? 'done' : 'running' };
    },
    async complete(eventId, keepMs) {
      await query(sql.complete, [eventId, keepMs]);
      if (performance.now() - purgedAt < PURGE_EVERY_MS) return;
      purgedAt = performance.now();
      // The event is marked. If the purge fails, the next one is in an hour.
      await query(sql.purge, []).catch(() => {});
    },
    async release(eventId, token) {
      await query(sql.release, [eventId, token]);
    },
  };
}

/** `holder` is null once the event is done. Expired rows are ignored. */
function eventStatements(table: string) {
  const inMs = (parameter: string) => `clock_timestamp() + ${parameter}::float8 * interval '1 millisecond'`;
  return {
    create: `create table if not exists ${table} (
      event_id text primary key,
      holder text,
      expires_at timestamptz not null
    );
    create index if not exists ${table.split('.').at(-1)}_expires_at on ${table} (expires_at)`,
    claim: `insert into ${table} as event (event_id, holder, expires_at)
      values ($1, $2, ${inMs('$3')})
      on conflict (event_id) do update set holder = excluded.holder, expires_at = excluded.expires_at
        where event.expires_at <= clock_timestamp()
      returning event_id`,
    find: `select holder from ${table} where event_id = $1 and expires_at > clock_timestamp()`,
    complete: `insert into ${table} (event_id, holder, expires_at) values ($1, null, ${inMs('$2')})
      on conflict (event_id) do update set holder = null, expires_at = excluded.expires_at`,
    release: `delete from ${table} where event_id = $1 and holder = $2`,
    purge: `delete from ${table} where expires_at <= clock_timestamp()`,
  };
}
