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
    // A request whose connection has just ended gets 503, too, and notes nothing.
    const readiness = async () => {
      await send();
      const ready = await service.request('/readyz');
      return [ready.status, await ready.json()];
    };
    await expect.poll(readiness).toEqual([503, { status: 'database is read-only' }]);
    const { status, headers } = await send();
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '1' });
    await begin(false);
    await expect.poll(async () => (await send()).status).toBe(303);
  });
});
