import { ENDPOINTS, oauthErrorSchemas, userIdentitySchemas } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { callResource, errorOf, publicTokens } from './authorization-flow.js';
import { it, type ServiceUnderTest, START } from './service-under-test.js';
import { itWithDatabase } from './service-with-database.js';

const { users, community, memberships, products } = sandboxScenario;
const DAY = 24 * 3600_000;

async function membershipsOf(service: ServiceUnderTest, email: string) {
  const { access_token } = await publicTokens(service, { email });
  const response = await callResource(service, access_token, '/oauth/memberships');
  expect(response.status).toBe(200);
  return ENDPOINTS.memberships.success.body.strict.parse(await response.json()).memberships;
}

describe('userinfo', () => {
  it('returns a stable sub and the email address, and needs no scope', {
    tags: ['userinfo.no-scope', 'userinfo.returns-identity', 'userinfo.sub', 'general.uuid-format'],
  }, async ({ service }) => {
    for (const scope of ['memberships.read', 'products.read']) {
      const { access_token } = await publicTokens(service, { scope });
      const response = await callResource(service, access_token);
      expect(response.status).toBe(200);
      expect(userIdentitySchemas.strict.parse(await response.json())).toEqual({
        sub: users.ada.id,
        email: 'ada@example.com',
      });
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });
});

itWithDatabase(
  'userinfo returns null for a user without an email address',
  { tags: ['userinfo.email-nullable'] },
  async ({ service, db }) => {
    const { access_token } = await publicTokens(service);
    await db.updateTable('users').set({ email: null }).where('id', '=', users.ada.id).execute();
    const response = await callResource(service, access_token);
    expect(userIdentitySchemas.strict.parse(await response.json())).toEqual({
      sub: users.ada.id,
      email: null,
    });
  },
);

describe('memberships', () => {
  it('lists every active membership with its period', {
    tags: [
      'memberships.list-shape',
      'memberships.not-paginated',
      'memberships.id',
      'memberships.product-type',
      'memberships.is-active-true',
      'memberships.valid-from',
      'memberships.valid-until',
      'general.timestamp-format',
    ],
  }, async ({ service }) => {
    expect(await membershipsOf(service, 'ada@example.com')).toEqual([
      {
        id: memberships.adaCommunity.id,
        productType: 'community',
        isActive: true,
        validFrom: new Date(START - 90 * DAY).toISOString(),
        validUntil: null,
      },
      {
        id: memberships.adaProduct.id,
        productType: 'digital_product',
        isActive: true,
        validFrom: new Date(START - DAY).toISOString(),
        validUntil: new Date(START + 30 * DAY).toISOString(),
      },
    ]);
  });

  it('is an empty list for a non-member and for an expired membership', {
    tags: ['memberships.empty-means-no-access'],
  }, async ({ service }) => {
    expect(await membershipsOf(service, 'ben@example.com')).toEqual([]);
    expect(await membershipsOf(service, 'cleo@example.com')).toEqual([]);
  });

  it('includes the first instant of a period and excludes its end', {
    tags: ['memberships.active-only'],
  }, async ({ service }) => {
    const { operator } = service.server;
    await operator.grantMembership({
      userId: users.ben.id,
      productType: 'community',
      communityId: community.id,
      validFrom: START + 1000,
      validUntil: START + 2000,
    });
    const counts: number[] = [];
    for (const at of [999, 1000, 1999, 2000]) {
      service.clock.set(START + at);
      counts.push((await membershipsOf(service, 'ben@example.com')).length);
    }
    expect(counts).toEqual([0, 1, 1, 0]);
  });

  it('ends when the operator ends the membership', { tags: ['memberships.active-only'] }, async ({
    service,
  }) => {
    await service.server.operator.end('memberships', memberships.adaCommunity.id);
    expect((await membershipsOf(service, 'ada@example.com')).map(({ id }) => id)).toEqual([
      memberships.adaProduct.id,
    ]);
  });

  it('lists no roles: the owner of a community is not a member of it', async ({ service }) => {
    expect(await membershipsOf(service, 'dana@example.com')).toEqual([]);
  });

  it('lists all of a hundred memberships', { tags: ['memberships.not-paginated'] }, async ({ service }) => {
    const { operator } = service.server;
    for (let index = 0; index < 100; index += 1) {
      const { id } = await operator.createCommunity({ name: `Club ${index}`, ownerId: users.dana.id });
      await operator.grantMembership({ userId: users.ben.id, productType: 'community', communityId: id });
    }
    expect(await membershipsOf(service, 'ben@example.com')).toHaveLength(100);
  });
});

describe('products', () => {
  it('lists the products that the user sells', {
    tags: [
      'products.list-shape',
      'products.created-not-purchased',
      'products.not-paginated',
      'products.id',
      'products.name',
      'products.slug',
      'products.type',
    ],
  }, async ({ service }) => {
    await service.server.operator.createProduct({
      ownerId: users.dana.id,
      name: 'Old leaflet',
      slug: 'old-leaflet',
    });
    const { access_token } = await publicTokens(service, {
      email: 'dana@example.com',
      scope: 'products.read',
    });
    const response = await callResource(service, access_token, '/oauth/products');
    expect(response.status).toBe(200);
    const listed = ENDPOINTS.products.success.body.strict.parse(await response.json()).products;
    // The price is not part of the view.
    const asListed = ({
      id,
      name,
      slug,
      type,
    }: typeof products.roastingCourse | typeof products.brewGuide) => ({
      id,
      name,
      slug,
      type,
    });
    const bySlug = (one: { slug: string }, other: { slug: string }) => one.slug.localeCompare(other.slug);
    expect(listed.sort(bySlug)).toEqual([
      { id: expect.any(String), name: 'Old leaflet', slug: 'old-leaflet', type: null },
      asListed(products.roastingCourse),
      asListed(products.brewGuide),
    ]);
  });

  it('omits the products that the user bought', { tags: ['products.created-not-purchased'] }, async ({
    service,
  }) => {
    const { access_token } = await publicTokens(service, { scope: 'products.read' });
    const response = await callResource(service, access_token, '/oauth/products');
    expect(await response.json()).toEqual({ products: [] });
  });
});

describe('access token of a resource request', () => {
  it.for(['/oauth/userinfo', '/oauth/memberships', '/oauth/products'])(
    'gets 401 invalid_token at %s when it is not valid, without WWW-Authenticate',
    {
      tags: [
        'userinfo.bearer',
        'memberships.bearer',
        'products.bearer',
        'userinfo.invalid-token',
        'memberships.invalid-token',
        'products.invalid-token',
        'oauth-error.invalid-token-missing',
        'oauth-error.invalid-token-unknown',
        'oauth-error.no-www-authenticate',
      ],
    },
    async (path, { service }) => {
      const { access_token, refresh_token } = await publicTokens(service);
      for (const authorization of [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        'Bearer never-issued',
        `Bearer ${refresh_token}`,
        `Bearer ${access_token} more`,
        `Bearer ${access_token}x`,
        `Basic ${access_token}`,
        access_token,
      ]) {
        const headers = authorization === undefined ? {} : { authorization };
        const response = await service.request(path, { headers });
        expect(response.status, authorization).toBe(401);
        oauthErrorSchemas(['invalid_token']).strict.parse(await response.json());
        expect(response.headers.get('www-authenticate')).toBeNull();
      }
      const inQuery = await service.request(`${path}?access_token=${access_token}`);
      expect(await errorOf(inQuery)).toEqual({ status: 401, error: 'invalid_token' });
    },
  );

  it('without the scope of the resource gets 403 insufficient_scope', {
    tags: [
      'memberships.scope',
      'products.scope',
      'memberships.insufficient-scope',
      'products.insufficient-scope',
      'oauth-error.insufficient-scope',
    ],
  }, async ({ service }) => {
    const cases = [
      ['products.read', '/oauth/memberships'],
      ['memberships.read', '/oauth/products'],
    ] as const;
    for (const [scope, path] of cases) {
      const { access_token } = await publicTokens(service, { scope });
      const response = await callResource(service, access_token, path);
      expect(response.status).toBe(403);
      oauthErrorSchemas(['insufficient_scope']).strict.parse(await response.json());
      expect(response.headers.get('www-authenticate')).toBeNull();
    }
  });

  it('is accepted with its scheme in any case', async ({ service }) => {
    const { access_token } = await publicTokens(service);
    for (const scheme of ['bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${access_token}` };
      expect((await service.request('/oauth/userinfo', { headers })).status).toBe(200);
    }
  });
});
