import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { type LeasedDelivery, leaseDeliveries } from '../../src/domain/webhooks/delivery-queue.js';
import { recordAttempt } from '../../src/domain/webhooks/record-attempt.js';
import { UNANSWERED_ATTEMPTS_MAX } from '../../src/domain/webhooks/retry-schedule.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { it } from '../webhook-world.js';

const DELIVERIES = 8;

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

    const fail = (delivery: LeasedDelivery) => {
      const attempt = {
        id: randomUUID(),
        delivery,
        attemptedAt: now,
        durationMs: 1,
        statusCode: 500,
        failure: 'HTTP 500',
      };
      return recordAttempt(db, attempt, now);
    };
    const lease = { id: randomUUID(), until: now + 60_000, limit: DELIVERIES };
    const leased = await leaseDeliveries(db, webhookId, lease, now);
    expect(leased).toHaveLength(DELIVERIES);
    // Enough failures to pause the webhook. A worker whose lease has ended records its attempts as well.
    const rounds = Math.ceil(UNANSWERED_ATTEMPTS_MAX / DELIVERIES) + 1;
    const decisions = await Promise.all(Array.from({ length: rounds }, () => leased.map(fail)).flat());

    expect(decisions.filter((decision) => decision?.pauses)).toHaveLength(1);
    expect(await countDeadlocks(db)).toBe(before);
    const waiting = await world.deliveries(webhookId);
    expect(waiting.filter(({ nextAttemptAt }) => nextAttemptAt === null)).toHaveLength(DELIVERIES);
  });
});
