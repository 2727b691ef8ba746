import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { recordEvent } from '../../src/features/webhooks/event-outbox.js';
import { saveWebhook } from '../../src/features/webhooks/registration/webhooks.js';
import { leaseDeliveries, listDueEndpoints } from '../../src/features/webhooks/sending/delivery-queue.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { membershipCreated } from '../emitted-events.js';
import { it } from '../webhook-world.js';

/** Number of deliveries that PostgreSQL has read so far, whether or not the statement needed them. */
async function countRead(session: Database): Promise<number> {
  // A session publishes its counters when it is idle. This one does so at once.
  await sql`select pg_stat_force_next_flush()`.execute(session);
  const { rows } = await sql<{ read: number }>`
    select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables
    where relname = 'webhook_deliveries'`.execute(session);
  return Number(rows[0]?.read);
}

describe('event that is stored while its paused webhook is resumed', () => {
  it.for(['serializable', 'read committed'] as const)('is delivered (%s)', async (isolation, { world }) => {
    const { id } = await world.register();
    const { db, service } = world;
    const now = service.clock.now();
    await db.updateTable('webhooks').set({ paused_at: now }).where('id', '=', id).execute();
    const resumed: Promise<unknown>[] = [];
    const store = async (transaction: Database) => {
      await recordEvent(transaction, membershipCreated(), now);
      const saving = saveWebhook(db, { id, ownerId: sandboxScenario.users.dana.id }, {}, now);
      resumed.push(saving);
      await Promise.race([saving, isBlocked(db)]);
    };
    await inTransaction(db, store, { isolation });
    await Promise.all(resumed);
    await world.deliver();
    expect(await world.deliveries(id)).toMatchObject([{ status: 'delivered' }]);
  });

  async function isBlocked(db: Database): Promise<void> {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows.length === 0) await isBlocked(db);
  }
});

describe('worker on PostgreSQL', () => {
  it('skips rows that another process has locked, and leases the rest without waiting', async ({ world }) => {
    const { id: webhookId } = await world.register();
    await world.emit();
    await world.emit();
    const now = world.service.clock.now();
    const lease = { id: randomUUID(), until: now + 1_000 };
    const shares = [{ webhookId, limit: 4 }];
    const { db } = world;
    const [first, second] = await world.deliveries(webhookId);
    await world.db.transaction().execute(async (transaction) => {
      await transaction
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('id', '=', first?.id ?? '')
        .forUpdate()
        .execute();
      const leased = await leaseDeliveries(db, shares, { lease, now });
      expect(leased.map(({ id }) => id)).toEqual([second?.id]);
    });
    const rest = await leaseDeliveries(db, shares, { lease: { ...lease, id: randomUUID() }, now });
    expect(rest.map(({ id }) => id)).toEqual([first?.id]);
  });

  it('reads no backlog to lease a few deliveries, also while the statistics are older than the backlog', async ({
    world,
  }) => {
    const { id: webhookId } = await world.register();
    await sql`vacuum analyze webhook_deliveries`.execute(world.db);
    await world.emit();
    await sql`
      insert into webhook_deliveries (id, event_id, webhook_id, status, next_attempt_at, created_at)
      select id || number, event_id, webhook_id, status, next_attempt_at, created_at
      from webhook_deliveries cross join generate_series(1, 10000) number`.execute(world.db);
    const now = world.service.clock.now();
    await world.db.connection().execute(async (session) => {
      const before = await countRead(session);
      const lease = { id: randomUUID(), until: now + 1_000 };
      expect(await leaseDeliveries(session, [{ webhookId, limit: 4 }], { lease, now })).toHaveLength(4);
      expect((await listDueEndpoints(session, '', now)).due).toEqual([{ webhookId, failing: false }]);
      expect((await countRead(session)) - before).toBeLessThan(200);
    });
  });
});
