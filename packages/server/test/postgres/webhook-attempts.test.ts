import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { UNANSWERED_ATTEMPTS_MAX } from '../../src/features/webhooks/attempt/attempt-decision.js';
import {
  type LeasedDelivery,
  leaseDeliveries,
  releaseDeliveries,
} from '../../src/features/webhooks/sending/delivery-queue.js';
import { type EndedAttempt, recordAttempts } from '../../src/features/webhooks/sending/record-attempts.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { it } from '../webhook-world.js';

const DELIVERIES = 8;

function failed(delivery: LeasedDelivery, now: number): EndedAttempt {
  const result = { attemptedAt: now, durationMs: 1, statusCode: 500, failure: 'HTTP 500' };
  return { id: randomUUID(), delivery, ...result };
}

/** Number of deadlocks that PostgreSQL has broken in this database. */
async function countDeadlocks(db: Database): Promise<number> {
  // A session publishes its counters when it is idle. This one does so at once.
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db);
  return Number(rows[0]?.deadlocks);
}

describe('attempts recorded at once on PostgreSQL', () => {
  it('never deadlock while the endpoint fails and is paused', async ({ world }) => {
    const { id: webhookId } = await world.register();
    const { db } = world;
    for (let count = 0; count < DELIVERIES; count += 1) await world.emit();
    const now = world.service.clock.now();
    const before = await countDeadlocks(db);

    const lease = { id: randomUUID(), until: now + 60_000 };
    const leased = await leaseDeliveries(db, [{ webhookId, limit: DELIVERIES }], { lease, now });
    expect(leased).toHaveLength(DELIVERIES);
    // Enough failures to pause the webhook. A worker whose lease has ended records its attempts as well.
    const rounds = Math.ceil(UNANSWERED_ATTEMPTS_MAX / DELIVERIES) + 1;
    const attempts = Array.from({ length: rounds }, () =>
      leased.map((delivery) => failed(delivery, now)),
    ).flat();
    const decisions = (
      await Promise.all(attempts.map((attempt) => recordAttempts(db, [attempt], now)))
    ).flat();

    expect(decisions.filter((decision) => decision?.pauses)).toHaveLength(1);
    expect(await countDeadlocks(db)).toBe(before);
    const waiting = await world.deliveries(webhookId);
    expect(waiting.filter(({ nextAttemptAt }) => nextAttemptAt === null)).toHaveLength(DELIVERIES);
  });

  it('never deadlock in batches of several webhooks, in any order, while the webhooks are paused, saved and released', async ({
    world,
  }) => {
    const { db } = world;
    const webhooks = await Promise.all(Array.from({ length: 6 }, () => world.register()));
    for (let count = 0; count < 4; count += 1) await world.emit();
    const now = world.service.clock.now();
    const before = await countDeadlocks(db);
    const lease = { id: randomUUID(), until: now + 60_000 };
    const shares = webhooks.map(({ id }) => ({ webhookId: id, limit: 4 }));
    const leased = await leaseDeliveries(db, shares, { lease, now });
    expect(leased).toHaveLength(24);

    const inTurn = (shift: number) => [...leased.slice(shift), ...leased.slice(0, shift)];
    const batches = [inTurn(0), inTurn(0).reverse(), inTurn(5), inTurn(11).reverse(), inTurn(17), inTurn(23)];
    const { operator } = world.service.server;
    const [decisions] = await Promise.all([
      Promise.all(
        batches.map((batch) =>
          recordAttempts(
            db,
            batch.map((delivery) => failed(delivery, now)),
            now,
          ),
        ),
      ),
      ...webhooks.map(({ id }) => operator.change('webhooks', id, { isActive: true })),
      releaseDeliveries(db, inTurn(13)),
      releaseDeliveries(db, inTurn(7).reverse()),
    ]);
    expect(decisions.flat().filter((decision) => decision === undefined)).toEqual([]);
    expect(await countDeadlocks(db)).toBe(before);
    for (const { id } of webhooks) {
      const attempts = (await world.deliveries(id)).map(({ attemptCount }) => attemptCount);
      expect(attempts).toEqual(Array(4).fill(batches.length));
    }
  });
});
