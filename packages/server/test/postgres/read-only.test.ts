import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { itWithDatabase as it } from '../service-with-database.js';

describe('database that accepts no writes, such as a standby', () => {
  it('answers requests that write with 503 and Retry-After, and /readyz with the reason', async ({
    service,
    db,
  }) => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
    const database = sql.ref(rows[0]?.name ?? '');
    // One connection, because the setting of the database is that of new ones, and this one must survive.
    const begin = (readOnly: boolean) =>
      db.connection().execute(async (one) => {
        await sql`set default_transaction_read_only = off`.execute(one);
        await sql`alter database ${database} set default_transaction_read_only = ${sql.lit(readOnly)}`.execute(
          one,
        );
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
          one,
        );
      });
    const send = () =>
      service.browser().post('/sign-in/code', { email: 'ada@example.com', continue: '/account' });
    await begin(true);
    await expect.poll(async () => (await send()).status).toBe(503);
    const { status, headers } = await send();
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '1' });
    // A connection that has just been ended may be the one that this asks.
    const ready = async () => {
      const response = await service.request('/readyz');
      return [response.status, await response.json()];
    };
    await expect.poll(ready).toEqual([503, { status: 'database is read-only' }]);
    await begin(false);
    await expect.poll(async () => (await send()).status).toBe(303);
  });
});
