import { Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, vi } from 'vitest';
import { it, type ServiceUnderTest, startService } from '../service-under-test.js';

/** Mailer that waits until it is released. A request that sends mail runs as long as the test needs. */
function slowMailer() {
  let release: () => void = () => undefined;
  let arrived: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const send = () =>
    new Promise<void>((resolve) => {
      release = resolve;
      arrived();
    });
  return { send, reached, release: () => release() };
}

function requestCode(service: ServiceUnderTest): Promise<Response> {
  return service.browser().post('/sign-in/code', { email: 'ada@example.com', continue: '/account' });
}

/** Sends a request on a keep-alive connection. */
function getOn(agent: Agent, service: ServiceUnderTest, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpGet({ agent, host: '127.0.0.1', port: service.server.port, path }, (answer) => {
      answer.resume().on('end', () => resolve(answer));
    }).on('error', reject);
  });
}

describe('health', () => {
  it('is /healthz while the process runs and /readyz while its database responds, and neither is logged', async ({
    service,
  }) => {
    const live = await service.request('/healthz');
    expect([live.status, await live.json()]).toEqual([200, { status: 'alive' }]);
    const ready = await service.request('/readyz');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
    expect(ready.headers.get('cache-control')).toBe('no-store');
    expect((await service.request('/readyz', { method: 'HEAD' })).status).toBe(200);
    expect((await service.request('/readyz', { method: 'POST' })).status).toBe(405);
    expect(service.log.filter((line) => line.includes('"/readyz"') && line.includes('"status":200'))).toEqual(
      [],
    );
  });
});

describe('closing service', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('first reports itself as not ready while it still serves, and asks callers to reconnect', async () => {
    const service = await startService({ shutdown: { drainDelayMs: 60_000 } });
    const agent = new Agent({ keepAlive: true });
    const before = await getOn(agent, service, '/sign-in');
    expect(before.headers.connection).toBe('keep-alive');
    let endDelay: () => void = () => undefined;
    vi.spyOn(globalThis, 'setTimeout').mockImplementationOnce((end) => {
      endDelay = end;
      return setImmediate(() => undefined) as unknown as NodeJS.Timeout;
    });
    const closed = service.server.close();
    const ready = await service.request('/readyz');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'closing' }]);
    expect((await service.request('/healthz')).status).toBe(200);
    const during = await getOn(agent, service, '/sign-in');
    expect([during.statusCode, during.headers.connection]).toEqual([200, 'close']);
    agent.destroy();
    endDelay();
    await closed;
    await expect(service.request('/healthz')).rejects.toThrow();
  });

  it('finishes running requests, does not wait for idle connections, and rejects new ones', async ({
    onTestFinished,
  }) => {
    const mailer = slowMailer();
    const service = await startService({ mailer, sandbox: false, shutdown: { graceMs: 60_000 } });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    await getOn(agent, service, '/sign-in');
    const asked = requestCode(service);
    await mailer.reached;
    const closed = service.server.close();
    await expect
      .poll(() => service.request('/sign-in').catch((error: Error) => error.cause))
      .toMatchObject({ code: 'ECONNREFUSED' });
    mailer.release();
    expect((await asked).status).toBe(303);
    await closed;
  });

  it('aborts requests that exceed the grace period, and logs their number', async () => {
    const mailer = slowMailer();
    const service = await startService({ mailer, sandbox: false, shutdown: { graceMs: 1 } });
    const asked = requestCode(service);
    const failure = expect(asked).rejects.toThrow();
    await mailer.reached;
    await service.server.close();
    await failure;
    expect(
      service.log.some((line) => line.includes('Aborted requests') && line.includes('"aborted":1')),
    ).toBe(true);
    mailer.release();
  });

  it('does not wait for connections without a request', async ({ onTestFinished }) => {
    const service = await startService({ shutdown: { graceMs: 60_000 } });
    const socket = await new Promise<Socket>((resolve) => {
      const opened: Socket = connect(service.server.port, '127.0.0.1', () => resolve(opened));
    });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.write('GET /sign-in HTTP/1.1\r\nHost: half');
    // A connection that the server has accepted.
    expect((await service.request('/healthz')).status).toBe(200);
    await service.server.close();
  });
});
