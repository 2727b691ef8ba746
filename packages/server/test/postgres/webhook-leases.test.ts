import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { leaseDeliveries } from '../../src/domain/webhooks/delivery-queue.js';
import { it } from '../webhook-world.js';

describe('worker on PostgreSQL', () => {
  it('skips rows that another process has locked, and leases the rest without waiting', async ({ world }) => {
    const { id: webhookId } = await world.register();
    await world.emit();
    await world.emit();
    const now = world.service.clock.now();
    const lease = { id: randomUUID(), until: now + 1_000, limit: 10 };
    const { db } = world;
    const [first, second] = await world.deliveries(webhookId);
    await world.db.transaction().execute(async (transaction) => {
      await transaction
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('id', '=', first?.id ?? '')
        .forUpdate()
        .execute();
      const leased = await leaseDeliveries(db, webhookId, lease, now);
      expect(leased.map(({ id }) => id)).toEqual([second?.id]);
    });
    const rest = await leaseDeliveries(db, webhookId, { ...lease, id: randomUUID() }, now);
    expect(rest.map(({ id }) => id)).toEqual([first?.id]);
  });
});
