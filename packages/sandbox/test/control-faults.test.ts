import { describe, expect } from 'vitest';
import { type Fault, type FaultInput, type LoggedRequest, sandboxScenario } from '../src/index.js';
import { callControl } from './control-caller.js';
import { it, type SandboxUnderTest, SHOP } from './sandbox-under-test.js';
import { waitForRequests } from './wait-for-requests.js';

const { apiKey, community, confidentialClient, publicClient, users } = sandboxScenario;

async function addFault(service: SandboxUnderTest, fault: FaultInput): Promise<Fault> {
  const { status, body } = await callControl<Fault>(service, 'POST /faults', fault);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

function provision(service: SandboxUnderTest, externalOrderId: string) {
  return service.request('/membership/provision-external', {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ communityId: community.id, externalOrderId, email: users.ben.email }),
  });
}

const askToken = (service: SandboxUnderTest, clientId: string) =>
  service.request('/oauth/token', { method: 'POST', body: new URLSearchParams({ client_id: clientId }) });

describe('faults', () => {
  it('lose the answer after the work is done: a repetition with the same order id finds it', async ({
    service,
  }) => {
    const { id } = await addFault(service, {
      effect: { kind: 'answer-lost' },
      endpoint: 'provisionExternal',
      times: 1,
    });
    await expect(provision(service, 'order-1')).rejects.toThrow('fetch failed');
    const again = await (await provision(service, 'order-1')).json();
    expect(again).toMatchObject({ success: true, data: { status: 'idempotent_return' } });
    const { requests } = service.server.control;
    await waitForRequests(service, ({ path }) => path.includes('provision'), 2);
    expect(requests.list({ path: 'provision' }).requests).toHaveLength(2);
    const lost = requests.list({ path: 'provision' }).requests.find(({ fault }) => fault === id);
    const entry: LoggedRequest = requests.find(lost?.id ?? '');
    expect(entry).toMatchObject({ answered: false, status: 200 });
    expect(entry.responseBody?.text).toContain('"status":"created"');
  });

  it('answer with a status in the format of the endpoint, and the endpoint does nothing', async ({
    service,
  }) => {
    await addFault(service, { effect: { kind: 'status', status: 503 } });
    const failed = await provision(service, 'order-1');
    expect([failed.status, await failed.json()]).toMatchObject([
      503,
      { success: false, errorCode: 'service_unavailable' },
    ]);
    const oauth = await service.request('/oauth/userinfo');
    expect([oauth.status, await oauth.json()]).toMatchObject([503, { error: expect.any(String) }]);
    await callControl(service, 'DELETE /faults');
    expect(await (await provision(service, 'order-1')).json()).toMatchObject({ data: { status: 'created' } });
  });

  it('answer pages of every origin with a status that they can read, except where cookies count', async ({
    service,
  }) => {
    await addFault(service, { effect: { kind: 'status', status: 503 } });
    const allowed = async (path: string) => {
      const answer = await service.request(path, { headers: { Origin: SHOP } });
      return [answer.status, answer.headers.get('access-control-allow-origin')];
    };
    expect(await allowed('/oauth/userinfo')).toEqual([503, '*']);
    expect(await allowed('/oauth/memberships')).toEqual([503, '*']);
    expect(await allowed(`/oauth/client/${publicClient.clientId}`)).toEqual([503, '*']);
    expect(await allowed('/oauth/authorize')).toEqual([503, null]);
    expect((await provision(service, 'order-1')).headers.has('access-control-allow-origin')).toBe(false);
  });

  it('spare preflights, which do not count', async ({ service }) => {
    await addFault(service, { effect: { kind: 'reset' }, times: 1 });
    const preflight = await service.request('/oauth/userinfo', {
      method: 'OPTIONS',
      headers: {
        Origin: SHOP,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(service.server.control.faults.list()).toMatchObject([{ seen: 0, changed: 0 }]);
    await expect(service.request('/oauth/userinfo')).rejects.toThrow('fetch failed');
    expect(service.server.control.faults.list()).toMatchObject([{ seen: 1, changed: 1 }]);
  });

  it('reset the connection before the endpoint does anything', async ({ service }) => {
    await addFault(service, { effect: { kind: 'reset' }, times: 1 });
    const failure: unknown = await provision(service, 'order-1').catch((error: Error) => error.cause);
    expect(failure).toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
    expect(await (await provision(service, 'order-1')).json()).toMatchObject({ data: { status: 'created' } });
    const { requests } = service.server.control;
    await waitForRequests(service, () => true, 2);
    expect(requests.list().requests).toHaveLength(2);
    expect(requests.list().requests.map(({ status, answered }) => [status, answered])).toContainEqual([
      null,
      false,
    ]);
  });

  it('send half of a body', async ({ service }) => {
    await addFault(service, { effect: { kind: 'malformed' }, endpoint: 'clientIdentity' });
    const answer = await service.request(`/oauth/client/${publicClient.clientId}`);
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(text).toMatch(/^\{"success":true/);
    expect(() => JSON.parse(text)).toThrow();
  });

  it('delay an answer, and send it in parts', async ({ service }) => {
    await addFault(service, { effect: { kind: 'latency', ms: 80 }, times: 1 });
    await addFault(service, { effect: { kind: 'drip', ms: 100 }, times: 1 });
    const path = `/oauth/client/${publicClient.clientId}`;
    const late = await service.request(path);
    const parts: string[] = [];
    const slow = await service.request(path);
    for await (const part of slow.body?.pipeThrough(new TextDecoderStream()) ?? []) parts.push(part);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join('')).toBe(await late.text());
    expect(service.server.control.faults.list().map(({ changed }) => changed)).toEqual([1, 1]);
  });

  it('change calls of one client only, named by the body, the key or its owner', async ({ service }) => {
    await addFault(service, { effect: { kind: 'status', status: 500 }, client: publicClient.clientId });
    expect((await askToken(service, publicClient.clientId)).status).toBe(500);
    expect((await askToken(service, confidentialClient.clientId)).status).toBe(401);
    expect((await provision(service, 'order-1')).status).toBe(200);
    await callControl(service, 'DELETE /faults');
    await addFault(service, { effect: { kind: 'status', status: 500 }, client: users.dana.email });
    expect((await provision(service, 'order-2')).status).toBe(500);
    expect((await askToken(service, publicClient.clientId)).status).toBe(400);
    const long = new URLSearchParams({ client_id: publicClient.clientId, padding: 'x'.repeat(90_000) });
    expect((await service.request('/oauth/token', { method: 'POST', body: long })).status).toBe(400);
  });

  it('change the same calls again with the same seed, and others with another', async ({ service }) => {
    const changedCalls = async (seed: number) => {
      const { id } = await addFault(service, {
        effect: { kind: 'status', status: 500 },
        endpoint: 'token',
        rate: 0.5,
        seed,
      });
      const statuses: number[] = [];
      for (let n = 0; n < 24; n += 1) statuses.push((await askToken(service, publicClient.clientId)).status);
      const fault = service.server.control.faults.list().find((known) => known.id === id);
      expect(fault).toMatchObject({ seen: 24, changed: statuses.filter((status) => status === 500).length });
      expect((await callControl(service, `DELETE /faults/${id}`)).status).toBe(204);
      return statuses.join();
    };
    const first = await changedCalls(7);
    expect(new Set(first.split(','))).toEqual(new Set(['400', '500']));
    expect(await changedCalls(7)).toBe(first);
    expect(await changedCalls(8)).not.toBe(first);
  });

  it('never change the control API, the console or the receiver', async ({ service }) => {
    await addFault(service, { effect: { kind: 'reset' } });
    expect((await callControl<{ faults: Fault[] }>(service, 'GET /faults')).body.faults).toHaveLength(1);
    expect((await service.request('/sandbox')).status).toBe(200);
    expect((await service.request('/sandbox/webhooks/receiver', { method: 'POST' })).status).toBe(400);
  });

  it.for([
    {},
    { effect: { kind: 'explode' } },
    { effect: { kind: 'status', status: 200 } },
    { effect: { kind: 'latency', ms: 10_000_000 } },
    { effect: { kind: 'reset' }, endpoint: 'nothing' },
    { effect: { kind: 'reset' }, rate: 0 },
    { effect: { kind: 'reset' }, times: 0 },
  ])('rejects the fault %j', async (fault, { service }) => {
    expect((await callControl(service, 'POST /faults', fault)).status).toBe(400);
    expect((await callControl(service, 'DELETE /faults/fault_9')).status).toBe(404);
    expect(service.server.control.faults.list()).toEqual([]);
  });
});
