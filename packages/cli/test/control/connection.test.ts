import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { latchkey } from '../call.js';
import { type ControlSandbox, startControlSandbox } from './control-sandbox.js';

const TOKEN = 'a-token-of-another-sandbox';

let sandbox: ControlSandbox;
beforeAll(async () => {
  sandbox = await startControlSandbox();
});
afterAll(() => sandbox.close());

describe('a command that calls a sandbox', () => {
  it('says how to start a sandbox if none runs', async () => {
    const { code, out, err, docs } = await latchkey(
      ['clock', '--sandbox', 'http://127.0.0.1:1'],
      sandbox.env,
    );
    expect({ code, out, docs }).toEqual({ code: 1, out: '', docs: 'unreachable' });
    expect(err.split('\n')).toEqual([
      'Sandbox http://127.0.0.1:1',
      expect.stringMatching(
        /^No sandbox answers at http:\/\/127\.0\.0\.1:1: fetch does not call this port.* Start one with "latchkey sandbox"/,
      ),
    ]);
  });

  it('says where the token comes from if it is wrong, without printing it', async () => {
    const { code, err } = await latchkey(['clock'], { ...sandbox.env, LATCHKEY_SANDBOX_TOKEN: TOKEN });
    expect(code).toBe(1);
    expect(err).toContain('rejects the token. Set LATCHKEY_SANDBOX_TOKEN to the token that it printed');
    expect(err).not.toContain(TOKEN);
  });

  it('needs the token from the environment, and accepts none as a flag', async () => {
    const { LATCHKEY_SANDBOX_URL = '' } = sandbox.env;
    const missing = await latchkey(['clock'], { LATCHKEY_SANDBOX_URL });
    expect(missing).toMatchObject({ code: 2, out: '' });
    expect(missing.err).toMatch(/^LATCHKEY_SANDBOX_TOKEN is required: /);
    const flag = await latchkey(['clock', '--token', TOKEN], sandbox.env);
    expect(flag.code).toBe(2);
    expect(flag.err).toContain('--token is not a flag');
    expect(flag.err).not.toContain(TOKEN);
  });

  it('says so if the sandbox answers to another host name only', async ({ onTestFinished }) => {
    const named = await startControlSandbox({ baseUrl: 'http://members.localhost:4400' });
    onTestFinished(() => named.close());
    const address = `http://127.0.0.1:${named.port}`;
    const { code, err } = await latchkey(['clock', '--sandbox', address], named.env);
    expect(code).toBe(1);
    expect(err).toContain(`The service at ${address} answers to another host name only.`);
  });

  it.for([
    ['a page', 404, 'text/html', '<h1>Not found</h1>', 'an HTML page'],
    ['a service without the control API', 404, 'application/json', '{}', 'application/json'],
    ['a service that answers every path', 200, 'application/json', '{"ok":true}', 'application/json'],
    ['a redirect', 302, 'text/html', '', 'a redirect to http://127.0.0.1:1'],
  ] as const)('rejects %s', async ([, status, type, body, form], { onTestFinished }) => {
    const origin = await serve((_, response) => {
      response.writeHead(status, { 'Content-Type': type, Location: 'http://127.0.0.1:1/' }).end(body);
    }, onTestFinished);
    const { code, out, err } = await latchkey(['clock', '--sandbox', origin], sandbox.env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(
      `${origin} is not a sandbox with a control API: it answered with status ${status}, ${form}.`,
    );
  });

  it('sends the token neither over http to another machine nor below a path', async () => {
    for (const address of ['http://shop.example', 'http://127.0.0.1:4400/sandbox']) {
      const { code, err } = await latchkey(['clock', '--sandbox', address], sandbox.env);
      expect(code).toBe(2);
      expect(err).toContain('--sandbox: must be an ');
    }
  });
});

async function serve(listener: RequestListener, onTestFinished: (end: () => void) => void): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
