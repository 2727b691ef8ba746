import { randomUUID } from 'node:crypto';
import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import type { KyselyPlugin } from 'kysely';
import { describe, expect } from 'vitest';
import { UNANSWERED_ATTEMPTS_MAX } from '../src/features/webhooks/attempt/attempt-decision.js';
import { type LeasedDelivery, leaseDeliveries } from '../src/features/webhooks/sending/delivery-queue.js';
import { DeliveryWorker } from '../src/features/webhooks/sending/delivery-worker.js';
import { type EndedAttempt, recordAttempts } from '../src/features/webhooks/sending/record-attempts.js';
import type { Database } from '../src/platform/database/open-database.js';
import { withFailingAttempts } from './database/failing-attempts.js';
import { idsOf, startReceiver } from './webhook-receiver.js';
import { it, type WebhookWorld } from './webhook-world.js';

/** Leases all due deliveries of webhooks. */
async function leaseAll({ db, service }: WebhookWorld, ids: readonly string[]): Promise<LeasedDelivery[]> {
  const now = service.clock.now();
  const lease = { id: randomUUID(), until: now + 60_000 };
  return await leaseDeliveries(
    db,
    ids.map((webhookId) => ({ webhookId, limit: 20 })),
    { lease, now },
  );
}

function ended(delivery: LeasedDelivery, statusCode: number, attemptedAt: number): EndedAttempt {
  const failure = statusCode === 200 ? null : `HTTP ${statusCode}`;
  return { id: randomUUID(), delivery, attemptedAt, durationMs: 3, statusCode, failure };
}

/** Counts the transactions that record attempts, and rejects each that records a certain attempt. */
function observed(db: Database, isRejected: (statement: string) => boolean = () => false) {
  const inserts: string[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      const statement = JSON.stringify(node);
      if (node.kind !== 'InsertQueryNode' || !statement.includes('"webhook_attempts"')) return node;
      inserts.push(statement);
      if (isRejected(statement)) throw new Error('This attempt cannot be stored.');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin), inserts };
}

function workerOn(world: WebhookWorld, db: Database) {
  const quiet = () => undefined;
  return new DeliveryWorker({
    db,
    clock: world.service.clock,
    logger: { info: quiet, warn: quiet, error: quiet },
    serviceNames: DEFAULT_SERVICE_NAMES,
    policy: { allowLoopback: true },
  });
}

describe('batch of attempts', () => {
  it('has for each delivery and webhook the consequences of its own attempt', async ({ world }) => {
    const [answers, fails] = [await world.register(), await world.register()];
    for (let count = 0; count < 3; count += 1) await world.emit();
    const now = world.service.clock.now();
    const leased = await leaseAll(world, [answers.id, fails.id]);
    expect(leased).toHaveLength(6);
    const attempts = leased.map((delivery) =>
      ended(delivery, delivery.webhookId === fails.id ? 500 : 200, now),
    );
    const decisions = await recordAttempts(world.db, attempts, now);
    for (const [index, decision] of decisions.entries()) {
      expect(decision?.status).toBe(leased[index]?.webhookId === fails.id ? 'pending' : 'delivered');
    }
    for (const delivery of await world.deliveries(answers.id)) {
      expect(delivery).toMatchObject({ status: 'delivered', finishedAt: now, attemptCount: 1 });
    }
    for (const delivery of await world.deliveries(fails.id)) {
      expect(delivery).toMatchObject({ status: 'pending', finishedAt: null, attemptCount: 1 });
      expect(delivery.nextAttemptAt).toBeGreaterThan(now);
    }
    expect(await world.webhook(answers.id)).toMatchObject({ failingSince: null, hasAnswered: true });
    expect(await world.webhook(fails.id)).toMatchObject({ failingSince: now, hasAnswered: false });
  });

  it('counts the failures of an endpoint one by one, and pauses it once', async ({ world }) => {
    const { id } = await world.register();
    for (let count = 0; count < UNANSWERED_ATTEMPTS_MAX + 2; count += 1) await world.emit();
    const now = world.service.clock.now();
    const attempts = (await leaseAll(world, [id])).map((delivery) => ended(delivery, 404, now));
    const decisions = await recordAttempts(world.db, attempts, now);
    expect(decisions.map((decision) => decision?.pauses)).toEqual([
      ...Array(UNANSWERED_ATTEMPTS_MAX - 1).fill(false),
      true,
      false,
      false,
    ]);
    expect((await world.webhook(id))?.pausedAt).toBe(now);
    expect((await world.deliveries(id)).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(
      Array(attempts.length).fill(null),
    );
  });

  it('skips deliveries that are deleted or recorded, and stores the others', async ({ world }) => {
    const [kept, deleted] = [await world.register(), await world.register()];
    for (let count = 0; count < 2; count += 1) await world.emit();
    const now = world.service.clock.now();
    const attempts = (await leaseAll(world, [kept.id, deleted.id])).map((delivery) =>
      ended(delivery, 200, now),
    );
    const [recorded] = attempts.filter(({ delivery }) => delivery.webhookId === kept.id);
    if (recorded === undefined) throw new Error('Nothing is due.');
    await recordAttempts(world.db, [recorded], now);
    await world.db.deleteFrom('webhooks').where('id', '=', deleted.id).execute();
    const decisions = await recordAttempts(world.db, attempts, now);
    expect(decisions.filter((decision) => decision !== undefined)).toHaveLength(1);
    expect((await world.deliveries(kept.id)).map(({ attemptCount }) => attemptCount)).toEqual([1, 1]);
  });

  it('is stored as a whole or not at all', async ({ world }) => {
    const { id } = await world.register();
    for (let count = 0; count < 3; count += 1) await world.emit();
    const now = world.service.clock.now();
    const attempts = (await leaseAll(world, [id])).map((delivery) => ended(delivery, 200, now));
    const failing = withFailingAttempts(world.db, new Error('no space left'));
    await expect(recordAttempts(failing, attempts, now)).rejects.toThrow('no space left');
    for (const delivery of await world.deliveries(id)) {
      expect(delivery).toMatchObject({ status: 'pending', attemptCount: 0 });
    }
  });
});

describe('worker with many deliveries', () => {
  it('records many attempts in few transactions', async ({ world }) => {
    const receivers = await Promise.all(Array.from({ length: 10 }, startReceiver));
    for (const { url } of receivers) await world.register(url);
    for (let count = 0; count < 4; count += 1) await world.emit();
    const { db, inserts } = observed(world.db);
    const worker = workerOn(world, db);
    await worker.deliverDue();
    await worker.stop();
    expect(receivers.map(({ received }) => received.length)).toEqual(Array(10).fill(4));
    // One delivery at a time would take forty.
    expect(inserts.length).toBeLessThanOrEqual(20);
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  it('stores the other attempts of a batch if one cannot be stored', async ({ world }) => {
    const [cursed, ...others] = await Promise.all(Array.from({ length: 5 }, startReceiver));
    if (cursed === undefined) throw new Error('There are five.');
    const { id } = await world.register(cursed.url);
    const hooks = [];
    for (const { url } of others) hooks.push(await world.register(url));
    for (let count = 0; count < 4; count += 1) await world.emit();
    const worker = workerOn(world, observed(world.db, (statement) => statement.includes(cursed.url)).db);
    const delivering = worker.deliverDue();
    for (const hook of hooks) {
      await expect
        .poll(async () => (await world.deliveries(hook.id)).map(({ status }) => status), { timeout: 10_000 })
        .toEqual(Array(4).fill('delivered'));
    }
    expect((await world.deliveries(id)).map(({ status }) => status)).toEqual(Array(4).fill('pending'));
    // Their leases end. The worker that still tries to store their results does not send them again.
    world.service.clock.advance(61_000);
    await world.emit();
    const again = worker.deliverDue();
    await expect.poll(() => others.every(({ received }) => received.length === 5)).toBe(true);
    expect(new Set(idsOf(cursed)).size).toBe(cursed.received.length);
    // stop() gives up the tries.
    await Promise.all([worker.stop(), delivering, again]);
    await Promise.all([cursed, ...others].map((receiver) => receiver.close()));
  });

  it('keeps the order of the events of an endpoint, four at a time', async ({ world }) => {
    await world.register();
    for (let count = 0; count < 12; count += 1) {
      await world.emit();
      world.service.clock.advance(1);
    }
    let waiting: (() => void)[] = [];
    let atOnce = 0;
    world.receiver.answer((response) => {
      waiting.push(() => response.writeHead(204).end());
      atOnce = Math.max(atOnce, waiting.length);
    });
    const delivering = world.deliver();
    for (const count of [4, 8, 12]) {
      await world.receiver.arrived(count);
      for (const answer of waiting) answer();
      waiting = [];
    }
    await delivering;
    expect(atOnce).toBe(4);
    const times = world.receiver.received.map(({ body }) => JSON.parse(body.toString()).createdAt as string);
    const waves = [times.slice(0, 4), times.slice(4, 8), times.slice(8)].map((wave) => wave.toSorted());
    expect(waves.flat()).toEqual(times.toSorted());
  });
});
