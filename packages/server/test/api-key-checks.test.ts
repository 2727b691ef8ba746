import { once } from 'node:events';
import { connect } from 'node:net';
import { envelopeFailureSchemas, rejectionSchemas } from '@latchkey/contract';
import { PATHS, PERMISSIONS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { type ApiKeyRequest, callWithKey, checkPath, keyWith, rejectionOf } from './api-key-requests.js';
import { it, type ServiceUnderTest, startService } from './service-under-test.js';

const { users, community, apiKey } = sandboxScenario;
const UNKNOWN_COMMUNITY = '5eed0000-0000-4000-8000-00000000ffff';
const UNKNOWN_KEY = `svc_${'unknown'.repeat(6)}0`;

describe('order of the checks', () => {
  it('is key, fields, permission, community, role', {
    tags: [
      'api-key.two-checks-independent',
      'api-key.missing-permission',
      'api-key.missing-role',
      'api-key.status-validation',
      'api-key.status-not-found',
      'api-key.check-messenger-permission',
    ],
  }, async ({ service }) => {
    const everything = { key: UNKNOWN_KEY, path: checkPath('nonsense', '0') };
    const strangerWithout = await keyWith(service, ['MEMBERSHIP_WRITE'], users.ben.id);
    const strangerWith = await keyWith(service, ['MEMBERSHIP_READ'], users.ben.id);
    const ownerWithout = await keyWith(service, ['MEMBERSHIP_WRITE']);

    expect((await rejectionOf(service, everything)).statusCode).toBe(401);
    expect((await rejectionOf(service, { ...everything, key: strangerWithout })).statusCode).toBe(400);
    const unknown = { path: checkPath(UNKNOWN_COMMUNITY) };
    const lacking = { statusCode: 403, message: expect.stringContaining('MEMBERSHIP_READ') };
    expect(await rejectionOf(service, { ...unknown, key: strangerWithout })).toMatchObject(lacking);
    expect(await rejectionOf(service, { key: ownerWithout })).toMatchObject(lacking);
    const absent = await callWithKey(service, { ...unknown, key: strangerWith });
    expect(absent.status).toBe(404);
    envelopeFailureSchemas(['not_found']).strict.parse(absent.body);
    const noRole = { statusCode: 403, message: expect.stringContaining('OWNER or ADMIN') };
    expect(await rejectionOf(service, { key: strangerWith })).toMatchObject(noRole);
  });

  it('uses the current role of the owner: granted, revoked or deactivated', {
    tags: ['api-key.role-checked', 'api-key.administered-communities', 'api-key.belongs-to-user'],
  }, async ({ service }) => {
    const { operator } = service.server;
    const key = await keyWith(service, ['MEMBERSHIP_READ'], users.ben.id);
    const role = { communityId: community.id, userId: users.ben.id };
    const statusNow = async () => (await callWithKey(service, { path: checkPath(), key })).status;
    expect(await statusNow()).toBe(403);
    for (const name of ['ADMIN', 'OWNER'] as const) {
      await operator.assignRole({ ...role, role: name });
      expect(await statusNow()).toBe(200);
      await operator.assignRole({ ...role, role: name, isActive: false });
      expect(await statusNow()).toBe(403);
    }
    const { id: other } = await operator.createCommunity({ name: 'Ben’s own', ownerId: users.ben.id });
    expect((await callWithKey(service, { path: checkPath(other), key })).status).toBe(200);
    expect((await callWithKey(service, { path: checkPath(other) })).status).toBe(403);
  });

  it('checks the key before it rejects an undecodable path in the rejection body', async ({ service }) => {
    for (const [path, field] of [
      [checkPath('%E0%A4%A'), 'communityId'],
      [checkPath(community.id, '%'), 'messengerUserId'],
      [checkPath(community.id, '1%00'), 'messengerUserId'],
      [checkPath(community.id, '01'), 'messengerUserId'],
      [checkPath(community.id, '1e3'), 'messengerUserId'],
      [checkPath(community.id, '9007199254740992'), 'messengerUserId'],
    ] as const) {
      expect((await rejectionOf(service, { path, key: null })).statusCode, path).toBe(401);
      expect(await rejectionOf(service, { path }), path).toMatchObject({
        statusCode: 400,
        message: expect.stringContaining(field),
        path,
      });
    }
  });
});

describe('endpoint behind an API key', () => {
  it('accepts only its own method, sends no CORS headers and has no rate limit', {
    tags: ['api-key.no-rate-limit'],
  }, async ({ service }) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const headers = { origin: 'https://shop.example', 'access-control-request-method': 'GET' };
      const answer = await callWithKey(service, { path: checkPath(), method, headers });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.allow).toBe('GET');
      rejectionSchemas.strict.parse(answer.body);
      expect(Object.keys(answer.headers).filter((name) => /^access-control/.test(name))).toEqual([]);
    }
    const calls = Array.from({ length: 300 }, () => callWithKey(service, { path: checkPath() }));
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('matches its path exactly: case and slashes count, and there is no version prefix', async ({
    service,
  }) => {
    for (const path of [
      `${checkPath()}/`,
      `/v1${checkPath()}`,
      checkPath().replace('/membership', '/Membership'),
      checkPath().replace('/membership', '//membership'),
      checkPath().replace('/1001', ''),
      checkPath('', '1001'),
      checkPath().replace('check', 'che%63k'),
    ]) {
      expect((await callWithKey(service, { path })).status, path).toBe(404);
    }
  });
});

describe('request body', () => {
  const path = PATHS.provisionExternal;
  const json = { communityId: community.id, externalOrderId: '1', email: users.ben.email };
  const send = (service: ServiceUnderTest, call: Partial<ApiKeyRequest>) =>
    rejectionOf(service, { path, method: 'POST', ...call });

  it('is not awaited when the key is rejected', async ({ service }) => {
    const socket = connect(service.server.port, '127.0.0.1');
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${service.server.port}`,
      'Content-Type: application/json',
    ];
    socket.write(`${head.join('\r\n')}\r\nContent-Length: 90000\r\n\r\n{"communityId":`);
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('must be UTF-8 JSON of at most 100 kB, else 415, 400 or 413, and the key is checked first', async ({
    service,
  }) => {
    const text = JSON.stringify(json);
    const typed = (type: string) => ({ bytes: Buffer.from(text), headers: { 'content-type': type } });
    const cases: [number, string, Partial<ApiKeyRequest>][] = [
      [415, 'The body must be application/json.', typed('text/plain')],
      [415, 'The body must be application/json.', typed('application/x-www-form-urlencoded')],
      [415, 'The body must be application/json.', typed('')],
      [415, 'The body must be UTF-8.', typed('application/json; charset=utf-16')],
      [415, 'The body must be UTF-8.', typed('application/json; charset=latin1')],
      [413, 'The body is larger than 100 kB.', { json: { ...json, more: 'x'.repeat(100_000) } }],
      [400, 'The body cannot be parsed.', { bytes: Buffer.from(text.slice(0, -1)) }],
      [400, 'The body is not valid UTF-8.', { bytes: Buffer.from(`{"email":"\xff"}`, 'latin1') }],
      [400, 'The body must be a JSON object.', { json: [json] }],
      [400, 'The body must be a JSON object.', { json: 'text' }],
      [400, 'The body must be a JSON object.', { json: null }],
      [400, 'The body must be a JSON object.', {}],
    ];
    for (const [statusCode, message, call] of cases) {
      expect(await send(service, call)).toMatchObject({ statusCode, message, path });
      expect(await send(service, { ...call, key: UNKNOWN_KEY })).toMatchObject({ statusCode: 401 });
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect((await callWithKey(service, { path, ...typed(type) })).status, type).toBe(200);
    }
  });
});

describe('failure response', () => {
  const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
  const headers = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` };
  const unknownCommunity = { path: checkPath(UNKNOWN_COMMUNITY) };

  it("of an endpoint has errorCode, message and the request's trace id, but no data", {
    tags: [
      'envelope.endpoint-failure',
      'envelope.data-absent-on-failure',
      'envelope.error-code-format',
      'envelope.error-code-known-values',
      'envelope.message-on-failure',
      'envelope.correlation-key-presence',
      'envelope.log-url-presence',
    ],
  }, async ({ service }) => {
    const plain = await callWithKey(service, unknownCommunity);
    expect(plain.body).toEqual({ success: false, errorCode: 'not_found', message: expect.any(String) });
    expect(plain.headers['cache-control']).toBe('no-store');
    const traced = await callWithKey(service, { ...unknownCommunity, headers });
    expect(traced.body).toEqual({ ...(plain.body as object), correlationKey: TRACE_ID });
    expect((await callWithKey(service, { path: checkPath(), headers })).body).not.toHaveProperty(
      'correlationKey',
    );
    expect(await rejectionOf(service, { key: null, headers })).not.toHaveProperty('correlationKey');
  });

  it('contains the log URL only when the log base URL and a trace id are present', {
    tags: ['envelope.log-url-presence'],
  }, async ({ onTestFinished }) => {
    const service = await startService({ logUrl: 'https://logs.example/search?trace={traceId}#all' });
    onTestFinished(() => service.server.close());
    const traced = await callWithKey(service, { ...unknownCommunity, headers });
    expect(envelopeFailureSchemas(['not_found']).strict.parse(traced.body)).toMatchObject({
      logUrl: `https://logs.example/search?trace=${TRACE_ID}#all`,
    });
    expect((await callWithKey(service, unknownCommunity)).body).not.toHaveProperty('logUrl');
  });

  it('of an internal error is 500 in the envelope and reveals nothing', {
    tags: ['api-key.status-server-failure'],
  }, async ({ onTestFinished }) => {
    let isBroken = false;
    const clock = {
      now() {
        if (isBroken) throw new Error('the inner cause');
        return 0;
      },
    };
    const service = await startService({ clock });
    onTestFinished(() => service.server.close());
    isBroken = true;
    const answer = await callWithKey(service, { path: checkPath(), headers });
    expect(answer.status).toBe(500);
    expect(envelopeFailureSchemas(['internal_server_error']).strict.parse(answer.body)).toMatchObject({
      correlationKey: TRACE_ID,
    });
    expect(answer.text).not.toContain('inner cause');
    expect(service.log.join('\n')).toContain('the inner cause');
    expect(service.log.join('\n')).not.toContain(apiKey);
  });
});

describe('permissions of a key', () => {
  it('are fixed at its creation, and the private permission is for vetted partners only', {
    tags: [
      'api-key.permissions-fixed',
      'api-key.selectable-permissions',
      'api-key.private-permission',
      'provision.private',
    ],
  }, async ({ service }) => {
    const { operator } = service.server;
    const create = (ownerId: string) =>
      operator.createApiKey({ ownerId, name: 'All', permissions: PERMISSIONS });
    await expect(create(users.ben.id)).rejects.toMatchObject({ code: 'invalid_input' });
    const selectable = PERMISSIONS.filter((permission) => permission !== 'MEMBERSHIP_PROVISION');
    await expect(keyWith(service, selectable, users.ben.id)).resolves.toBeDefined();
    await operator.change('users', users.ben.id, { mayProvision: true });
    const { id } = await create(users.ben.id);
    const change = operator.change('keys', id, { permissions: selectable });
    await expect(change).rejects.toMatchObject({ code: 'not_supported' });
    expect(Object.keys(operator).filter((name) => /key/i.test(name))).toEqual(['createApiKey']);
  });
});
