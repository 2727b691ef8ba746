import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ENDPOINTS, envelopeFailureSchemas, rejectionSchemas } from '@latchkey/contract';
import { PATHS, PERMISSIONS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { openDatabase } from '../src/platform/database/open-database.js';
import { type ApiKeyRequest, callWithKey, keyWith } from './api-key-requests.js';
import { publicTokens } from './authorization-flow.js';
import { everythingStored } from './database/everything-stored.js';
import type { ApiKeyEndpointName } from './malformed-requests.js';
import { databaseUnderTest, it, type ServiceUnderTest, startService } from './service-under-test.js';

const { users, community, plans, apiKey } = sandboxScenario;
const UNKNOWN_COMMUNITY = '5eed0000-0000-4000-8000-00000000ffff';
const UNKNOWN_KEY = `svc_${'unknown'.repeat(6)}0`;

function checkPath(communityId: string = community.id, messengerUserId = '1001'): string {
  return PATHS.checkMessenger
    .replace('{communityId}', communityId)
    .replace('{messengerUserId}', messengerUserId);
}

/** Asserts that the response matches the strict rejection schema, and returns it. */
async function rejectionOf(service: ServiceUnderTest, call: Partial<ApiKeyRequest>) {
  const answer = await callWithKey(service, { path: checkPath(), ...call });
  const body = rejectionSchemas.strict.parse(answer.body);
  expect(body.statusCode).toBe(answer.status);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['www-authenticate']).toBeUndefined();
  return body;
}

describe('API key', () => {
  it('is sent as a bearer token with a case-insensitive scheme and begins with svc_ [api-key.bearer-header] [api-key.prefix] [api-key.envelope] [envelope.success-true] [envelope.error-code-absent-on-success]', async ({
    service,
  }) => {
    expect(await keyWith(service, ['MEMBERSHIP_READ'])).toMatch(/^svc_/);
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
      const answer = await callWithKey(service, {
        path: checkPath(),
        headers: { authorization: `${scheme} ${apiKey}` },
      });
      expect(answer.status, scheme).toBe(200);
      expect(answer.body).toEqual({ success: true, data: expect.anything() });
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('is required: a request without one gets 401 in the rejection body [api-key.missing-key] [rejection.before-endpoint] [api-key.rejected-key-no-error-code]', async ({
    service,
  }) => {
    expect(await rejectionOf(service, { key: null })).toMatchObject({
      statusCode: 401,
      message: expect.stringContaining('missing'),
      path: checkPath(),
      timestamp: '2026-06-12T14:05:00.000Z',
    });
  });

  it.for([
    ['no scheme', apiKey],
    ['another scheme', `Basic ${apiKey}`],
    ['no key', 'Bearer'],
    ['an empty key', 'Bearer '],
    ['another prefix', `Bearer ocs_${'c0ffee00'.repeat(6)}`],
    ['the prefix in capitals', `Bearer ${apiKey.replace('svc_', 'SVC_')}`],
    ['a character too few', `Bearer ${apiKey.slice(0, -1)}`],
    ['a character too many', `Bearer ${apiKey}0`],
    ['a suffix', `Bearer ${apiKey} x`],
    ['a comma and a second key', `Bearer ${apiKey}, Bearer ${apiKey}`],
    ['no space', `Bearer${apiKey}`],
    ['a tab', `Bearer\t${apiKey}`],
    ['64 characters of nonsense', `Bearer svc_${'%'.repeat(60)}`],
  ])(
    'with %s is malformed and gets 401 [api-key.malformed-key]',
    async ([, authorization = ''], { service }) => {
      expect(await rejectionOf(service, { headers: { authorization } })).toMatchObject({ statusCode: 401 });
    },
  );

  it('is malformed in a repeated header, even when both values are equal [api-key.malformed-key]', async ({
    service,
  }) => {
    for (const other of [apiKey, UNKNOWN_KEY]) {
      for (const keys of [
        [apiKey, other],
        [other, apiKey],
      ]) {
        const authorization = keys.map((key) => `Bearer ${key}`);
        const { statusCode, message } = await rejectionOf(service, { headers: { authorization } });
        expect({ statusCode, message }).toEqual({
          statusCode: 401,
          message: 'The Authorization header is sent more than once.',
        });
      }
    }
  });

  it('that is unknown gets 401, and the response does not repeat the key [api-key.unknown-key]', async ({
    service,
  }) => {
    const body = await rejectionOf(service, { key: UNKNOWN_KEY });
    expect(body.statusCode).toBe(401);
    expect(body.message).not.toContain(UNKNOWN_KEY);
  });

  it('is rejected as soon as it is revoked [api-key.revoked-key] [api-key.revocation-immediate]', async ({
    service,
  }) => {
    const { operator } = service.server;
    const ownerId = users.dana.id;
    const { id, key } = await operator.createApiKey({
      ownerId,
      name: 'Old',
      permissions: ['MEMBERSHIP_READ'],
    });
    expect((await callWithKey(service, { path: checkPath(), key })).status).toBe(200);
    await operator.revokeApiKey({ id, ownerId });
    expect((await rejectionOf(service, { key })).statusCode).toBe(401);
  });

  it('is read from no other header, query parameter or cookie [api-key.no-x-api-key]', async ({
    service,
  }) => {
    const call = { key: null, path: `${checkPath()}?api_key=${apiKey}&access_token=${apiKey}` };
    const headers = {
      'x-api-key': apiKey,
      'x-svc-key': apiKey,
      'proxy-authorization': `Bearer ${apiKey}`,
      cookie: `authorization=Bearer ${apiKey}`,
    };
    const body = await rejectionOf(service, { ...call, headers });
    expect(body).toMatchObject({ statusCode: 401, path: checkPath() });
  });

  it('is not accepted as an access token, nor an access token as an API key [general.five-api-key-endpoints]', async ({
    service,
  }) => {
    for (const path of [PATHS.userinfo, PATHS.memberships, PATHS.products]) {
      expect((await callWithKey(service, { path })).body).toMatchObject({ error: 'invalid_token' });
    }
    const { access_token } = await publicTokens(service);
    expect((await rejectionOf(service, { key: access_token })).statusCode).toBe(401);
  });
});

/** For each endpoint, a request that passes authentication and validation. */
const CALLS: Record<ApiKeyEndpointName, Omit<ApiKeyRequest, 'key'>> = {
  provisionExternal: {
    path: PATHS.provisionExternal,
    json: { communityId: community.id, externalOrderId: '1', email: 'new@shop.example' },
  },
  inviteLink: { path: PATHS.inviteLink.replace('{externalId}', 'order%201') },
  checkMessenger: { path: checkPath() },
  buyPlan: {
    path: PATHS.buyPlan,
    json: {
      communityId: community.id,
      pricingPlanId: plans.monthly.id,
      externalId: '1',
      email: 'new@shop.example',
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/',
    },
  },
  dropSignup: {
    path: PATHS.dropSignup,
    json: { communityId: community.id, email: 'new@shop.example' },
  },
};
const NAMES = Object.keys(CALLS) as ApiKeyEndpointName[];

describe('API-key surface', () => {
  it('consists of exactly five endpoints, and no other endpoint accepts a key [general.five-api-key-endpoints]', async ({
    service,
  }) => {
    const behindKey = Object.entries(ENDPOINTS).filter(([, { auth }]) => auth.kind === 'api-key');
    expect(behindKey.map(([name]) => name).toSorted()).toEqual(NAMES.toSorted());
    for (const name of NAMES) {
      expect([200, 201, 404], name).toContain((await callWithKey(service, CALLS[name])).status);
    }
    for (const path of [
      '/membership',
      '/membership/',
      '/membership/provision',
      '/api',
      '/api/checkout',
      '/api/keys',
    ]) {
      expect((await rejectionOf(service, { path })).statusCode, path).toBe(404);
    }
  });

  it.for(NAMES)(
    '%s rejects requests without a key, with another method, or without one of its permissions [api-key.missing-key] [api-key.missing-permission] [api-key.two-checks-independent] [api-key.provision-permission] [api-key.invite-link-permission] [api-key.check-messenger-permission] [api-key.buy-plan-permission] [api-key.drop-signup-permission]',
    async (name, { service }) => {
      const { method, auth } = ENDPOINTS[name];
      const call = CALLS[name];
      expect((await rejectionOf(service, { ...call, key: null })).statusCode).toBe(401);
      for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (each) => each !== method,
      )) {
        const answer = await callWithKey(service, { ...call, method: other });
        expect(answer.status, other).toBe(405);
        expect(answer.headers.allow).toBe(method);
        rejectionSchemas.strict.parse(answer.body);
      }
      for (const lacking of auth.permissions) {
        const key = await keyWith(
          service,
          PERMISSIONS.filter((permission) => permission !== lacking),
        );
        expect(await rejectionOf(service, { ...call, key })).toMatchObject({
          statusCode: 403,
          message: expect.stringContaining(lacking),
        });
      }
      const sufficient = await keyWith(service, auth.permissions);
      expect([200, 201, 404]).toContain((await callWithKey(service, { ...call, key: sufficient })).status);
    },
  );

  it.for(NAMES.filter((name) => ENDPOINTS[name].auth.communityRole))(
    '%s rejects a key whose owner has no role in the community, whatever its permissions [api-key.missing-role] [api-key.role-checked] [api-key.two-checks-independent]',
    async (name, { service }) => {
      const { operator } = service.server;
      await operator.grantProvisioning(users.ben.id);
      const key = await keyWith(service, PERMISSIONS, users.ben.id);
      expect(await rejectionOf(service, { ...CALLS[name], key })).toMatchObject({ statusCode: 403 });
      await operator.assignRole({ communityId: community.id, userId: users.ben.id, role: 'ADMIN' });
      expect([200, 201]).toContain((await callWithKey(service, { ...CALLS[name], key })).status);
    },
  );
});

describe('text of an API key', () => {
  it('is shown once at creation, stored as a hash and never logged [api-key.shown-once] [api-key.stored-as-hash]', async () => {
    const database = await databaseUnderTest();
    const service = await startService({ database });
    const { operator } = service.server;
    const made = await operator.createApiKey({
      ownerId: users.dana.id,
      name: 'Told once',
      permissions: ['MEMBERSHIP_READ'],
    });
    expect((await callWithKey(service, { path: checkPath(), key: made.key })).status).toBe(200);
    expect((await callWithKey(service, { path: `${checkPath()}/x`, key: made.key })).status).toBe(404);
    const running = await everythingStored(database);
    await service.server.close();
    const stored = Buffer.concat([running, await everythingStored(database)]);
    expect(stored.includes('Told once')).toBe(true);
    for (const key of [made.key, apiKey]) {
      expect(stored.includes(key.slice('svc_'.length))).toBe(false);
      expect(stored.includes(createHash('sha256').update(key).digest('hex'))).toBe(true);
      expect(service.log.join('\n')).not.toContain(key);
    }
  });

  it('is rejected once its owner is deleted', async () => {
    const database = await databaseUnderTest();
    const service = await startService({ database });
    const key = await keyWith(service, ['MEMBERSHIP_READ'], users.ben.id);
    await service.server.operator.assignRole({
      communityId: community.id,
      userId: users.ben.id,
      role: 'ADMIN',
    });
    expect((await callWithKey(service, { path: checkPath(), key })).status).toBe(200);
    const db = await openDatabase(database);
    await db.deleteFrom('users').where('id', '=', users.ben.id).execute();
    await db.destroy();
    expect((await rejectionOf(service, { key })).statusCode).toBe(401);
    await service.server.close();
  });
});

describe('order of the checks', () => {
  it('is key, fields, permission, community, role [api-key.two-checks-independent] [api-key.missing-permission] [api-key.missing-role] [api-key.status-validation] [api-key.status-not-found] [api-key.check-messenger-permission]', async ({
    service,
  }) => {
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

  it('uses the current role of the owner: granted, revoked or deactivated [api-key.role-checked] [api-key.administered-communities] [api-key.belongs-to-user]', async ({
    service,
  }) => {
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
  it('accepts only its own method, sends no CORS headers and has no rate limit [api-key.no-rate-limit]', async ({
    service,
  }) => {
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
    const head = [`POST ${path} HTTP/1.1`, 'Host: service', 'Content-Type: application/json'];
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
      [400, 'The body is not UTF-8, whatever it says.', { bytes: Buffer.from(`{"email":"\xff"}`, 'latin1') }],
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

  it("of an endpoint has errorCode, message and the request's trace id, but no data [envelope.endpoint-failure] [envelope.data-absent-on-failure] [envelope.error-code-format] [envelope.error-code-known-values] [envelope.message-on-failure] [envelope.correlation-key-presence] [envelope.log-url-presence]", async ({
    service,
  }) => {
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

  it('contains the log URL only when the log base URL and a trace id are present [envelope.log-url-presence]', async ({
    onTestFinished,
  }) => {
    const service = await startService({ logUrl: 'https://logs.example/search?trace={traceId}#all' });
    onTestFinished(() => service.server.close());
    const traced = await callWithKey(service, { ...unknownCommunity, headers });
    expect(envelopeFailureSchemas(['not_found']).strict.parse(traced.body)).toMatchObject({
      logUrl: `https://logs.example/search?trace=${TRACE_ID}#all`,
    });
    expect((await callWithKey(service, unknownCommunity)).body).not.toHaveProperty('logUrl');
  });

  it('of an internal error is 500 in the envelope and reveals nothing [api-key.status-server-failure]', async ({
    onTestFinished,
  }) => {
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
  it('are fixed at its creation, and the private permission is for vetted partners only [api-key.permissions-fixed] [api-key.selectable-permissions] [api-key.private-permission] [provision.private]', async ({
    service,
  }) => {
    const { operator } = service.server;
    const create = (ownerId: string) =>
      operator.createApiKey({ ownerId, name: 'All', permissions: PERMISSIONS });
    await expect(create(users.ben.id)).rejects.toMatchObject({ code: 'invalid_input' });
    const selectable = PERMISSIONS.filter((permission) => permission !== 'MEMBERSHIP_PROVISION');
    await expect(keyWith(service, selectable, users.ben.id)).resolves.toBeDefined();
    await operator.grantProvisioning(users.ben.id);
    await expect(create(users.ben.id)).resolves.toBeDefined();
    expect(Object.keys(operator).filter((name) => /key/i.test(name))).toEqual([
      'createApiKey',
      'revokeApiKey',
    ]);
  });
});
