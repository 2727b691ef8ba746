import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import type { RegisterClient } from '../src/index.js';
import { callResource, errorOf, postToken, publicTokens, signedIn } from './authorization-flow.js';
import { it, PUBLIC, START } from './service-under-test.js';

const { users, community, products } = sandboxScenario;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

function client(changes: Partial<RegisterClient> = {}): RegisterClient {
  return {
    type: 'public',
    name: 'Another shop',
    scopes: ['memberships.read'],
    redirectUris: ['https://shop.example/callback'],
    widgetOrigins: ['https://shop.example'],
    ownerId: users.dana.id,
    ...changes,
  };
}

describe('registration of a client', () => {
  it('issues an id, and a secret to a confidential client only', {
    tags: [
      'credentials.client-id-format',
      'credentials.client-secret-format',
      'credentials.client-secret-issued',
    ],
  }, async ({ service }) => {
    const { operator } = service.server;
    const open = await operator.registerClient(client());
    expect(open).toEqual({ clientId: expect.stringMatching(/^oac_[0-9a-f]{24}$/) });
    const confidential = await operator.registerClient(client({ type: 'confidential' }));
    expect(confidential).toEqual({
      clientId: expect.stringMatching(/^oac_[0-9a-f]{24}$/),
      clientSecret: expect.stringMatching(/^ocs_[0-9a-f]{48}$/),
    });
    const { clientId: client_id, clientSecret: client_secret = '' } = confidential;
    const body = { client_id, client_secret, grant_type: 'refresh_token', refresh_token: 'none' };
    expect(await errorOf(await postToken(service, body))).toEqual({ status: 400, error: 'invalid_grant' });
  });

  it('accepts https, and http on loopback addresses', async ({ service }) => {
    const redirectUris = [
      'https://shop.example/callback?a=b',
      'http://localhost:3000/callback',
      'http://shop.localhost/callback',
      'http://127.0.0.1:3000/callback',
      'http://[::1]:3000/callback',
    ];
    await expect(service.server.operator.registerClient(client({ redirectUris }))).resolves.toBeDefined();
  });

  it.for([
    ['http://shop.example/callback'],
    ['https://shop.example/callback#fragment'],
    ['https://shop.example/callback#'],
    ['/callback'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['https://shop.example/a\nb'],
    ['*'],
    [''],
  ])('rejects the redirect URI %j', async ([uri = ''], { service }) => {
    await expect(
      service.server.operator.registerClient(client({ redirectUris: [uri] })),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('redirectUris'),
    });
  });

  it("rejects another client’s hosted callback and the service's other pages, also in later changes", async ({
    service,
  }) => {
    const { operator } = service.server;
    const { clientId } = await operator.registerClient(client({ hostedCallback: true }));
    for (const path of [
      `/widget/callback/${PUBLIC}`,
      `/widget/callback/${PUBLIC}/`,
      `/widget/callback/../callback/${PUBLIC}`,
      `/widget/callback/${clientId}?next=1`,
      '/account',
    ]) {
      const redirectUris = [`${service.baseUrl}${path}`];
      await expect(operator.registerClient(client({ redirectUris }))).rejects.toThrow(/callback/);
      await expect(operator.change('clients', clientId, { redirectUris })).rejects.toThrow(/callback/);
    }
    const own = [`${service.baseUrl}/widget/callback/${clientId}`];
    await expect(operator.change('clients', clientId, { redirectUris: own })).resolves.toEqual({ clientId });
  });

  it.for([
    ['an address that browsers resolve against the service', 'https:/widget/callback/oac_x'],
    ['an address without its two slashes', 'https:shop.example/callback'],
    ['one slash too many', 'https:///shop.example/callback'],
    ['backslashes', String.raw`https:\\shop.example/callback`],
    ['a user', 'https://user@shop.example/callback'],
    ['characters that a Location header cannot contain', 'https://shop.example/日本'],
    ['a host that adds a directive to the consent page’s policy', 'https://shop;sandbox/callback'],
    ['a host that ends the consent page’s policy', 'https://shop,example/callback'],
  ] as const)('rejects a redirect URI with %s', async ([, uri], { service }) => {
    const { operator } = service.server;
    await expect(operator.registerClient(client({ redirectUris: [uri] }))).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('accepts web origins over https, and over http on loopback addresses only, because plain http exposes the code', async ({
    service,
  }) => {
    const { operator } = service.server;
    for (const origin of ['https://shop.example', 'http://localhost:3000', 'http://127.0.0.1:3000']) {
      await expect(operator.registerClient(client({ widgetOrigins: [origin] }))).resolves.toBeDefined();
    }
    for (const origin of [
      'http://shop.example',
      'http://127.0.0.1.evil.example',
      'http://192.168.0.7:3000',
    ]) {
      await expect(operator.registerClient(client({ widgetOrigins: [origin] }))).rejects.toThrow(/https/);
      await expect(operator.change('clients', PUBLIC, { widgetOrigins: [origin] })).rejects.toThrow(/https/);
    }
  });

  it('rejects an invalid origin, scope, logo, name, id and secret', async ({ service }) => {
    const { operator } = service.server;
    for (const wrong of [
      { widgetOrigins: ['https://shop.example/path'] },
      { widgetOrigins: ['*'] },
      { widgetOrigins: ['null'] },
      { scopes: ['admin'] },
      { logoUrl: 'javascript:alert(1)' },
      { name: ' ' },
      { clientId: 'oac_short' },
      { clientSecret: `ocs_${'0'.repeat(48)}` },
      { type: 'confidential', clientSecret: 'short' },
    ] as const satisfies Partial<RegisterClient>[]) {
      await expect(operator.registerClient(client(wrong))).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  it('rejects an id that exists and an owner who does not', async ({ service }) => {
    const { operator } = service.server;
    await expect(operator.registerClient(client({ clientId: PUBLIC }))).rejects.toMatchObject({
      code: 'already_exists',
    });
    await expect(operator.registerClient(client({ ownerId: UNKNOWN }))).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(operator.change('clients', 'oac_unknown', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps the omitted settings on a change', async ({ service }) => {
    const { operator } = service.server;
    await operator.change('clients', PUBLIC, { name: 'New name' });
    await expect(publicTokens(service)).resolves.toMatchObject({ token_type: 'Bearer' });
    const identity = await service.request(`/oauth/client/${PUBLIC}`);
    expect(await identity.json()).toMatchObject({ data: { name: 'New name' } });
  });
});

describe('creation', () => {
  it('of a user requires an unused email address, ignoring case', async ({ service }) => {
    const { operator } = service.server;
    const { id } = await operator.createUser({ email: ' New@Example.com', name: 'New', messengerUserId: 7 });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    for (const taken of [{ email: 'new@example.com' }, { email: 'other@example.com', messengerUserId: 7 }]) {
      await expect(operator.createUser(taken)).rejects.toMatchObject({ code: 'already_exists' });
    }
    await expect(operator.createUser({ email: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('of a community or product requires its owner and a unique id and slug', async ({ service }) => {
    const { operator } = service.server;
    await expect(operator.createCommunity({ name: 'Club', ownerId: UNKNOWN })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(operator.createCommunity({ ...community, ownerId: users.dana.id })).rejects.toMatchObject({
      code: 'already_exists',
    });
    await expect(
      operator.createProduct({ ownerId: users.dana.id, name: 'Again', slug: products.brewGuide.slug }),
    ).rejects.toMatchObject({ code: 'already_exists' });
  });
});

describe('value that the API cannot represent', () => {
  it('is rejected at creation', async ({ service }) => {
    const { operator } = service.server;
    const email = 'new@example.com';
    const product = { ownerId: users.dana.id, name: 'Book', slug: 'book' };
    const grant = { userId: users.ben.id, productType: 'agency' } as const;
    for (const call of [
      () => operator.createUser({ email, id: 'not-a-uuid' }),
      () => operator.createUser({ email, name: ' ' }),
      () => operator.createUser({ email, messengerUserId: 0 }),
      () => operator.createUser({ email, messengerUserId: 1.5 }),
      () => operator.createCommunity({ name: '', ownerId: users.dana.id }),
      () => operator.createCommunity({ id: 'club', name: 'Club', ownerId: users.dana.id }),
      () => operator.createCommunity({ name: 'Club', ownerId: 'nobody' }),
      () => operator.createProduct({ ...product, name: '' }),
      () => operator.createProduct({ ...product, slug: ' ' }),
      () => operator.createProduct({ ...product, id: 'book' }),
      () => operator.grantMembership({ ...grant, id: 'x' }),
      () => operator.grantMembership({ ...grant, validFrom: 0.5 }),
      () => operator.grantMembership({ ...grant, validUntil: Number.POSITIVE_INFINITY }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  it('is normalised where that is unambiguous: ids in lower case', async ({ service }) => {
    const id = 'ABCDEF00-0000-4000-8000-000000000001';
    expect(await service.server.operator.createUser({ email: 'new@example.com', id })).toEqual({
      id: id.toLowerCase(),
    });
  });
});

describe('membership', () => {
  it('of the same target keeps its id and gets the new period', async ({ service }) => {
    const { operator } = service.server;
    const { cleoCommunity } = sandboxScenario.memberships;
    const granted = await operator.grantMembership({
      userId: users.cleo.id,
      productType: 'community',
      communityId: community.id,
    });
    expect(granted.id).toBe(cleoCommunity.id);
    const { access_token } = await publicTokens(service, { email: 'cleo@example.com' });
    const response = await callResource(service, access_token, '/oauth/memberships');
    expect(await response.json()).toEqual({
      memberships: [
        {
          id: cleoCommunity.id,
          productType: 'community',
          isActive: true,
          validFrom: new Date(START).toISOString(),
          validUntil: null,
        },
      ],
    });
  });

  it('may have a kind that names neither community nor product', async ({ service }) => {
    const { operator } = service.server;
    const one = await operator.grantMembership({ userId: users.ben.id, productType: 'agency' });
    const other = await operator.grantMembership({ userId: users.ben.id, productType: 'clipping_campaign' });
    expect(one.id).not.toBe(other.id);
  });

  it('is rejected without a user, a target or a period, and with two targets', async ({ service }) => {
    const { operator } = service.server;
    const grant = { userId: users.ben.id, productType: 'community' } as const;
    const cases = [
      [{ ...grant, userId: UNKNOWN }, 'not_found'],
      [{ ...grant, communityId: UNKNOWN }, 'not_found'],
      [{ ...grant, productId: UNKNOWN }, 'not_found'],
      [{ ...grant, communityId: community.id, productId: products.brewGuide.id }, 'invalid_input'],
      [{ ...grant, validFrom: START, validUntil: START }, 'invalid_input'],
    ] as const;
    for (const [membership, code] of cases) {
      await expect(operator.grantMembership(membership)).rejects.toMatchObject({ code });
    }
    await expect(operator.end('memberships', UNKNOWN)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('end of the sessions of a user', () => {
  it('signs out every browser and every app of this user only', async ({ service }) => {
    const [first, second, other] = [
      await signedIn(service, 'ada@example.com'),
      await signedIn(service, 'ada@example.com'),
      await signedIn(service, 'ben@example.com'),
    ];
    const { access_token } = await publicTokens(service);
    const { operator } = service.server;
    await operator.end('users', (await operator.findUser(' Ada@Example.com ')).id);
    expect((await first.get('/account')).status).toBe(302);
    expect((await second.get('/account')).status).toBe(302);
    expect((await other.get('/account')).status).toBe(200);
    expect((await callResource(service, access_token)).status).toBe(401);
  });

  it('is rejected for an unknown address', async ({ service }) => {
    await expect(service.server.operator.findUser('nobody@example.com')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
