import { randomUUID } from 'node:crypto';
import { isCreatedMeanwhile } from '../locks/created-meanwhile.js';
import type { PostgresPool } from '../locks/postgres-lock.js';
import { LatchkeyOptionsError } from '../options-error.js';
import type { WebhookEventStore } from './event-store.js';

const TABLE_NAME = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/;
/** `undefined_table` (PostgreSQL, appendix A). */
const UNDEFINED_TABLE = '42P01';
const PURGE_EVERY_MS = 3600_000;

/**
 * Remembers events in a PostgreSQL table. Time is the database's, so the processes' clocks need not agree. What has
 * expired is deleted once an hour.
 *
 * @param options.table Its name, which may have a schema in front. Default `latchkey_webhook_events`.
 * @param options.createTable Creates the table when it turns out to be missing. Default true; false when the app's role may
 * not create tables: README.md has the statement.
 * @throws LatchkeyOptionsError for a table name that would need quoting.
 */
export function postgresEventStore(
  pool: PostgresPool,
  {
    table = 'latchkey_webhook_events',
    createTable = true,
  }: { table?: string | undefined; createTable?: boolean | undefined } = {},
): WebhookEventStore {
  if (!TABLE_NAME.test(table)) {
    throw new LatchkeyOptionsError([
      {
        option: 'table',
        message: 'must be small letters, digits and underscores, with at most one schema in front.',
      },
    ]);
  }
  const sql = statements(table);
  let purgedAt = Number.NEGATIVE_INFINITY;

  const query = async (text: string, values: unknown[]): Promise<unknown[]> => {
    try {
      return (await pool.query(text, values)).rows;
    } catch (error) {
      if (!createTable || codeOf(error) !== UNDEFINED_TABLE) throw error;
    }
    await pool.query(sql.create).catch((error: unknown) => {
      if (!isCreatedMeanwhile(error)) throw error;
    });
    return (await pool.query(text, values)).rows;
  };

  return {
    async claim(eventId, leaseMs) {
      const token = randomUUID();
      const [claimed] = await query(sql.claim, [eventId, token, leaseMs]);
      if (claimed !== undefined) return { state: 'claimed', token };
      const [held] = await query(sql.find, [eventId]);
      // A row that is gone by now was held a moment ago.
      const isDone = typeof held === 'object' && held !== null && Reflect.get(held, 'holder') === null;
      return { state: isDone ? 'done' : 'running' };
    },
    async complete(eventId, keepMs) {
      await query(sql.complete, [eventId, keepMs]);
      if (performance.now() - purgedAt < PURGE_EVERY_MS) return;
      purgedAt = performance.now();
      // What was to be done is done; a purge that fails is tried again in an hour.
      await query(sql.purge, []).catch(() => {});
    },
    async release(eventId, token) {
      await query(sql.release, [eventId, token]);
    },
  };
}

/** `holder` is null once the event is done; a row that has expired counts for nothing. */
function statements(table: string) {
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

function codeOf(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}
