import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { listRecentFailures, scheduleRedelivery } from '../src/features/webhooks/log/deliveries.js';
import { membershipCreated } from './emitted-events.js';
import { START } from './service-under-test.js';
import { hmacOf, type Received } from './webhook-receiver.js';
import { it, type WebhookWorld } from './webhook-world.js';

const { users } = sandboxScenario;
const ownerId = users.dana.id;

/** Round trip of the only attempt of the only delivery. */
async function roundTripOf(world: WebhookWorld, id: string) {
  const { attempts } = await world.delivery(id);
  expect(attempts).toHaveLength(1);
  return attempts[0]?.roundTrip;
}

describe('attempt', () => {
  it('stores the request as it was sent, with its signature', async ({ world }) => {
    const { id, secret } = await world.register();
    await world.emit();
    await world.deliver();
    const roundTrip = await roundTripOf(world, id);
    const [sent] = world.receiver.received as [Received];
    expect(roundTrip?.request.url).toBe(world.receiver.url);
    const headers = new Map(roundTrip?.request.headers.map(([name, value]) => [name.toLowerCase(), value]));
    for (const [name, value] of headers) expect(sent.headers[name]).toBe(value);
    expect(headers.get('x-svc-signature')).toBe(hmacOf(sent, secret));
    expect(headers.get('content-type')).toBe('application/json');
  });

  it('stores the headers and the body of the response', async ({ world }) => {
    const { id } = await world.register();
    world.receiver.answer((response) =>
      response
        .writeHead(422, { 'Content-Type': 'application/json', 'X-Trace': 'abc' })
        .end('{"error":"no ☕"}'),
    );
    await world.emit();
    await world.deliver();
    const response = (await roundTripOf(world, id))?.response;
    expect(response?.headers).toContainEqual(['content-type', 'application/json']);
    expect(response?.headers).toContainEqual(['x-trace', 'abc']);
    expect(response).toMatchObject({ body: '{"error":"no ☕"}', bytes: 18, isCut: false });
  });

  it('keeps the start of a long body, without half a character', async ({ world }) => {
    const { id } = await world.register();
    world.receiver.answer((response) => response.writeHead(500).end(`x${'é'.repeat(20_000)}`));
    await world.emit();
    await world.deliver();
    const response = (await roundTripOf(world, id))?.response;
    expect(response).toMatchObject({ isCut: true, bytes: 40_001 });
    expect(response?.body).toBe(`x${'é'.repeat(1_023)}`);
  });

  it('stores bytes that are no text as U+FFFD, also NUL', async ({ world }) => {
    const { id } = await world.register();
    world.receiver.answer((response) => response.writeHead(500).end(Buffer.from([0x61, 0, 0xff, 0x62])));
    await world.emit();
    await world.deliver();
    expect((await roundTripOf(world, id))?.response?.body).toBe('a\uFFFD\uFFFDb');
  });

  it.for([[301], [302], [303], [307], [308]] as const)(
    'follows no redirect of the endpoint: %i is a failure',
    async ([status], { world }) => {
      const { id } = await world.register();
      world.receiver.answer((response) =>
        response.writeHead(status, { Location: `${world.receiver.url}/elsewhere` }).end(),
      );
      await world.emit();
      await world.deliver();
      expect(world.receiver.received).toHaveLength(1);
      const { attempts } = await world.delivery(id);
      expect(attempts).toMatchObject([{ statusCode: status, failure: expect.any(String) }]);
    },
  );

  it('stores no cookie of the endpoint, and a limited amount of headers', async ({ world }) => {
    const { id } = await world.register();
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`X-${n}`, 'y'.repeat(100)]));
    world.receiver.answer((response) =>
      response.writeHead(500, { 'Set-Cookie': 'session=secret', ...many }).end(),
    );
    await world.emit();
    await world.deliver();
    const response = (await roundTripOf(world, id))?.response;
    expect(response?.headers[0]).toEqual(['set-cookie', '(not stored)']);
    expect(JSON.stringify(response?.headers).length).toBeLessThan(4_096);
    expect(JSON.stringify(response)).not.toContain('session=secret');
  });

  it('is stored with its round trip for the newest twenty of a delivery, however often it is sent again', async ({
    world,
  }) => {
    const { id } = await world.register();
    await world.emit();
    const [delivery] = await world.deliveries(id);
    for (let attempt = 0; attempt < 23; attempt += 1) {
      await world.deliver();
      world.service.clock.advance(1_000);
      await scheduleRedelivery(world.db, { id: delivery?.id ?? '', ownerId }, world.service.clock.now());
    }
    const stored = await world.db
      .selectFrom('webhook_attempts')
      .select(['request_url', 'request_headers', 'response_headers', 'response_body', 'response_bytes'])
      .orderBy('attempted_at', 'desc')
      .execute();
    expect(stored).toHaveLength(23);
    expect(stored.slice(0, 20).every(({ request_url }) => request_url === world.receiver.url)).toBe(true);
    expect(stored.slice(20).flatMap(Object.values)).toEqual(Array(15).fill(null));
  });

  it('has no response if the endpoint does not respond', async ({ world }) => {
    const { id } = await world.register('http://127.0.0.1:1/hooks');
    await world.emit();
    await world.deliver();
    const roundTrip = await roundTripOf(world, id);
    expect(roundTrip?.request.url).toBe('http://127.0.0.1:1/hooks');
    expect(roundTrip?.response).toBeNull();
  });

  it('has no response of a private address', async ({ world }) => {
    const { id } = await world.register();
    for (const url of ['https://10.0.0.1/hooks', 'https://169.254.169.254/latest/meta-data']) {
      await world.db.updateTable('webhooks').set({ url }).where('id', '=', id).execute();
      await world.emit();
      await world.deliver();
      const [delivery] = await world.deliveries(id);
      expect(delivery?.lastAttempt).toMatchObject({
        statusCode: null,
        failure: expect.stringContaining('public'),
      });
    }
    const stored = await world.db.selectFrom('webhook_attempts').select('response_headers').execute();
    expect(stored.every(({ response_headers }) => response_headers === null)).toBe(true);
  });

  it('is delivered when the status has arrived, and does not wait long for an endless body', async ({
    world,
  }) => {
    const { id } = await world.register();
    world.receiver.answer((response) => void response.writeHead(200).write('still working'));
    await world.emit();
    await world.deliver();
    const delivery = await world.delivery(id);
    expect(delivery).toMatchObject({ status: 'delivered' });
    expect(delivery.attempts[0]?.roundTrip?.response?.body).toBe('still working');
    expect(delivery.attempts[0]?.durationMs).toBeLessThan(1_000);
  });

  it('is logged without its request and response', async ({ world }) => {
    const { secret } = await world.register();
    world.receiver.answer((response) => response.writeHead(500).end('body of the endpoint'));
    await world.emit();
    await world.deliver();
    const log = world.service.log.join('\n');
    expect(log).toContain('Webhook attempt failed');
    expect(log).not.toContain('body of the endpoint');
    const [sent] = world.receiver.received as [Received];
    expect(log).not.toContain(hmacOf(sent, secret));
  });
});

describe('list of recent failures', () => {
  it('contains deliveries that are retried and that failed for good, newest first', async ({ world }) => {
    const { id } = await world.register();
    await world.markAnswered(id);
    await world.emit();
    await world.deliver();
    expect(await listRecentFailures(world.db, ownerId, 5)).toEqual([]);
    world.receiver.answer((response) => response.writeHead(500).end());
    for (let n = 0; n < 3; n += 1) {
      world.service.clock.advance(1000);
      await world.emit(membershipCreated());
    }
    await world.deliver();
    const [, middle] = await listRecentFailures(world.db, ownerId, 5);
    await world.db
      .updateTable('webhook_deliveries')
      .set({ status: 'failed' })
      .where('id', '=', middle?.id ?? '')
      .execute();
    const failures = await listRecentFailures(world.db, ownerId, 5);
    expect(failures.map(({ createdAt }) => createdAt)).toEqual([START + 3000, START + 2000, START + 1000]);
    expect(failures.map(({ status }) => status)).toEqual(['pending', 'failed', 'pending']);
    expect(failures[0]).toMatchObject({
      subjectName: 'Ember & Oak Coffee Club',
      lastAttempt: { statusCode: 500 },
    });
    expect(await listRecentFailures(world.db, ownerId, 2)).toHaveLength(2);
  });

  it('contains nothing of other users', async ({ world }) => {
    await world.register();
    world.receiver.answer((response) => response.writeHead(500).end());
    await world.emit();
    await world.deliver();
    expect(await listRecentFailures(world.db, ownerId, 5)).toHaveLength(1);
    expect(await listRecentFailures(world.db, users.ben.id, 5)).toEqual([]);
  });
});
