import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandbox, sandboxScenario } from '@latchkey/sandbox';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { latchkey } from '../call.js';
import { siteDoctor } from './site-doctor.js';

/** Characters that end a line or give a terminal a command, except for line feeds. */
const UNPRINTABLE = /[^\P{C}\n]|[\u2028\u2029]/u;
const SECRETS = {
  LATCHKEY_API_KEY: 'svc_secretsecretsecretsecretsecretsecretsecret1',
  LATCHKEY_WEBHOOK_SECRET: '5e'.repeat(32),
  LATCHKEY_ACCESS_TOKEN: 'secret-access-token-of-ada',
};

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

afterEach(() => vi.restoreAllMocks());

async function start(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([[], ['--json']])('prints no control characters of the site %j', async (...flags) => {
  const text = '\u001b[2J\u009b31m\r\nAll fine.\u202e\u2028';
  const site = await start((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    if (request.url === '/') {
      response.end(
        `<latchkey-login client-id="${text}" mode="redirect" return-url="${text}" backend="//${text}"></latchkey-login>`,
      );
    } else response.writeHead(302, { location: 'http://x/\u009b31m' }).end(text);
  });
  const { out } = await latchkey(['doctor', '--site', site, ...flags]);
  expect(out).toContain('client-id-invalid');
  expect(out).not.toMatch(UNPRINTABLE);
  expect(out).not.toMatch(/^All fine/m);
});

it('sends only GET requests to a site, and none of them contains a secret', async () => {
  const requests: IncomingMessage[] = [];
  const site = await start((request, response) => {
    requests.push(request);
    response.setHeader('Content-Type', 'text/html').end(
      `<a href="/auth/login">Sign in</a>
       <latchkey-login client-id="oac_${'a'.repeat(24)}" backend="/auth"></latchkey-login>
       <latchkey-gate src="/members" community="x" backend="/auth"></latchkey-gate>
       <script src="/latchkey.js"></script>`,
    );
  });
  await siteDoctor(['--site', site], SECRETS);
  expect(requests.length).toBeGreaterThan(3);
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  const sent = JSON.stringify(requests.map(({ url, rawHeaders }) => [url, rawHeaders]));
  for (const secret of Object.values(SECRETS)) expect(sent).not.toContain(secret);
  expect(sent).not.toMatch(/authorization|cookie/i);
});

it('hides a secret that a page contains', async () => {
  const site = await start((_request, response) => {
    response.end(
      `<latchkey-login client-id="${SECRETS.LATCHKEY_API_KEY}"></latchkey-login>${SECRETS.LATCHKEY_WEBHOOK_SECRET}`,
    );
  });
  const { codes, text } = await siteDoctor(['--site', site], SECRETS);
  expect(codes).toContain('secret-in-page');
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
});

it('ends a loop of redirects, and follows none to another host', async () => {
  let hops = 0;
  const loop = await start((_request, response) => {
    hops += 1;
    response.writeHead(302, { location: '/again' }).end();
  });
  expect((await siteDoctor(['--site', loop])).findings[0]?.meaning).toContain('redirects more than 5 times');
  expect(hops).toBeLessThan(8);
  let isReached = false;
  const other = await start((_request, response) => {
    isReached = true;
    response.end();
  });
  const site = await start((_request, response) => {
    response.writeHead(302, { location: other.replace('127.0.0.1', 'localhost') }).end();
  });
  const { codes, code } = await siteDoctor(['--site', site], SECRETS);
  expect(codes).toEqual(['site-redirects']);
  expect(code).toBe(0);
  expect(isReached).toBe(false);
});

it('reads no endless body', async () => {
  const site = await start((_request, response) => {
    const chunk = Buffer.alloc(100_000, 'x');
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  });
  const { findings } = await siteDoctor(['--site', site]);
  expect(findings.map(({ code }) => code)).toEqual(['site-unreachable']);
  expect(findings[0]?.meaning).toContain('larger than 2000000 bytes');
});

it('sends nothing more to a host that has left a request unanswered', async () => {
  const send = globalThis.fetch;
  const site = await start((_request, response) => {
    response.end('<latchkey-login backend="/auth"></latchkey-login><script src="/latchkey.js"></script>');
  });
  const urls: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    urls.push(String(input));
    return urls.length === 1
      ? send(input, init)
      : Promise.reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  });
  const { codes } = await siteDoctor(['--site', site]);
  expect(urls).toHaveLength(2);
  expect(codes).toContain('script-unreachable');
});

it('requests no private address for a page of another machine', async () => {
  const urls: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation((input) => {
    urls.push(String(input));
    return Promise.resolve(
      new Response(
        `<latchkey-login client-id="oac_${'a'.repeat(24)}" service-url="http://169.254.169.254"></latchkey-login>
         <script src="http://127.0.0.1:9/latchkey.js"></script>
         <script src="http://192.168.0.1/latchkey-plans.js"></script>`,
      ),
    );
  });
  await siteDoctor(['--site', 'https://shop.example']);
  expect(urls.length).toBeGreaterThan(0);
  expect(new Set(urls.map((url) => new URL(url).host))).toEqual(new Set(['shop.example']));
});

it.each(['<div>', '<latchkey-gate>'])('ends on a page that nests %s without end', async (tag) => {
  const site = await start((_request, response) => response.end(tag.repeat(1_900_000 / tag.length)));
  const { codes, text } = await siteDoctor(['--site', site]);
  expect(codes).toEqual(['site-unreachable']);
  expect(text).toContain('more than 20000 elements');
});

it('reads content that is nested deeper than a stack', async () => {
  const site = await start((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end(`<latchkey-gate>${'<span>'.repeat(15_000)}x`),
  );
  expect((await siteDoctor(['--site', site])).codes).toContain('gate-content-in-page');
});

it('changes no client for a page that signs in elsewhere', async () => {
  const sandbox = await createSandbox({ logger: QUIET });
  onTestFinished(() => sandbox.close());
  const { clientId } = sandboxScenario.publicClient;
  const before = JSON.stringify((await sandbox.operator.list('clients')).records);
  const site = await start((request, response) => {
    if (request.url?.includes('/oauth/client/'))
      return void response.end(JSON.stringify({ success: true, data: { widgetOriginAllowed: false } }));
    const elsewhere = `http://localhost:${request.socket.localPort}`;
    response
      .setHeader('Content-Type', 'text/html')
      .end(
        `<latchkey-login client-id="${clientId}" service-url="${elsewhere}" callback-url="${elsewhere}/cb"></latchkey-login>`,
      );
  });
  const { codes } = await siteDoctor(['--site', site, '--fix'], {
    LATCHKEY_SANDBOX_TOKEN: sandbox.controlToken,
    LATCHKEY_SANDBOX_URL: sandbox.baseUrl,
  });
  expect(codes).toEqual(expect.arrayContaining(['origin-not-allowed', 'redirect-uri-not-registered']));
  expect(JSON.stringify((await sandbox.operator.list('clients')).records)).toBe(before);
});
