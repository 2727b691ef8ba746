import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { latchkey } from '../call.js';
import { doctor } from './doctor.js';

const CLIENT = 'oac_a1b2c3d4e5f60718293a4b5c';
const REDIRECT_URI = 'https://shop.example';
const COMMUNITY = '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0200';
/** Everything that ends a line or gives a terminal a command: C0 except for line feed, DEL, C1, format characters. */
const UNPRINTABLE = /[^\P{C}\n]|[\u2028\u2029]/u;

afterEach(() => vi.restoreAllMocks());

async function start(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([[], ['--json']])('prints no control characters of the service %j', async (...flags) => {
  const service = await start((request, response) => {
    const text = '\u001b[2J\u009b31m\r\nok           forged\u202e\u2028';
    if (request.url?.startsWith('/oauth/token')) response.writeHead(401).end(JSON.stringify({ error: text }));
    else if (request.url?.startsWith('/oauth/authorize'))
      response.writeHead(200).end(JSON.stringify({ [text]: 1 }));
    else if (request.url?.startsWith('/oauth/client/')) response.writeHead(404).end('{}');
    else response.writeHead(200, { 'Content-Type': 'text/\u009b31m' }).end('no json');
  });
  const { out } = await latchkey(['doctor', '--service', service, ...flags], {});
  expect(out).toContain('31m');
  expect(out).toContain('forged');
  expect(out).not.toMatch(UNPRINTABLE);
  expect(out).not.toMatch(/^ok +forged/m);
});

it('shortens what the service writes', async () => {
  const service = await start((_request, response) =>
    response.end(JSON.stringify({ ['x'.repeat(100_000)]: 1 })),
  );
  const { text } = await doctor(service);
  expect(text.length).toBeLessThan(20_000);
});

it.each(['"id"', String.raw`svc_quote"and\backslash`])(
  'hides the secret %s in a report that stays JSON',
  async (secret) => {
    const service = await start(({ headers: { authorization = '' } }, response) => {
      response.end(JSON.stringify({ [authorization]: 1, [authorization.replace('Bearer ', '')]: 2 }));
    });
    const flags = ['--community', COMMUNITY, '--messenger-user-id', '7'];
    const env = { LATCHKEY_API_KEY: secret, LATCHKEY_ACCESS_TOKEN: secret };
    const { check, report, text } = await doctor(service, flags, env);
    expect(check('userinfo.returns-identity')?.meaning).toMatch(/\[hidden\]|<app\.\w+>/);
    const shown = JSON.stringify(report.checks.map(({ meaning, action, needs }) => [meaning, action, needs]));
    expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(text).not.toContain(secret === '"id"' ? 'Bearer "id"' : secret);
  },
);

it.each([
  `${REDIRECT_URI}:99999999/?error=invalid_scope`,
  `${REDIRECT_URI}.evil.example/?error=invalid_scope`,
])('reads no answer to the redirect URI from %s', async (location) => {
  const service = await start((_request, response) => response.writeHead(302, { location }).end());
  const { check, code } = await doctor(service, ['--client-id', CLIENT, '--redirect-uri', REDIRECT_URI]);
  expect(code).toBe(1);
  expect(check('redirect-uri')?.meaning).not.toContain('refuses the scope');
});

it('reads no endless body', async () => {
  const service = await start((request, response) => {
    if (request.url !== '/oauth/userinfo') return void response.writeHead(404).end('{}');
    const chunk = Buffer.alloc(100_000, 'x');
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  });
  const { check } = await doctor(service, [], { LATCHKEY_ACCESS_TOKEN: 'test-access-token' });
  expect(check('userinfo.sub')?.needs).toContain('larger than 2000000 bytes');
});

it('sends nothing more to a service that stops to answer', async () => {
  const send = globalThis.fetch;
  const service = await start((_request, response) => response.writeHead(404).end('{}'));
  let sent = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    sent += 1;
    return sent < 8
      ? send(input, init)
      : Promise.reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  });
  const { check } = await doctor(service);
  expect(sent).toBe(8);
  expect(check('products.bearer')?.needs).toContain('no answer within 15000 ms');
});

it('sends nothing more to a service that has left a request unanswered', async () => {
  const sent = vi
    .spyOn(globalThis, 'fetch')
    .mockRejectedValue(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  const { check, code } = await doctor('https://service.example', ['--origin', 'https://shop.example']);
  expect(sent).toHaveBeenCalledTimes(1);
  expect(code).toBe(1);
  expect(check('unknown-path')).toMatchObject({ result: 'not_checked' });
});
