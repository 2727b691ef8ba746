import { describe, expect, it } from 'vitest';
import { fetchAsHost } from '../../../scripts/fetch-as-host.mjs';
import { type ServerOptions, startServer } from '../src/index.js';
import { callResource, publicTokens, refreshPublic } from './authorization-flow.js';
import { startMailServer } from './mail-server.js';
import { databaseUnderTest, startService } from './service-under-test.js';

const mailer = { send: async () => undefined };
const valid = { mailer, database: 'sqlite::memory:' };

describe('option', () => {
  it.for([
    ['smtpUrl', { database: 'sqlite::memory:' }],
    ['database', { mailer }],
    ['database', { mailer, database: 'mysql://root:secret@db/service' }],
    ['database', { mailer, database: 'sqlite:' }],
    ['logUrl', { ...valid, logUrl: 'https://logs.example/' }],
    ['logUrl', { ...valid, logUrl: 'https://{traceId}.logs.example/' }],
    ['logUrl', { ...valid, logUrl: 'http://logs.example/{traceId}' }],
    ['logUrl', { ...valid, logUrl: 'https://user:secret@logs.example/{traceId}' }],
    ['logUrl', { ...valid, logUrl: 'logs/{traceId}' }],
    ['baseUrl', { ...valid, baseUrl: 'http://service.example' }],
    ['baseUrl', { ...valid, baseUrl: 'https://service.example/path' }],
    ['baseUrl', { ...valid, baseUrl: 'https://user@service.example' }],
    ['baseUrl', { ...valid, baseUrl: 'service.example' }],
    ['baseUrl', { ...valid, baseUrl: 'ftp://service.example' }],
  ] as const satisfies [string, ServerOptions][])(
    '%s is reported when it is missing or wrong: %j',
    async ([name, options]) => {
      const error: unknown = await startServer({ port: 0, ...options }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(String(error)).toContain(`"${name}"`);
      expect(String(error)).not.toContain('secret');
    },
  );

  it.for([
    ['databaseUrl', { ...valid, databaseUrl: 'sqlite::memory:' }],
    ['trustProxies', { ...valid, trustProxies: undefined }],
    ['toString', { ...valid, toString: 'a property that every object has' }],
    ['shutdown.graceMS', { ...valid, shutdown: { graceMS: 1 } }],
    ['metrics.host', { ...valid, metrics: { port: 0, host: '127.0.0.1' } }],
    ['widgetAssets.folder', { ...valid, widgetAssets: { folder: '/srv/widget' } }],
  ] as const)('%s is reported, because it does not exist', async ([name, options]) => {
    await expect(startServer({ port: 0, ...options } as ServerOptions)).rejects.toThrow(
      `Option "${name}" is not an option of startServer. Check the spelling.`,
    );
  });

  it('databasePurpose is noted in the database, and servers with another purpose reject it', async () => {
    const [rehearsal, service] = [{ mailer, databasePurpose: 'rehearsal' }, { mailer }];
    for (const [first, second] of [
      [rehearsal, service],
      [service, rehearsal],
    ]) {
      const database = await databaseUnderTest();
      for (let starts = 0; starts < 2; starts += 1) {
        await (await startServer({ ...first, database, port: 0 })).close();
      }
      await expect(startServer({ ...second, database, port: 0 })).rejects.toThrow(
        /"database".*(purpose is "rehearsal".*purpose is "service"|purpose is "service".*purpose is "rehearsal")/,
      );
    }
  });

  it('port in use fails with Node’s own error', async ({ onTestFinished }) => {
    const first = await startServer({ ...valid, port: 0 });
    onTestFinished(() => first.close());
    await expect(startServer({ ...valid, port: first.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });

  it('trustProxy decides which proxy headers are trusted', async ({ onTestFinished }) => {
    const service = await startService({ trustProxy: 'loopback' });
    onTestFinished(() => service.server.close());
    await service.request('/sign-in', { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(service.log.join('\n')).toContain('203.0.113.7');
  });

  it('peers keeps a service on plain http to its own machine, and one on https not', async ({
    onTestFinished,
  }) => {
    const address = { hostname: '0.0.0.0', port: 0 };
    for (const [baseUrl, status] of [
      ['http://localhost:80', 403],
      ['https://members.example', 200],
    ] as const) {
      const server = await startServer({ ...valid, ...address, baseUrl, trustProxy: 'loopback' });
      onTestFinished(() => server.close());
      expect(server.address).toBe('0.0.0.0');
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      const at = `http://127.0.0.1:${server.port}`;
      expect((await fetchAsHost(at, baseUrl, '/sign-in', { headers })).status).toBe(status);
      expect((await fetchAsHost(at, baseUrl, '/sign-in')).status).toBe(200);
      expect((await fetchAsHost(at, baseUrl, '/healthz', { headers })).status).toBe(200);
    }
  });
});

describe('running service', () => {
  it('listens on this machine only, and reports its own address', async ({ onTestFinished }) => {
    const server = await startServer({ ...valid, port: 0 });
    onTestFinished(() => server.close());
    expect(server.baseUrl).toBe(`http://127.0.0.1:${server.port}`);
    expect((await fetch(`${server.baseUrl}/sign-in`)).status).toBe(200);
  });

  it('closes once, however often close is called', async () => {
    const server = await startServer({ ...valid, port: 0 });
    await Promise.all([server.close(), server.close()]);
    await server.close();
    await expect(fetch(`${server.baseUrl}/sign-in`)).rejects.toThrow();
  });

  it('finishes a running request before it closes', async () => {
    let release: () => void = () => undefined;
    let arrived: () => void = () => undefined;
    const sending = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const slowMailer = {
      send: () =>
        new Promise<void>((resolve) => {
          release = resolve;
          arrived();
        }),
    };
    const service = await startService({ mailer: slowMailer, sandbox: false });
    const asked = service.browser().post('/sign-in/code', { email: 'ada@example.com', continue: '/account' });
    await sending;
    const closed = service.server.close();
    release();
    expect((await asked).status).toBe(303);
    await closed;
  });

  it('keeps its data over a restart', async ({ onTestFinished }) => {
    const database = await databaseUnderTest();
    const before = await startService({ database });
    const { access_token, refresh_token } = await publicTokens(before);
    await before.server.close();
    const after = await startService({ database });
    onTestFinished(() => after.server.close());
    expect((await callResource(after, access_token)).status).toBe(200);
    expect((await refreshPublic(after, refresh_token)).status).toBe(201);
  });

  it('shares its database with a second service: one refresh wins', async ({ onTestFinished }) => {
    const database = await databaseUnderTest();
    const services = [await startService({ database }), await startService({ database })];
    onTestFinished(async () => {
      for (const { server } of services) await server.close();
    });
    const [first, second] = services as [(typeof services)[0], (typeof services)[0]];
    await first.server.operator.change('clients', 'oac_a1b2c3d4e5f60718293a4b5c', { hostedCallback: true });
    const { refresh_token } = await publicTokens(first);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        refreshPublic(index % 2 === 0 ? first : second, refresh_token),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(19);
  });

  it('sends sign-in codes through an SMTP server', async ({ onTestFinished }) => {
    const mailServer = await startMailServer();
    const service = await startService({
      sandbox: false,
      smtpUrl: `smtp://127.0.0.1:${mailServer.port}`,
      mailFrom: 'Service <codes@service.example>',
    });
    onTestFinished(async () => {
      await service.server.close();
      await mailServer.close();
    });
    const browser = service.browser();
    const asked = await browser.post('/sign-in/code', { email: 'ada@example.com', continue: '/account' });
    expect(asked.status).toBe(303);
    const [mail = ''] = mailServer.received;
    expect(mail).toContain('From: Service <codes@service.example>');
    expect(mail).toContain('To: ada@example.com');
    const code = /Subject: (\d{6}) is your Latchkey code/.exec(mail)?.[1] ?? '';
    const entered = await browser.post('/sign-in/verify', { code, continue: '/account' });
    expect(entered.status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
  });
});
