import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import { startSandbox } from '@latchkey/sandbox';
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { insertCommunity } from '../src/features/communities/communities.js';
import { registerWebhook } from '../src/features/webhooks/registration/webhooks.js';
import { leaseDeliveries } from '../src/features/webhooks/sending/delivery-queue.js';
import {
  DeliveryWorker,
  type DeliveryWorkerOptions,
} from '../src/features/webhooks/sending/delivery-worker.js';
import { recordAttempts } from '../src/features/webhooks/sending/record-attempts.js';
import { startServer } from '../src/index.js';
import { withFailingAttempts } from './database/failing-attempts.js';
import { membershipCreated } from './emitted-events.js';
import { idsOf, startReceiver } from './webhook-receiver.js';
import { it, type WebhookWorld } from './webhook-world.js';

/** Worker of another process, on the world's database and clock. */
function otherWorker({ db, service }: WebhookWorld, options: Partial<DeliveryWorkerOptions> = {}) {
  const quiet = () => undefined;
  return new DeliveryWorker({
    clock: service.clock,
    logger: { info: quiet, warn: quiet, error: quiet },
    db,
    serviceNames: DEFAULT_SERVICE_NAMES,
    policy: { allowLoopback: true },
    ...options,
  });
}

/** Logger that keeps the messages. */
function recordingLogger() {
  const messages: string[] = [];
  const write = (_fields: object, message: string) => void messages.push(message);
  return { messages, logger: { info: write, warn: write, error: write } };
}

/** Sends the due delivery in a process that is killed between sending and recording. */
async function deliverAndDie(world: WebhookWorld): Promise<void> {
  const db = withFailingAttempts(world.db, new Error('killed'));
  const log = recordingLogger();
  const worker = otherWorker(world, { db, logger: log.logger, stoppingGraceMs: 0 });
  const delivering = worker.deliverDue();
  await expect.poll(() => log.messages.length).toBeGreaterThan(0);
  await worker.stop();
  await delivering;
}

describe('workers of several processes', () => {
  it('deliver each event once, whichever worker leases it', async ({ world }) => {
    const { id } = await world.register();
    for (let count = 0; count < 60; count += 1) await world.emit();
    const workers = [otherWorker(world), otherWorker(world)];
    await Promise.all([world.deliver(), ...workers.map((worker) => worker.deliverDue())]);
    expect(new Set(idsOf(world.receiver)).size).toBe(60);
    expect(world.receiver.received).toHaveLength(60);
    expect((await world.deliveries(id)).every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('skip a delivery that another worker has leased until the lease ends, then send the same event', async ({
    world,
  }) => {
    const { id } = await world.register();
    await world.emit();
    await deliverAndDie(world);
    expect(world.receiver.received).toHaveLength(1);
    expect(await world.delivery(id)).toMatchObject({ status: 'pending', attemptCount: 0 });
    world.service.clock.advance(59_000);
    await world.deliver();
    expect(world.receiver.received).toHaveLength(1);
    world.service.clock.advance(1_000);
    await world.deliver();
    const { eventId, status, attemptCount } = await world.delivery(id);
    expect({ status, attemptCount }).toEqual({ status: 'delivered', attemptCount: 1 });
    expect(idsOf(world.receiver)).toEqual([eventId, eventId]);
  });

  it('record a success after the end of the lease, but no failure', async ({ world }) => {
    const { id } = await world.register();
    await world.emit();
    const answers: ((status: number) => void)[] = [];
    world.receiver.answer((response) => answers.push((status) => response.writeHead(status).end()));
    const first = otherWorker(world).deliverDue();
    await world.receiver.arrived(1);
    world.service.clock.advance(60_000);
    const second = world.deliver();
    await world.receiver.arrived(2);
    answers[0]?.(500);
    await first;
    expect(await world.delivery(id)).toMatchObject({ status: 'pending', attemptCount: 1 });
    // The second worker still holds the lease, so the first one's result must not make the delivery due for a
    // third.
    world.service.clock.advance(20_000);
    await otherWorker(world).deliverDue();
    expect(world.receiver.received).toHaveLength(2);
    answers[1]?.(200);
    await second;
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptCount: 2 });
    expect(await world.webhook(id)).toMatchObject({ failingSince: null });

    await world.emit();
    const slow = otherWorker(world).deliverDue();
    await world.receiver.arrived(3);
    world.service.clock.advance(60_000);
    const fast = world.deliver();
    await world.receiver.arrived(4);
    answers[3]?.(500);
    await fast;
    answers[2]?.(200);
    await slow;
    const [newest] = await world.deliveries(id);
    expect(newest).toMatchObject({ status: 'delivered', attemptCount: 2 });
  });

  it('keep no state in memory: another server on the database continues', async ({ world }) => {
    await world.register();
    await world.emit();
    const second = await startSandbox({
      port: 0,
      database: world.databaseUrl,
      clock: world.service.clock,
      backgroundWork: false,
    });
    await second.runBackgroundWork();
    await second.close();
    expect(world.receiver.received).toHaveLength(1);
  });
});

describe('worker', () => {
  it('runs in the background of a server', async ({ world }) => {
    await world.register();
    await world.emit();
    const second = await startSandbox({
      port: 0,
      database: world.databaseUrl,
      clock: world.service.clock,
    });
    await world.receiver.arrived(1);
    await world.emit();
    await fetch(`${second.baseUrl}/oauth/token`, { method: 'POST' });
    await world.receiver.arrived(2);
    await second.close();
    expect(new Set(idsOf(world.receiver)).size).toBe(2);
  });

  it('does not let a hanging endpoint delay the others', async ({ world }) => {
    const hanging = await startReceiver();
    const held: (() => void)[] = [];
    let [open, mostOpen] = [0, 0];
    hanging.answer((response) => {
      held.push(() => response.writeHead(204).end());
      open += 1;
      mostOpen = Math.max(open, mostOpen);
      response.once('close', () => {
        open -= 1;
      });
    });
    const slow = await world.register(hanging.url);
    for (let count = 0; count < 50; count += 1) await world.emit();
    await world.register();
    for (let count = 0; count < 20; count += 1) await world.emit();
    const done = world.deliver();
    await world.receiver.arrived(20);
    expect(mostOpen).toBeLessThanOrEqual(4);
    expect(await world.webhook(slow.id)).toMatchObject({ pending: 70 });
    hanging.answer((response) => response.writeHead(204).end());
    for (const release of held) release();
    await done;
    expect(new Set(idsOf(hanging)).size).toBe(70);
    await hanging.close();
  });

  it('reserves capacity for responding endpoints, however many others hang', async ({ world }) => {
    const hanging = await startReceiver();
    const held: (() => void)[] = [];
    hanging.answer((response) => held.push(() => response.writeHead(500).end()));
    const { db } = world;
    const now = world.service.clock.now();
    const ownerId = (await world.db.selectFrom('users').select('id').executeTakeFirstOrThrow()).id;
    for (let count = 0; count < 40; count += 1) {
      const communityId = randomUUID();
      await insertCommunity(db, { id: communityId, name: 'Other', ownerId }, now);
      await registerWebhook(db, { ownerId, communityId, url: hanging.url }, now);
      await world.emit({ ...membershipCreated(), communityId });
    }
    await world.db.updateTable('webhooks').set({ failing_since: now }).execute();
    // On a busy machine, the events below can take longer than the usual limit for a response.
    const options = { limits: { prompt: 16, late: 16, perEndpoint: 4 }, timeoutMs: 120_000 };
    const worker = otherWorker(world, options);
    const failing = worker.deliverDue();
    await hanging.arrived(8);
    await world.register();
    for (let count = 0; count < 10; count += 1) await world.emit();
    const answering = worker.deliverDue();
    await world.receiver.arrived(10);
    expect(hanging.received).toHaveLength(8);
    hanging.answer((response) => response.writeHead(500).end());
    for (const release of held) release();
    await Promise.all([failing, answering]);
    expect(new Set(idsOf(hanging)).size).toBe(40);
    await hanging.close();
  });

  it('starts six deliveries, and the next ones when no request is under way', async ({ world }) => {
    for (let count = 0; count < 10; count += 1) await world.register();
    await world.emit();
    let started = 0;
    const startedAtCheck: number[] = [];
    const worker = otherWorker(world, {
      intercept: async (_delivery, send) => {
        started += 1;
        return await send();
      },
      isServing: () => startedAtCheck.push(started) === 1,
    });
    await worker.deliverDue();
    expect(startedAtCheck.slice(0, 3)).toEqual([6, 6, 10]);
  });

  it('delivers although a request never ends', async ({ world }) => {
    for (let count = 0; count < 10; count += 1) await world.register();
    await world.emit();
    await otherWorker(world, { isServing: () => true }).deliverDue();
    expect(world.receiver.received).toHaveLength(10);
  });

  it('sends all that it has leased when it stops while requests go first', async ({ world }) => {
    for (let count = 0; count < 10; count += 1) await world.register();
    await world.emit();
    let stopped: Promise<void> | undefined;
    const worker = otherWorker(world, {
      isServing() {
        stopped ??= worker.stop();
        return true;
      },
    });
    await worker.deliverDue();
    await stopped;
    expect(world.receiver.received).toHaveLength(10);
  });

  it('of a server waits for the requests that the server is answering', async ({ world }) => {
    for (let count = 0; count < 10; count += 1) await world.register();
    for (let count = 0; count < 2; count += 1) await world.emit();
    const startedAt: number[] = [];
    const quiet = () => undefined;
    const server = await startServer({
      ...{ port: 0, database: world.databaseUrl, databasePurpose: 'sandbox', clock: world.service.clock },
      ...{ backgroundWork: false, webhookTargets: 'public-and-loopback' },
      logger: { info: quiet, warn: quiet, error: quiet },
      mailer: { send: async () => undefined },
      interceptDelivery(_delivery, send) {
        startedAt.push(performance.now());
        return send();
      },
    });
    const socket = connect(server.port, '127.0.0.1');
    const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1\r\n';
    const host = `Host: ${new URL(server.baseUrl).host}\r\n`;
    socket.write(`POST /oauth/token HTTP/1.1\r\n${host}Expect: 100-continue\r\n${form}\r\n`);
    // The server asks for the body, which it never receives.
    await once(socket, 'data');
    await server.runBackgroundWork();
    socket.destroy();
    await server.close();
    expect(startedAt).toHaveLength(20);
    for (const first of [6, 12, 18]) {
      expect((startedAt[first] ?? 0) - (startedAt[first - 1] ?? 0)).toBeGreaterThanOrEqual(5);
    }
  });

  it('releases the deliveries in flight when it is aborted, so that another worker sends them at once', async ({
    world,
  }) => {
    const { id } = await world.register();
    await world.emit();
    world.receiver.answer(() => undefined);
    const worker = otherWorker(world, { stoppingGraceMs: 10 });
    const running = worker.deliverDue();
    await world.receiver.arrived(1);
    await worker.stop();
    await running;
    expect(await world.delivery(id)).toMatchObject({ status: 'pending', attemptCount: 0 });
    world.receiver.answer((response) => response.writeHead(204).end());
    await world.deliver();
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptCount: 1 });
    await worker.deliverDue();
    expect(world.receiver.received).toHaveLength(2);
  });

  it('finishes the deliveries in flight when it stops', async ({ world }) => {
    const { id } = await world.register();
    await world.emit();
    let finish: (() => void) | undefined;
    world.receiver.answer((response) => {
      finish = () => response.writeHead(204).end();
    });
    const worker = otherWorker(world);
    const running = worker.deliverDue();
    await world.receiver.arrived(1);
    const stopped = worker.stop();
    finish?.();
    await Promise.all([stopped, running]);
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered' });
  });

  it('stores the result of an attempt after errors of the database, so that the event is sent once', async ({
    world,
  }) => {
    const { messages, logger } = recordingLogger();
    const { id } = await world.register();
    await world.emit();
    await sql`alter table webhook_attempts rename to attempts_elsewhere`.execute(world.db);
    const delivering = otherWorker(world, { logger }).deliverDue();
    await expect.poll(() => messages.length, { timeout: 10_000 }).toBeGreaterThan(1);
    await sql`alter table attempts_elsewhere rename to webhook_attempts`.execute(world.db);
    await delivering;
    expect(new Set(messages.slice(0, -1))).toEqual(
      new Set(['The result of a webhook attempt was not stored; trying again']),
    );
    expect(messages.at(-1)).toBe('Webhook delivered');
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptCount: 1 });
    world.service.clock.advance(60_000);
    await world.deliver();
    expect(world.receiver.received).toHaveLength(1);
  });

  it('logs a result that it could not store before it stopped, and sends again when the lease has ended', async ({
    world,
  }) => {
    const { messages, logger } = recordingLogger();
    const worker = otherWorker(world, {
      logger,
      db: withFailingAttempts(world.db, new Error('no space left')),
      stoppingGraceMs: 0,
    });
    await world.register();
    await world.emit();
    const delivering = worker.deliverDue();
    await expect.poll(() => messages.length).toBeGreaterThan(0);
    await worker.stop();
    await delivering;
    expect(messages.at(-1)).toBe('Webhook deliveries failed');
    world.service.clock.advance(60_000);
    await world.deliver();
    expect(world.receiver.received).toHaveLength(2);
  });

  it('records an attempt once, however often it is recorded', async ({ world }) => {
    const { id } = await world.register();
    await world.emit();
    const now = world.service.clock.now();
    const lease = { id: randomUUID(), until: now + 60_000 };
    const [delivery] = await leaseDeliveries(world.db, [{ webhookId: id, limit: 1 }], { lease, now });
    if (delivery === undefined) throw new Error('No delivery is due.');
    const result = { attemptedAt: now, durationMs: 1, statusCode: 500, failure: 'HTTP 500' };
    const attempt = { id: randomUUID(), delivery, ...result };
    const decisions = [
      await recordAttempts(world.db, [attempt], now),
      await recordAttempts(world.db, [attempt], now),
    ];
    expect(decisions.flat().map((decision) => decision?.status)).toEqual(['pending', undefined]);
    expect(await world.delivery(id)).toMatchObject({ attemptCount: 1 });
  });

  it('ignores the result of a delivery that is deleted in flight', async ({ world }) => {
    const { id } = await world.register();
    await world.emit();
    let finish: (() => void) | undefined;
    world.receiver.answer((response) => {
      finish = () => response.writeHead(204).end();
    });
    const running = world.deliver();
    await world.receiver.arrived(1);
    await world.db.deleteFrom('webhooks').where('id', '=', id).execute();
    finish?.();
    await running;
    expect(await world.db.selectFrom('webhook_attempts').selectAll().execute()).toEqual([]);
    expect(world.service.log.filter((line) => line.includes('Webhook deliveries failed'))).toEqual([]);
  });
});
