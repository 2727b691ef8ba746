import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { describe, expect, inject, it } from 'vitest';
import { listeningAt, type RunningLatchkey, startLatchkey } from '../running-latchkey.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of this run; see `postgres-cluster.ts` of the server's tests. */
    postgres?: { url: string; prefix: string };
  }
}

type OnFinished = (end: () => void) => void;

function postgresUrl(): URL {
  const postgres = inject('postgres');
  if (postgres === undefined) throw new Error('This project has no PostgreSQL server.');
  return new URL(postgres.url);
}

function serve(database: URL, onTestFinished: OnFinished, args: readonly string[] = []): RunningLatchkey {
  const mail = ['--smtp-url', 'smtp://127.0.0.1:1'];
  const latchkey = startLatchkey(['serve', '--port', '0', ...mail, ...args], {
    LATCHKEY_DATABASE: database.href,
  });
  onTestFinished(() => void latchkey.process.kill('SIGKILL'));
  return latchkey;
}

/** A port on which nothing listens until the relay to PostgreSQL is started there. */
async function absentPostgres(onTestFinished: OnFinished) {
  const target = postgresUrl();
  const sockets = new Set<Socket>();
  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.pipe(to);
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
  };
  const relay = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    join(client, server);
    join(server, client);
  });
  const port = await listen(relay, 0);
  relay.close();
  await once(relay, 'close');
  onTestFinished(() => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(target);
  url.port = String(port);
  return { url, start: () => listen(relay, port) };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The relay has no port.');
  return address.port;
}

function linesOf(latchkey: RunningLatchkey): { level: string; msg: string; [field: string]: unknown }[] {
  return latchkey
    .out()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('latchkey serve, while PostgreSQL is away', () => {
  it('waits, says so in the log, and serves once PostgreSQL is there', async ({ onTestFinished }) => {
    const postgres = await absentPostgres(onTestFinished);
    const latchkey = serve(postgres.url, onTestFinished);
    await expect.poll(() => linesOf(latchkey), { timeout: 20_000 }).toHaveLength(2);
    expect(latchkey.err()).toBe('');
    const { host, pathname } = postgres.url;
    const line = {
      level: 'warn',
      msg: 'The database is not available; trying again',
      host: `${host}${pathname}`,
    };
    expect(linesOf(latchkey).slice(0, 2)).toMatchObject([
      { ...line, attempt: 1, nextWaitMs: 250 },
      { ...line, attempt: 2, nextWaitMs: 500 },
    ]);
    expect(linesOf(latchkey)[0]?.reason).toContain('ECONNREFUSED');
    expect(latchkey.out()).not.toContain(postgres.url.password);

    await postgres.start();
    const address = await listeningAt(latchkey);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    latchkey.process.kill('SIGTERM');
    expect(await latchkey.ended).toBe(0);
  });

  it.for(['SIGTERM', 'SIGINT'] as const)(
    'ends with exit code 0 on %s',
    async (signal, { onTestFinished }) => {
      const { url } = await absentPostgres(onTestFinished);
      const latchkey = serve(url, onTestFinished);
      await expect.poll(() => linesOf(latchkey).length, { timeout: 20_000 }).toBeGreaterThan(0);
      latchkey.process.kill(signal);
      expect(await latchkey.ended).toBe(0);
      expect(latchkey.err()).toBe('');
    },
  );

  it.for<[string, (url: URL) => void, string]>([
    ['a wrong password', (url) => (url.password = 'wrong'), 'password authentication failed'],
    ['an unknown database', (url) => (url.pathname = '/no_such_database'), 'does not exist'],
    [
      'a server without the TLS that the URL demands',
      (url) => (url.search = '?sslmode=verify-full'),
      'does not support SSL',
    ],
  ])('ends at once with exit code 1 for %s', async ([, change, reason], { onTestFinished }) => {
    const url = postgresUrl();
    change(url);
    const latchkey = serve(url, onTestFinished);
    expect(await latchkey.ended).toBe(1);
    expect(latchkey.err()).toContain(reason);
    expect(latchkey.out()).toBe('');
  });
});
