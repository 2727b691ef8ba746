import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { latchkey } from '../call.js';
import { type ControlSandbox, startControlSandbox } from '../control/control-sandbox.js';
import { BIN } from '../running-latchkey.js';
import { type ScriptedClient, startScriptedClient } from './scripted-client.js';

const TOKEN = 'a-token-of-another-sandbox';

let sandbox: ControlSandbox;
let assistant: ScriptedClient;
beforeAll(async () => {
  sandbox = await startControlSandbox();
  assistant = await startScriptedClient(sandbox.env);
});
afterAll(async () => {
  await assistant.close();
  await sandbox.close();
});

describe('the tools for hostile inputs', () => {
  it.for([
    ['get_request', { id: 'req_999999' }, 'Call list_requests for the ids.'],
    ['get_delivery', { id: '5eed0000-0000-4000-8000-000000000000' }, 'Call list_events for the ids'],
    ['read_docs', { page: 'no-such-page' }, 'Call list_docs or search_docs'],
    ['list_objects', { kind: 'secrets' }, 'describe_objects for the kinds'],
    [
      'get_object',
      { kind: 'users', id: '5eed0000-0000-4000-8000-000000000000' },
      'Call list_objects for the ids',
    ],
    ['load_snapshot', { name: 'nothing' }, 'Call list_snapshots for the names.'],
    ['get_snippets', { clientId: 'oac_000000000000000000000000' }, 'Call list_objects'],
    ['move_clock', { duration: '1d', preset: 'next-renewal' }, 'Send one of "duration"'],
    ['add_fault', { effect: { kind: 'reset' }, event: 'payment.failed' }, 'Correct the named fields'],
    ['move_clock', { instant: '2020-01-01T00:00:00Z' }, ''],
    ['create_object', { kind: 'users', fields: { email: 'not an address' } }, 'email'],
    [
      'create_object',
      {
        kind: 'clients',
        fields: {
          ...{ name: 'Shop', type: 'public', ownerId: '5eed0000-0000-4000-8000-00000000000d' },
          redirectUris: ['http://shop.example/cb'],
        },
      },
      'https',
    ],
    ['trigger_event', { event: 'membership.created', user: 'nobody@example.com' }, 'has no user'],
    ['trigger_event', { event: 'membership.updated', user: 'ada@example.com' }, 'either until'],
    [
      'trigger_event',
      { event: 'payment.success', user: 'x', end: true },
      'end does not belong to payment.success',
    ],
    ['run_doctor', { redirectUri: 'not a url' }, 'must be a URL'],
  ] as const)('%s with %j returns an error with the next step', async ([name, input, expected]) => {
    const { isError, text } = await assistant.call(name, input);
    expect(isError).toBe(true);
    expect(text).toContain(expected);
    expect(text).not.toContain('--');
    expect(text).not.toContain(sandbox.controlToken);
  });

  it.for([
    ['get_request', { id: '../clock' }],
    ['read_docs', { page: '../sandbox/api/clock' }],
    ['list_objects', { kind: 'users/../../clock' }],
    ['load_snapshot', { name: '../reset' }],
    ['get_object', { kind: 'users', id: '../../reset' }],
    ['run_doctor', { site: ['https://shop.example'] }],
    ['search_docs', { query: '' }],
    ['list_requests', { limit: 1e9 }],
    ['move_clock', { preset: 'no-such-preset' }],
    ['add_fault', { effect: { kind: 'no-such-effect' } }],
  ] as const)('%s rejects %j before any call', async ([name, input]) => {
    expect((await assistant.call(name, input)).isError).toBe(true);
  });

  it('cuts a huge result, and says so', async () => {
    const { operator } = sandbox;
    const description = 'x'.repeat(400);
    for (let index = 0; index < 40; index += 1) {
      await operator.registerClient({
        type: 'public',
        ownerId: '5eed0000-0000-4000-8000-00000000000d',
        name: `Client ${index}`,
        description,
        scopes: ['memberships.read'],
        redirectUris: Array.from({ length: 40 }, (_, uri) => `https://shop.example/${'y'.repeat(60)}/${uri}`),
        widgetOrigins: [],
      });
    }
    const { text, data } = await assistant.call('list_objects', { kind: 'clients', limit: 1_000 });
    expect(text.length).toBeLessThan(100_000);
    expect(JSON.stringify(data).length).toBeLessThan(41_000);
    expect(data.note).toMatch(/^The result had \d+ characters, so long texts and lists in it are cut\./);
  });

  it('writes nothing but the protocol to standard output', async () => {
    const child = spawn(process.execPath, [BIN, 'mcp'], { env: { ...sandbox.env, LATCHKEY_SITEE: 'x' } });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part;
    });
    const message = (id: number, method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    child.stdin.write('this is no message\n');
    child.stdin.write(
      message(1, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }),
    );
    child.stdin.write(message(2, 'tools/call', { name: 'get_clock', arguments: {} }));
    while (!out.includes('"id":2')) await once(child.stdout, 'data');
    child.stdin.end();
    expect((await once(child, 'close'))[0]).toBe(0);
    for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });
});

describe('latchkey mcp refuses', () => {
  it.for([
    ['a page', 404, 'text/html', '<h1>Not found</h1>'],
    ['a service without the control API', 404, 'application/json', '{"error":"not_found"}'],
    ['another API', 200, 'application/json', '{"openapi":"3.1.0","info":{"title":"The service"},"paths":{}}'],
  ] as const)('%s', async ([, status, type, body], { onTestFinished }) => {
    const seen: string[] = [];
    const address = await serve((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(status, { 'Content-Type': type }).end(body);
    }, onTestFinished);
    const { code, out, err } = await latchkey(['mcp', '--sandbox', address], sandbox.env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/is not a sandbox|does not say that it is a sandbox/);
    expect(seen).toEqual(['/sandbox/api/openapi.json']);
  });

  it('an address on another machine, unless it is told otherwise', async () => {
    const { code, err } = await latchkey(['mcp', '--sandbox', 'https://sandbox.example'], sandbox.env);
    expect(code).toBe(2);
    expect(err).toContain('add --allow-remote');
  });

  it('a wrong token, without printing it', async () => {
    const { code, err } = await latchkey(['mcp'], { ...sandbox.env, LATCHKEY_SANDBOX_TOKEN: TOKEN });
    expect(code).toBe(1);
    expect(err).toContain('rejects the token');
    expect(err).not.toContain(TOKEN);
  });

  it('a program that took the address of the sandbox while the assistant works', async ({
    onTestFinished,
  }) => {
    const own = await startControlSandbox();
    const client = await startScriptedClient(own.env);
    onTestFinished(() => client.close());
    await client.data('get_clock');
    await own.close();
    expect((await client.call('get_clock')).text).toContain('Start one with "latchkey sandbox"');
    const paths: string[] = [];
    await serve(
      (request, response) => {
        paths.push(request.url ?? '');
        response.end('{"serviceTime":"2026-01-01T00:00:00Z","presets":[]}');
      },
      onTestFinished,
      own.port,
    );
    const { isError, text } = await client.call('load_scenario');
    expect(isError).toBe(true);
    expect(text).toContain('is not a sandbox');
    expect(paths).toEqual(['/sandbox/api/openapi.json']);
  });
});

async function serve(
  listener: RequestListener,
  onTestFinished: (end: () => void) => void,
  port = 0,
): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
