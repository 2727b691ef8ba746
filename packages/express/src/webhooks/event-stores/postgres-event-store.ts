import { randomUUID } from 'node:crypto';
import { LatchkeyOptionsError } from '../../platform/options-error.js';
import {
  createTable as createTableOnce,
  errorCodeOf,
  type PostgresPool,
  TABLE_NAME,
  TABLE_NAME_ADVICE,
  UNDEFINED_TABLE,
} from '../../platform/postgres.js';
import type { WebhookEventStore } from './event-store.js';

const PURGE_EVERY_MS = 3600_000;

/**
 * Creates an event store in a PostgreSQL table. It uses the clock of the database, so the clocks of processes may differ.
 * Expired rows are deleted once an hour.
 * @param options.table Table name, optionally with a schema.
 * @default options.table 'latchkey_webhook_events'
 * @param options.createTable Creates a missing table. Set it to false if the app's role may not create tables, and run
 * the statement in README.md.
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
  if (!TABLE_NAME.test(table)) {
    throw new LatchkeyOptionsError([{ option: 'table', message: TABLE_NAME_ADVICE }]);
  }
  const sql = statements(table);
  let purgedAt = Number.NEGATIVE_INFINITY;

  const query = async (text: string, values: unknown[]): Promise<unknown[]> => {
    try {
      return (await pool.query(text, values)).rows;
    } catch (error) {
      if (!createTable || errorCodeOf(error) !== UNDEFINED_TABLE) throw error;
    }
    await createTableOnce(pool, sql.create);
    return (await pool.query(text, values)).rows;
  };

  return {
    async claim(eventId, leaseMs) {
      const token = randomUUID();
      const [claimed] = await query(sql.claim, [eventId, token, leaseMs]);
      if (claimed !== undefined) return { kind: 'claimed', token };
      const [held] = await query(sql.find, [eventId]);
      // A missing row was claimed a moment ago and has been released since.
      const isDone = typeof held === 'object' && held !== null && Reflect.get(held, 'holder') === null;
      return { kind: isDone ? 'done' : 'running' };
    },
    async complete(eventId, keepMs) {
      await query(sql.complete, [eventId, keepMs]);
      if (performance.now() - purgedAt < PURGE_EVERY_MS) return;
      purgedAt = performance.now();
      // The event is marked. A failed purge is retried in an hour.
      await query(sql.purge, []).catch(() => {});
    },
    async release(eventId, token) {
      await query(sql.release, [eventId, token]);
    },
  };
}

/** `holder` is null once the event is done. Expired rows are ignored. */
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
