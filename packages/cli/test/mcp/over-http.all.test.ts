import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listeningAt, type RunningLatchkey, startLatchkey } from '../running-latchkey.js';

const TOKEN = 'token-of-the-tests-0123456789';

let running: RunningLatchkey;
let mcp: string;
beforeAll(async () => {
  running = startLatchkey(['sandbox', '--port', '0', '--log-level', 'info'], {
    LATCHKEY_SANDBOX_TOKEN: TOKEN,
  });
  mcp = `${await listeningAt(running)}/sandbox/mcp`;
  await running.waitFor(/Press Ctrl-C/);
});
afterAll(async () => {
  running.process.kill();
  await running.ended;
});

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'http-client', version: '1.0.0' });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { requestInit: { headers } }));
  return client;
}

function initialize(headers: Record<string, string>): Promise<Response> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  return fetch(mcp, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
}

it('an assistant over HTTP has the tools, which work on this sandbox', async () => {
  const client = await connect(TOKEN);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['search_docs', 'run_doctor']));
  const people = await client.callTool({ name: 'list_objects', arguments: { kind: 'users' } });
  expect(JSON.stringify(people.structuredContent)).toContain('ada@example.com');
  expect((await client.callTool({ name: 'get_request', arguments: { id: 'req_999999' } })).isError).toBe(
    true,
  );
  await client.close();
});

it('nobody else has them: no token, a wrong one, and a page of another origin get a failure', async () => {
  expect((await initialize({ Authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  expect((await initialize({})).status).toBe(401);
  expect((await initialize({ Authorization: 'Bearer another-token-of-24-letters' })).status).toBe(401);
  const foreign = { Authorization: `Bearer ${TOKEN}`, Origin: 'https://evil.example' };
  expect(await (await initialize(foreign)).json()).toMatchObject({ error: { code: 'foreign_origin' } });
  await expect(connect('another-token-of-24-letters')).rejects.toThrow();
});

it('the configuration of the README connects', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, json = ''] = /```json\n(\{[^`]*"url"[^`]*)```/.exec(readme) ?? [];
  const { url, headers } = (
    JSON.parse(json) as { mcpServers: Record<string, { url: string; headers: object }> }
  ).mcpServers.latchkey as { url: string; headers: Record<string, string> };
  expect(new URL(url).pathname).toBe(new URL(mcp).pathname);
  expect(Object.keys(headers)).toEqual(['Authorization']);
  expect(headers.Authorization).toMatch(/^Bearer /);
});

it('the sandbox ends at once while an assistant is connected', async () => {
  const client = await connect(TOKEN);
  await client.listTools();
  running.process.kill('SIGTERM');
  expect(await running.ended).toBe(0);
});
