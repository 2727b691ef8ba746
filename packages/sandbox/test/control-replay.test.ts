import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it as plainIt } from 'vitest';
import { RequestLog } from '../src/control/requests/request-log.js';
import { createSandbox, type LoggedRequest, type RequestSummary, sandboxScenario } from '../src/index.js';
import { Services } from '../src/services/services.js';
import { callControl } from './control-caller.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';
import { waitForRequests } from './wait-for-requests.js';

const { apiKey, community, users } = sandboxScenario;

function provision(service: SandboxUnderTest, body: string): Promise<Response> {
  return service.request('/membership/provision-external', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'X-Shop-Token': 'very-secret',
    },
    body,
  });
}

const NO_BODY = { kept: Buffer.alloc(0), bytes: 0 };
const ORDER = JSON.stringify({
  communityId: community.id,
  externalOrderId: 'order-1',
  email: users.ben.email,
});

async function provisioned(service: SandboxUnderTest): Promise<RequestSummary> {
  await provision(service, ORDER);
  await waitForRequests(service, ({ endpoint }) => endpoint === 'provisionExternal');
  const [entry] = service.server.control.requests.list().requests;
  if (entry === undefined) throw new Error('The log is empty.');
  return entry;
}

describe('a replay', () => {
  it('sends the request again with its key and body, and returns its new entry', async ({ service }) => {
    const first = await provisioned(service);
    const { status, body } = await callControl<RequestSummary>(service, `POST /requests/${first.id}/replay`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ replayOf: first.id, status: 200, endpoint: 'provisionExternal' });
    expect(body.id).not.toBe(first.id);
    const entry = service.server.control.requests.find(body.id);
    expect(JSON.parse(entry.responseBody?.text ?? '')).toMatchObject({
      data: { status: 'idempotent_return' },
    });
    // A replay can be replayed, and its mark is no header of the request.
    const again = await service.server.control.requests.replay(body.id);
    expect(again).toMatchObject({ replayOf: body.id, status: 200 });
    expect(Object.keys(entry.requestHeaders)).toContain('x-shop-token');
  });

  it('answers under a fault that resets the connection', async ({ service }) => {
    const first = await provisioned(service);
    service.server.control.faults.add({ effect: { kind: 'reset' } });
    const entry = await service.server.control.requests.replay(first.id);
    expect(entry).toMatchObject({ status: null, answered: false, replayOf: first.id });
  });

  it('is refused for an unknown entry, a long body and an emptied log', async ({ service }) => {
    expect((await callControl(service, 'POST /requests/req_77/replay')).status).toBe(404);
    await provision(service, JSON.stringify({ note: 'x'.repeat(70_000) }));
    await waitForRequests(service, ({ endpoint }) => endpoint === 'provisionExternal');
    const [long] = service.server.control.requests.list().requests;
    const { status, body } = await callControl(service, `POST /requests/${long?.id}/replay`);
    expect(status).toBe(409);
    expect(JSON.stringify(body)).toContain('64 KiB');
    const kept = await provisioned(service);
    service.server.control.requests.clear();
    await expect(service.server.control.requests.replay(kept.id)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('keeps the request as it arrived out of every answer and snapshot', async ({ service }) => {
    const { id } = await provisioned(service);
    const { control } = service.server;
    await callControl(service, 'POST /snapshots/kept', {});
    const seen = await Promise.all(
      ['GET /requests', `GET /requests/${id}`, 'GET /snapshots/kept', `POST /requests/${id}/replay`].map(
        async (call) => JSON.stringify((await callControl(service, call)).body),
      ),
    );
    for (const text of [...seen, JSON.stringify(control.requests.find(id))]) {
      expect(text).not.toContain('very-secret');
      expect(text).not.toContain(apiKey);
    }
    expect(Object.keys(control.requests)).toEqual([]);
    const methods = ['constructor', 'begin', 'add', 'list', 'find', 'replay', 'clear'];
    expect(Object.getOwnPropertyNames(RequestLog.prototype)).toEqual(methods);
  });

  it('takes a request that no HTTP client sends', async ({ service }) => {
    const { host, port } = new URL(service.baseUrl);
    const head = `Host: ${host}\r\nTrailer: Digest\r\nConnection: close, Digest`;
    const socket = connect(Number(port), '127.0.0.1').resume();
    socket.write(`GET ${service.baseUrl}/oauth/userinfo?code=[x] HTTP/1.1\r\n${head}\r\n\r\n`);
    await once(socket, 'close');
    await waitForRequests(service, ({ endpoint }) => endpoint === 'userinfo');
    const [first] = service.server.control.requests.list().requests;
    const { status, body } = await callControl(service, `POST /requests/${first?.id}/replay`);
    expect([status, body]).toMatchObject([200, { status: 401, replayOf: first?.id }]);
    // A copied command sends its token to the sandbox, and reads no brackets as a pattern.
    const shown = await callControl<{ curl: string }>(service, `GET /requests/${first?.id}`);
    expect(shown.body.curl).toBe(`curl --globoff -X GET '${service.baseUrl}/oauth/userinfo?code=[hidden]'`);
  });

  it('cannot be forged by a caller that sends the header', async ({ service }) => {
    await service.request('/oauth/userinfo', { headers: { 'X-Latchkey-Replay': 'anything' } });
    await waitForRequests(service, ({ endpoint }) => endpoint === 'userinfo');
    expect(service.server.control.requests.list().requests[0]?.replayOf).toBeNull();
  });
});

describe('the headers of an entry', () => {
  it('show what is no credential, and hide every other value', async ({ service }) => {
    const { id } = await provisioned(service);
    const { body } = await callControl<LoggedRequest>(service, `GET /requests/${id}`);
    expect(body.requestHeaders).toMatchObject({
      authorization: 'Bearer [hidden]',
      'content-type': 'application/json',
      'x-shop-token': '[hidden]',
    });
    expect(body.responseHeaders).toMatchObject({ 'content-type': expect.stringContaining('json') });
  });

  it('name the rule of an answer with its text', async ({ service }) => {
    await service.request('/oauth/userinfo');
    await waitForRequests(service, ({ endpoint }) => endpoint === 'userinfo');
    const [entry] = service.server.control.requests.list({ failed: true, endpoint: 'userinfo' }).requests;
    const { body } = await callControl(service, `GET /requests/${entry?.id}`);
    expect(body).toMatchObject({ rules: [{ id: 'oauth-error.invalid-token-missing' }] });
  });
});

describe('the option requestLogEntries', () => {
  plainIt('rejects a number that is none', async () => {
    await expect(createSandbox({ requestLogEntries: 0 })).rejects.toThrow('"requestLogEntries"');
  });

  plainIt('keeps that number of requests', async () => {
    const sandbox = await createSandbox({ scenario: 'empty', requestLogEntries: 3 });
    const { requests } = sandbox.control;
    for (let count = 0; count < 5; count += 1) await fetch(`${sandbox.baseUrl}/oauth/userinfo`);
    await expect.poll(() => requests.list().requests[0]?.id, { timeout: 20_000 }).toBe('req_5');
    expect(requests.list()).toMatchObject({ total: 3, next: null });
    await sandbox.close();
  });

  plainIt('keeps 10,000 requests, and pages through all of them', async () => {
    const small = await createSandbox({ scenario: 'empty' });
    await fetch(`${small.baseUrl}/oauth/userinfo`, { headers: { Authorization: `Bearer ${apiKey}` } });
    await expect.poll(() => small.control.requests.list().total, { timeout: 20_000 }).toBe(1);
    const { id: _, ...entry } = small.control.requests.find('req_1');
    await small.close();
    const log = new RequestLog(new Services({ now: Date.now }), 10_000);
    const raw = { method: 'GET', url: '/', headers: ['A', 'x'.repeat(1_000)], body: NO_BODY };
    for (let count = 0; count < 10_050; count += 1) log.add(entry, raw);
    const ids = new Set<string>();
    for (let after: string | undefined; ; ) {
      const page = log.list({ limit: 500, ...(after && { after }) });
      expect(page.total).toBe(10_000);
      for (const { id } of page.requests) ids.add(id);
      if (page.next === null) break;
      after = page.next;
    }
    expect(ids.size).toBe(10_000);
  });
});
