import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { databaseUnderTest, PUBLIC, startService } from '../service-under-test.js';

/** Proxy between the service and PostgreSQL that can stop forwarding, like a machine that is down. */
async function startRelay(target: URL): Promise<{ port: number; goSilent(): void; recover(): void }> {
  let isSilent = false;
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    // Dropped bytes stay lost. A client that waits for them waits forever, also when the proxy forwards
    // again.
    let isLost = false;
    from.on('data', (chunk) => {
      isLost ||= isSilent;
      if (!isLost) to.write(chunk);
    });
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
  };
  const relay = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    pass(client, server);
    pass(server, client);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('The relay has no port.');
  return {
    port: address.port,
    goSilent() {
      isSilent = true;
    },
    recover() {
      isSilent = false;
    },
  };
}

it('reports a silent PostgreSQL server with 503 and closes its connections', async () => {
  const database = new URL(await databaseUnderTest());
  const relay = await startRelay(new URL(database));
  database.port = String(relay.port);
  database.search = '?connection_limit=2&query_timeout=2000';
  const service = await startService({ database: database.href });
  onTestFinished(() => service.server.close());
  const ask = () => service.request(`/oauth/client/${PUBLIC}`);
  const redeem = () =>
    service.request('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: PUBLIC, refresh_token: 'x' }),
    });
  expect((await Promise.all([ask(), redeem()])).map(({ status }) => status)).toEqual([200, 400]);

  relay.goSilent();
  const refused = await Promise.all([ask(), redeem(), ask(), redeem()]);
  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  relay.recover();
  expect((await Promise.all([ask(), redeem()])).map(({ status }) => status)).toEqual([200, 400]);
});

it('shuts down within the grace period although PostgreSQL is silent', async () => {
  const database = new URL(await databaseUnderTest());
  const relay = await startRelay(new URL(database));
  database.port = String(relay.port);
  const service = await startService({
    database: database.href,
    shutdown: { graceMs: 200 },
    backgroundWork: true,
  });
  expect((await service.request(`/oauth/client/${PUBLIC}`)).status).toBe(200);
  relay.goSilent();
  const asked = service.request(`/oauth/client/${PUBLIC}`).catch(() => 'aborted');
  // The background work queries every second.
  await pause(1_500);
  await service.server.close();
  await asked;
  expect(service.log.join('\n')).toContain('Aborted database statements that exceeded the grace period');
});
