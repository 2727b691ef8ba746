import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sandboxScenario } from '@latchkey/sandbox';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RunningLatchkey, startLatchkey } from '../running-latchkey.js';
import { type ControlSandbox, startControlSandbox } from './control-sandbox.js';

const { publicClient, apiKey, community } = sandboxScenario;
const TOKEN = 'a-token-that-stays-the-same';

let sandbox: ControlSandbox;
beforeEach(async () => {
  sandbox = await startControlSandbox({ controlToken: TOKEN });
});
afterEach(() => sandbox.close());

/** Calls two endpoints: an answer with status 401, and one for an API key. */
async function callEndpoints(): Promise<void> {
  await fetch(`${sandbox.baseUrl}/oauth/userinfo`, { headers: { Authorization: 'Bearer nothing' } });
  const path = `/membership/check-messenger/${community.id}/1002`;
  await fetch(sandbox.baseUrl + path, { headers: { Authorization: `Bearer ${apiKey}` } });
  await vi.waitFor(() => expect(sandbox.control.requests.list().requests).toHaveLength(2), 20_000);
}

describe('latchkey logs', () => {
  it('lists the requests, the oldest first, with their callers', async () => {
    await callEndpoints();
    const { code, out, err } = await sandbox.run('logs');
    expect(code).toBe(0);
    expect(err).toBe(`Sandbox ${sandbox.baseUrl}`);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^req_1 +\S+Z +401 +GET +\d+ ms +- +\/oauth\/userinfo/),
      expect.stringMatching(/^req_2 +\S+Z +200 +GET +\d+ ms +key .+ \/membership\/check-messenger\//),
    ]);
  });

  it.for([
    [['--status', '4xx'], ['req_1']],
    [['--path', '/membership'], ['req_2']],
    [['--client', sandboxScenario.users.dana.email], ['req_2']],
    [['--search', 'USERINFO'], ['req_1']],
    [['--limit', '1'], ['req_2']],
    [['--client', publicClient.clientId], []],
    [['--failed'], ['req_1']],
    [['--endpoint', 'checkMessenger'], ['req_2']],
  ] as const)('filters with %j', async ([args, ids]) => {
    await callEndpoints();
    const { code, out } = await sandbox.run('logs', '--json', ...args);
    expect(code).toBe(0);
    const lines = out.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(ids);
  });

  it('says so if there are none, and exits with 2 for a filter that is none', async () => {
    expect((await sandbox.run('logs')).err).toContain('No requests yet, or none that match.');
    const { code, err } = await sandbox.run('logs', '--status', 'bad');
    expect(code).toBe(2);
    expect(err).toContain('--status: must be a status such as 404, or a class such as 4xx; got "bad".');
  });

  it('show prints the bodies and a curl command, without secrets and terminal escapes', async () => {
    const hostile = 'order\u001b]0;owned\u0007\u009b31m';
    await fetch(`${sandbox.baseUrl}/membership/provision-external`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: `{"communityId":"${community.id}","externalOrderId":"${hostile}"}`,
    });
    await vi.waitFor(() => expect(sandbox.control.requests.list().requests).toHaveLength(1), 20_000);
    const { code, out } = await sandbox.run('logs', 'show', 'req_1');
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}request {5}POST \/membership\/provision-external$/m);
    expect(out).toContain(`curl -X POST '${sandbox.baseUrl}/membership/provision-external' \\\n`);
    expect(out).toContain('-H "Authorization: Bearer $TOKEN"');
    expect(out).toContain('owned');
    expect(out).not.toContain(apiKey);
    const json = await sandbox.run('logs', 'show', 'req_1', '--json');
    for (const text of [out.replaceAll('\n', ''), json.out]) expect(text).not.toMatch(/[\p{Cc}]/u);
    expect(JSON.parse(json.out)).toMatchObject({
      id: 'req_1',
      curl: expect.stringContaining('curl -X POST'),
    });
  });

  it('replay sends a request again, and prints its new entry', async () => {
    await callEndpoints();
    const { code, out } = await sandbox.run('logs', 'replay', 'req_2');
    expect(code).toBe(0);
    expect(out).toMatch(/^req_3 +\S+Z +200 +GET +\d+ ms +key .+ \/membership\/check-messenger\//);
    const unknown = await sandbox.run('logs', 'replay', 'req_99');
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain('There is no request with the id "req_99".');
  });

  it('show fails with 1 for an unknown id, and 2 for something else', async () => {
    const unknown = await sandbox.run('logs', 'show', 'req_77');
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain('There is no request with the id "req_77".');
    expect((await sandbox.run('logs', 'show', '77')).code).toBe(2);
  });
});

describe('latchkey logs --follow', () => {
  it('prints each request once, also over a restart of the sandbox, and ends at Ctrl-C', async ({
    onTestFinished,
  }) => {
    await callEndpoints();
    const followed = startLatchkey(['logs', '--follow', '--limit', '1', '--json'], sandbox.env);
    onTestFinished(() => void followed.process.kill('SIGKILL'));
    await vi.waitFor(() => expect(idsOf(followed)).toEqual(['req_2']), 20_000);
    await fetch(`${sandbox.baseUrl}/oauth/userinfo`);
    await vi.waitFor(() => expect(idsOf(followed)).toEqual(['req_2', 'req_3']), 20_000);

    const port = Number(new URL(sandbox.baseUrl).port);
    await sandbox.close();
    await followed.waitFor(/The connection is lost\. Connecting again\./);
    sandbox = await startControlSandbox({ controlToken: TOKEN, port });
    await callEndpoints();
    const all = ['req_2', 'req_3', 'req_1', 'req_2'];
    await vi.waitFor(() => expect(idsOf(followed)).toEqual(all), 20_000);

    followed.process.kill('SIGINT');
    expect(await followed.ended).toBe(0);
    expect(idsOf(followed)).toEqual(all);
    expect(followed.err()).toBe(`Sandbox ${sandbox.baseUrl}\nThe connection is lost. Connecting again.\n`);
  });

  it('prints only requests that match the filters', async ({ onTestFinished }) => {
    const followed = startLatchkey(['logs', '--follow', '--status', '2xx', '--json'], sandbox.env);
    onTestFinished(() => void followed.process.kill('SIGKILL'));
    await followed.waitFor(/Sandbox/);
    await callEndpoints();
    await vi.waitFor(() => expect(idsOf(followed)).toEqual(['req_2']), 20_000);
    followed.process.kill('SIGTERM');
    expect(await followed.ended).toBe(0);
  });

  it.for(['logs', 'events'])(
    'ends with 0 at Ctrl-C while %s still waits for the first list',
    async (command, { onTestFinished }) => {
      const slow = createServer();
      const asked = once(slow, 'request');
      await new Promise<void>((listening) => slow.listen(0, '127.0.0.1', listening));
      onTestFinished(() => {
        slow.closeAllConnections();
        slow.close();
      });
      const { port } = slow.address() as AddressInfo;
      const env = { ...sandbox.env, LATCHKEY_SANDBOX_URL: `http://127.0.0.1:${port}` };
      const followed = startLatchkey([command, '--follow', '--json'], env);
      onTestFinished(() => void followed.process.kill('SIGKILL'));
      await asked;
      followed.process.kill('SIGINT');
      expect(await followed.ended).toBe(0);
    },
  );

  it('fails with 1 if no sandbox runs', async () => {
    const { code, err } = await sandbox.run('logs', '--follow', '--sandbox', 'http://127.0.0.1:1');
    expect(code).toBe(1);
    expect(err).toContain('No sandbox answers at http://127.0.0.1:1');
  });
});

function idsOf(followed: RunningLatchkey): string[] {
  const lines = followed.out().split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { id: string }).id);
}
