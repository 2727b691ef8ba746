import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { rejectionSchemas } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { parsePage, textOf } from './pages/page-document.js';
import { it as base, PUBLIC, type ServiceUnderTest, startService } from './service-under-test.js';

// A process limits its log lines, so each test has one of its own.
const it = base.extend({ isAlone: true });

interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default the port of the service */
  readonly port?: number | undefined;
}

/** Sends a request with any Host header, like a page whose name an attacker has bound to this machine. */
function send(
  { server }: ServiceUnderTest,
  { method = 'GET', path, headers = {}, port = server.port }: SentRequest,
): Promise<{ status: number; text: string; policy: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const policy = String(response.headers['content-security-policy']);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, policy }));
    });
    sent.on('error', reject).end();
  });
}

/** Sends the lines of a request as they are, and returns the status of the response. */
async function statusOf({ server }: ServiceUnderTest, lines: readonly string[]): Promise<number> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write([...lines, '', ''].join('\r\n'));
  let text = '';
  for await (const chunk of socket) text += chunk;
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
}

const mailer = { send: async () => undefined };
const html = { accept: 'text/html' };

describe('a request for a foreign host', () => {
  it('reads no mail of the sandbox, and cannot use its key', async ({ service }) => {
    const host = `evil.example:${service.server.port}`;
    const mailbox = await send(service, { path: '/sandbox/mailbox', headers: { host, ...html } });
    expect(mailbox.status).toBe(421);
    const api = await send(service, {
      path: '/membership/check-messenger/x/1',
      headers: { host, authorization: `Bearer ${sandboxScenario.apiKey}` },
    });
    expect(api.status).toBe(421);
    expect(rejectionSchemas.strict.parse(JSON.parse(api.text)).message).toContain('evil.example');
  });

  it.for([
    ['GET', '/'],
    ['GET', '/sign-in'],
    ['POST', '/sign-in'],
    ['GET', '/openapi.json'],
    ['GET', '/widget/latchkey.js'],
    ['GET', `/widget/callback/${PUBLIC}`],
    ['POST', '/sandbox/webhooks/receiver'],
    ['POST', '/api/checkout/buy-plan'],
    ['OPTIONS', '/oauth/token'],
    ['GET', '/no-such-page'],
    ['GET', '/%00'],
  ] as const)('gets 421 for %s %s', async ([method, path], { service }) => {
    for (const host of ['evil.example', `evil.example:${service.server.port}`, '127.0.0.1', 'localhost:1']) {
      expect((await send(service, { method, path, headers: { host } })).status, host).toBe(421);
    }
  });

  it('gets the error format of the path, and a page links to the right address', async ({ service }) => {
    const headers = { host: 'evil.example' };
    const oauth = await send(service, { method: 'POST', path: '/oauth/token', headers });
    expect(JSON.parse(oauth.text)).toMatchObject({ error: 'invalid_request' });
    const { text } = await send(service, { path: '/account?x=1', headers: { ...headers, ...html } });
    const page = parsePage(text);
    expect(textOf(page, 'main')).toContain(service.baseUrl);
    expect(page('main a').attr('href')).toBe(`${service.baseUrl}/account`);
  });

  it('gets a page whose stylesheet comes from the right address', async ({ service }) => {
    const { text, policy } = await send(service, {
      path: '/account',
      headers: { host: 'evil.example', ...html },
    });
    const stylesheet = parsePage(text)('link[rel=stylesheet]').attr('href') ?? '';
    expect(stylesheet).toMatch(/^http:/);
    expect(new URL(stylesheet).origin).toBe(service.baseUrl);
    const file = await fetch(stylesheet);
    expect(file.status).toBe(200);
    expect(file.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(policy).toContain(`style-src ${service.baseUrl};`);
  });

  it('reads no metrics, but the health is for every host', async ({ onTestFinished }) => {
    const service = await startService({ metrics: { port: 0 } });
    onTestFinished(() => service.server.close());
    const port = service.server.metricsPort;
    const read = (host: string) => send(service, { port, path: '/metrics', headers: { host } });
    expect((await read(`evil.example:${port}`)).status).toBe(421);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, '[::1]', '10.1.2.3:9464']) {
      expect((await read(host)).status, host).toBe(200);
    }
    for (const path of ['/healthz', '/readyz']) {
      expect((await send(service, { path, headers: { host: '10.1.2.3' } })).status).toBe(200);
    }
  });
});

describe('a request with several Host headers', () => {
  it('gets 400, because a cache in front could read another one than the service', async ({ service }) => {
    const own = `127.0.0.1:${service.server.port}`;
    for (const hosts of [
      [own, 'evil.example'],
      ['evil.example', own],
      [own, own],
    ]) {
      const lines = [
        'GET /signed-out HTTP/1.1',
        ...hosts.map((host) => `hOsT: ${host}`),
        'Connection: close',
      ];
      expect(await statusOf(service, lines), hosts.join()).toBe(400);
    }
    expect(await statusOf(service, ['GET /signed-out HTTP/1.1', `Host: ${own}`, 'Connection: close'])).toBe(
      200,
    );
  });
});

describe('a request whose target names a host', () => {
  it.for([
    ['http://evil.example', 421],
    ['HTTP://evil.example:80', 421],
    ['http://own@evil.example', 421],
    ['http://own.evil.example', 421],
    ['foo://', 421],
    ['http://own', 200],
    ['http://user:password@own', 200],
  ] as const)(
    'gets by that host, not by its Host header: %s gets %i',
    async ([target, status], { service }) => {
      // RFC 9112 section 3.2.2: the target counts, so a cache in front would store the response under its name.
      const own = `127.0.0.1:${service.server.port}`;
      const lines = [
        `GET ${target.replace(/own$/, own)}/signed-out HTTP/1.1`,
        `Host: ${own}`,
        'Connection: close',
      ];
      expect(await statusOf(service, lines)).toBe(status);
    },
  );

  it('gets 421 for the own host with a foreign Host header', async ({ service }) => {
    const lines = [
      `GET http://127.0.0.1:${service.server.port}/signed-out HTTP/1.1`,
      'Host: evil.example',
      'Connection: close',
    ];
    expect(await statusOf(service, lines)).toBe(421);
  });
});

describe('the hosts of the service', () => {
  const statusFor = async (service: ServiceUnderTest, headers: Record<string, string>) =>
    (await send(service, { path: '/signed-out', headers })).status;

  it('include every loopback name while the base URL is one', async ({ service }) => {
    const { port } = service.server;
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      expect(await statusFor(service, { host: `${name}:${port}` }), name).toBe(200);
    }
    expect(await statusFor(service, { host: `evil.localhost:${port}` })).toBe(421);
  });

  it('are the one of the base URL otherwise, with or without the default port', async ({
    onTestFinished,
  }) => {
    const service = await startService({
      sandbox: false,
      mailer,
      baseUrl: 'https://members.example',
      trustProxy: false,
    });
    onTestFinished(() => service.server.close());
    expect(await statusFor(service, { host: 'members.example' })).toBe(200);
    expect(await statusFor(service, { host: 'Members.example:443' })).toBe(200);
    for (const host of [
      ...[
        'members.example:444',
        'members.example.',
        'members.example.:443',
        'members.example:0443',
        'members.example:',
      ],
      ...['www.members.example', 'example', 'members.example@evil.example', 'evil.example#members.example'],
      ...[
        'members.example,evil.example',
        'members.example/evil',
        'm\u00e9mbers.example',
        'members.exa\u017fple',
      ],
    ]) {
      expect(await statusFor(service, { host: Buffer.from(host).toString('latin1') }), host).toBe(421);
    }
    expect(await statusFor(service, { host: `127.0.0.1:${service.server.port}` })).toBe(421);
    const forwarded = { host: '127.0.0.1', 'x-forwarded-host': 'members.example' };
    expect(await statusFor(service, forwarded)).toBe(421);
  });

  it('are checked in the Host header, whatever a trusted proxy forwards, and in what it forwards, too', async ({
    onTestFinished,
  }) => {
    const service = await startService({
      sandbox: false,
      mailer,
      baseUrl: 'https://members.example',
      trustProxy: 'loopback',
    });
    onTestFinished(() => service.server.close());
    const own = 'members.example';
    for (const [host, forwarded, status] of [
      ['upstream', own, 421],
      [`127.0.0.1:${service.server.port}`, own, 421],
      ['evil.example', own, 421],
      ['evil.example', `${own}, evil.example`, 421],
      ['', own, 421],
      [own, 'evil.example', 421],
      [own, `evil.example, ${own}`, 421],
      [own, own, 200],
      [own, `${own}, upstream`, 200],
      [own, undefined, 200],
    ] as const) {
      const sent = { host, ...(forwarded !== undefined && { 'x-forwarded-host': forwarded }) };
      expect(await statusFor(service, sent), JSON.stringify(sent)).toBe(status);
    }
  });

  it('are logged with a foreign one, a limited number of times', async ({ service }) => {
    for (let request = 0; request < 50; request += 1) {
      await statusFor(service, { host: `evil-${request}.example` });
    }
    const lines = service.log.filter((line) => line.includes('foreign host'));
    expect(lines[0]).toContain('evil-0.example');
    expect(lines.length).toBeLessThan(20);
  });
});
