import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import pg from 'pg';
import { describe, expect, onTestFinished } from 'vitest';
import { deletedUserIdOf } from '../../src/features/users/users.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { membershipOf, payFor } from '../checkout-world.js';
import { START } from '../service-under-test.js';
import { itWithDatabase as it } from '../service-with-database.js';

const { users, community, plans, publicClient } = sandboxScenario;
const { id, email } = users.ben;
const DAY = 24 * 3600_000;

/** Opens a transaction of another process. */
async function otherTransaction(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  await client.query('begin');
  return client;
}

/** Resolves when the deletion waits for a lock of another transaction. */
async function waiting(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
  }
}

const reservationOf = async (db: Database) =>
  (await db.selectFrom('checkout_reservations').select('id').executeTakeFirstOrThrow()).id;

describe('deletion of an account on PostgreSQL waits for another transaction', () => {
  it('that starts a charge, and is then rejected', async ({ service, db, database }) => {
    await payFor(service, { email });
    const other = await otherTransaction(database);
    await other.query(
      `insert into charges (order_id, reservation_id, user_id, attempts, started_at, look_up_at)
       values ('order-9', $1, $2, 1, $3, $3)`,
      [await reservationOf(db), id, START],
    );
    const deleting = service.server.operator.deleteUser({ id }).catch((error: unknown) => error);
    await waiting(other);
    await other.query('commit');
    expect(await deleting).toMatchObject({ code: 'conflict', message: expect.stringContaining('charge') });
  });

  it('that stores a payment and a token pair: the one is kept, and the other one deleted', async ({
    service,
    db,
    database,
  }) => {
    const other = await otherTransaction(database);
    await other.query(
      `insert into payments (id, user_id, community_id, pricing_plan_id, status, amount_minor, currency, created_at)
       values ('late', $1, $2, $3, 'succeeded', 900, 'EUR', $4)`,
      [id, community.id, plans.monthly.id, START],
    );
    await other.query(
      `insert into token_pairs values ('pair', 'code', $1, $2, 'memberships.read', 'a', $3, null, 'r', $3, null)`,
      [publicClient.clientId, id, START + DAY],
    );
    const deleting = service.server.operator.deleteUser({ id });
    await waiting(other);
    await other.query('commit');
    expect(await deleting).toEqual({ id });
    expect(await db.selectFrom('payments').select(['id', 'user_id']).execute()).toEqual([
      { id: 'late', user_id: deletedUserIdOf(id) },
    ]);
    expect(await db.selectFrom('token_pairs').select('id').execute()).toEqual([]);
  });

  it('that extends the membership, and then ends it', async ({ service, db, database }) => {
    await payFor(service, { email });
    const { id: membershipId } = (await membershipOf(db, email)) ?? {};
    const other = await otherTransaction(database);
    await other.query('update memberships set valid_until = $1 where id = $2', [
      START + 90 * DAY,
      membershipId,
    ]);
    const deleting = service.server.operator.deleteUser({ id });
    await waiting(other);
    await other.query('commit');
    await deleting;
    const membership = db.selectFrom('memberships').select(['user_id', 'valid_until']);
    expect(await membership.where('id', '=', membershipId ?? '').executeTakeFirst()).toEqual({
      user_id: deletedUserIdOf(id),
      valid_until: START,
    });
  });

  it('that makes the user the owner of a community, and is then rejected', async ({ service, database }) => {
    const { operator } = service.server;
    const { id: communityId } = await operator.createCommunity({ name: 'Tea Club', ownerId: users.dana.id });
    await operator.assignRole({ communityId, userId: id, role: 'ADMIN' });
    const other = await otherTransaction(database);
    await other.query("update community_roles set role = 'OWNER' where user_id = $1", [id]);
    const deleting = operator.deleteUser({ id }).catch((error: unknown) => error);
    await waiting(other);
    await other.query('commit');
    expect(await deleting).toMatchObject({ code: 'conflict', message: expect.stringContaining('Tea Club') });
  });

  it('that deletes the same account, and returns the same', async ({ service, db }) => {
    const { operator } = service.server;
    const deletions = Array.from({ length: 5 }, () => operator.deleteUser({ id }));
    expect(new Set((await Promise.all(deletions)).map((deleted) => deleted.id))).toEqual(new Set([id]));
    const rows = db.selectFrom('users').select('id').where('deleted_at', 'is not', null);
    expect(await rows.execute()).toEqual([{ id: deletedUserIdOf(id) }]);
  });

  it('and rejects what a later one still adds for the user', async ({ service, db }) => {
    await service.server.operator.deleteUser({ id });
    const session = { user_id: id, created_at: START, expires_at: START + DAY };
    await expect(
      db
        .insertInto('user_sessions')
        .values({ id_hash: randomUUID(), ...session })
        .execute(),
    ).rejects.toMatchObject({ code: '23503' });
  });
});
