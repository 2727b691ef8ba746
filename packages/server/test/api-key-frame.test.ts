import { createHash } from 'node:crypto';
import { ENDPOINTS, rejectionSchemas } from '@latchkey/contract';
import { PATHS, PERMISSIONS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { openDatabase } from '../src/platform/database/open-database.js';
import { type ApiKeyRequest, callWithKey, checkPath, keyWith, rejectionOf } from './api-key-requests.js';
import { publicTokens } from './authorization-flow.js';
import { everythingStored } from './database/everything-stored.js';
import type { ApiKeyEndpointName } from './malformed-requests.js';
import { databaseUnderTest, it, startService } from './service-under-test.js';

const { users, community, plans, apiKey } = sandboxScenario;
const UNKNOWN_KEY = `svc_${'unknown'.repeat(6)}0`;

describe('API key', () => {
  it('is sent as a bearer token with a case-insensitive scheme and begins with svc_', {
    tags: [
      'api-key.bearer-header',
      'api-key.prefix',
      'api-key.envelope',
      'envelope.success-true',
      'envelope.error-code-absent-on-success',
    ],
  }, async ({ service }) => {
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

  it('is required: a request without one gets 401 in the rejection body', {
    tags: ['api-key.missing-key', 'rejection.before-endpoint', 'api-key.rejected-key-no-error-code'],
  }, async ({ service }) => {
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
    'with %s is malformed and gets 401',
    { tags: ['api-key.malformed-key'] },
    async ([, authorization = ''], { service }) => {
      expect(await rejectionOf(service, { headers: { authorization } })).toMatchObject({
        statusCode: 401,
        message: expect.stringContaining('svc_ and 43 characters'),
      });
    },
  );

  it('is malformed in a repeated header, even when both values are equal', {
    tags: ['api-key.malformed-key'],
  }, async ({ service }) => {
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

  it('that is unknown gets 401, and the response does not repeat the key', {
    tags: ['api-key.unknown-key'],
  }, async ({ service }) => {
    const body = await rejectionOf(service, { key: UNKNOWN_KEY });
    expect(body.statusCode).toBe(401);
    expect(body.message).not.toContain(UNKNOWN_KEY);
  });

  it('is rejected as soon as it is revoked', {
    tags: ['api-key.revoked-key', 'api-key.revocation-immediate'],
  }, async ({ service }) => {
    const { operator } = service.server;
    const ownerId = users.dana.id;
    const { id, key } = await operator.createApiKey({
      ownerId,
      name: 'Old',
      permissions: ['MEMBERSHIP_READ'],
    });
    expect((await callWithKey(service, { path: checkPath(), key })).status).toBe(200);
    await operator.end('keys', id);
    expect((await rejectionOf(service, { key })).statusCode).toBe(401);
  });

  it('is read from no other header, query parameter or cookie', { tags: ['api-key.no-x-api-key'] }, async ({
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

  it('is not accepted as an access token, nor an access token as an API key', {
    tags: ['general.five-api-key-endpoints'],
  }, async ({ service }) => {
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
  it('consists of exactly five endpoints, and no other endpoint accepts a key', {
    tags: ['general.five-api-key-endpoints'],
  }, async ({ service }) => {
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
    '%s rejects requests without a key, with another method, or without one of its permissions',
    {
      tags: [
        'api-key.missing-key',
        'api-key.missing-permission',
        'api-key.two-checks-independent',
        'api-key.provision-permission',
        'api-key.invite-link-permission',
        'api-key.check-messenger-permission',
        'api-key.buy-plan-permission',
        'api-key.drop-signup-permission',
      ],
    },
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
    '%s rejects a key whose owner has no role in the community, whatever its permissions',
    { tags: ['api-key.missing-role', 'api-key.role-checked', 'api-key.two-checks-independent'] },
    async (name, { service }) => {
      const { operator } = service.server;
      await operator.change('users', users.ben.id, { mayProvision: true });
      const key = await keyWith(service, PERMISSIONS, users.ben.id);
      expect(await rejectionOf(service, { ...CALLS[name], key })).toMatchObject({ statusCode: 403 });
      await operator.assignRole({ communityId: community.id, userId: users.ben.id, role: 'ADMIN' });
      expect([200, 201]).toContain((await callWithKey(service, { ...CALLS[name], key })).status);
    },
  );
});

describe('text of an API key', () => {
  it('is shown once at creation, stored as a hash and never logged', {
    tags: ['api-key.shown-once', 'api-key.stored-as-hash'],
  }, async () => {
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
