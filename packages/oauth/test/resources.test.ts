import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fetchMemberships, fetchProducts, fetchUserIdentity, type OAuthService } from '../src/index.js';
import { cannedService, onlyRequest } from './canned-service.js';

const request = { accessToken: 'the-access-token' };
const USER = { sub: '0f3c0a54-6a5f-4c1e-9d3b-2f1f6f4f6a10', email: 'ada@example.com' };
const MEMBERSHIP = {
  id: '6b8ea5d2-1c66-4a53-8d3c-1a4a2c3e7f11',
  productType: 'community',
  isActive: true,
  validFrom: '2026-01-01T00:00:00.000Z',
  validUntil: '2026-02-01T00:00:00.000Z',
};
const PRODUCT = {
  id: '7c9fb6e3-2d77-4b64-9e4d-2b5b3d4f8022',
  name: 'Roasting at home',
  slug: 'roasting-at-home',
  type: 'course',
};

const readers: [string, (service: OAuthService) => Promise<unknown>, unknown][] = [
  ['/oauth/userinfo', (service) => fetchUserIdentity(service, request), USER],
  ['/oauth/memberships', (service) => fetchMemberships(service, request), { memberships: [MEMBERSHIP] }],
  ['/oauth/products', (service) => fetchProducts(service, request), { products: [PRODUCT] }],
];

describe.each(readers)('GET %s', (path, read, body) => {
  it('sends the access token as bearer', {
    tags: ['userinfo.bearer', 'memberships.bearer', 'products.bearer'],
  }, async () => {
    const service = await cannedService({ status: 200, body });
    await read(service.asConfidential);
    const { method, url, headers } = onlyRequest(service);
    expect([method, url]).toEqual(['GET', path]);
    expect(headers.authorization).toBe('Bearer the-access-token');
  });

  it('rejects with `invalid_token` for a token that the service rejects', {
    tags: ['userinfo.invalid-token', 'memberships.invalid-token', 'products.invalid-token'],
  }, async () => {
    const service = await cannedService({
      status: 401,
      body: { error: 'invalid_token', error_description: 'The access token is expired.' },
    });
    const error = await read(service.asPublic).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_token', status: 401 });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('the-access-token');
  });

  it('rejects with `insufficient_scope` for a token without the scope', {
    tags: ['memberships.insufficient-scope', 'products.insufficient-scope', 'oauth-error.insufficient-scope'],
  }, async () => {
    const service = await cannedService({ status: 403, body: { error: 'insufficient_scope' } });
    await expect(read(service.asPublic)).rejects.toMatchObject({ code: 'insufficient_scope', status: 403 });
  });

  it.each([
    [401, 'invalid_token'],
    [403, 'insufficient_scope'],
  ])(
    'maps a %i whose body names no known error to `%s`',
    { tags: ['general.branch-on-status'] },
    async (status, code) => {
      for (const answer of [
        {},
        { statusCode: status, message: 'No.', error: 'Unauthorized' },
        { error: 7 },
      ]) {
        const service = await cannedService({ status, body: answer });
        await expect(read(service.asPublic)).rejects.toMatchObject({ code, status });
      }
    },
  );

  it('maps a 401 with the page of a proxy to `unreadable_response`', async () => {
    const service = await cannedService({ status: 401, body: '<h1>Sign in to the network</h1>' });
    await expect(read(service.asPublic)).rejects.toMatchObject({ code: 'unreadable_response', status: 401 });
  });

  it.each(['', 'hello', 'null', '[]', '{}', '{"memberships":{},"products":{}}'])(
    'rejects the body %j',
    async (text) => {
      const service = await cannedService({ status: 200, body: text });
      await expect(read(service.asPublic)).rejects.toMatchObject({ code: 'unreadable_response' });
    },
  );
});

describe('fetchUserIdentity', () => {
  it('returns the identity with its unknown fields', {
    tags: ['userinfo.returns-identity', 'versioning.ignore-unknown-fields'],
  }, async () => {
    const service = await cannedService({ status: 200, body: { ...USER, locale: 'en' } });
    await expect(fetchUserIdentity(service.asPublic, request)).resolves.toEqual({ ...USER, locale: 'en' });
  });

  it('accepts a null email address', { tags: ['userinfo.email-nullable'] }, async () => {
    const service = await cannedService({ status: 200, body: { ...USER, email: null } });
    await expect(fetchUserIdentity(service.asPublic, request)).resolves.toEqual({ ...USER, email: null });
  });

  it.each([
    ['no sub', { sub: undefined }],
    ['an empty sub', { sub: '' }],
    ['a sub that is not a string', { sub: 1 }],
  ])('rejects an identity with %s', async (_name, change) => {
    const service = await cannedService({ status: 200, body: { ...USER, ...change } });
    await expect(fetchUserIdentity(service.asPublic, request)).rejects.toMatchObject({
      code: 'unreadable_response',
    });
  });
});

describe('fetchMemberships', () => {
  it('returns the whole list', {
    tags: ['memberships.list-shape', 'memberships.not-paginated'],
  }, async () => {
    const memberships = [MEMBERSHIP, { ...MEMBERSHIP, productType: 'digital_product' }];
    const service = await cannedService({ status: 200, body: { memberships } });
    await expect(fetchMemberships(service.asPublic, request)).resolves.toEqual(memberships);
  });

  it('returns an empty list for a user without access', {
    tags: ['memberships.empty-means-no-access'],
  }, async () => {
    const service = await cannedService({ status: 200, body: { memberships: [] } });
    await expect(fetchMemberships(service.asPublic, request)).resolves.toEqual([]);
  });

  it.each([
    ['lifetime access without validUntil', { validUntil: undefined }],
    ['lifetime access with a null validUntil', { validUntil: null }],
    ['an unknown productType', { productType: 'newsletter' }],
    ['an unknown field', { seats: 3 }],
  ])(
    'accepts %s',
    { tags: ['memberships.valid-until', 'versioning.ignore-unknown-fields'] },
    async (_name, change) => {
      const service = await cannedService({
        status: 200,
        body: { memberships: [{ ...MEMBERSHIP, ...change }] },
      });
      const expected = JSON.parse(JSON.stringify({ ...MEMBERSHIP, ...change }));
      await expect(fetchMemberships(service.asPublic, request)).resolves.toEqual([expected]);
    },
  );

  it.each([
    ['that is null', null],
    ['without an id', { ...MEMBERSHIP, id: undefined }],
    ['that is not active', { ...MEMBERSHIP, isActive: false }],
    ['whose isActive is not a boolean', { ...MEMBERSHIP, isActive: 'true' }],
    ['whose validUntil is a number', { ...MEMBERSHIP, validUntil: 4_102_444_800_000 }],
    ['whose validUntil is empty', { ...MEMBERSHIP, validUntil: '' }],
    ['whose validUntil is not ISO-8601', { ...MEMBERSHIP, validUntil: 'until 2099' }],
    ['whose validUntil is an impossible date', { ...MEMBERSHIP, validUntil: '2099-13-01' }],
    ['whose validUntil is an impossible day', { ...MEMBERSHIP, validUntil: '2099-02-31T00:00:00Z' }],
  ])('omits a membership %s, and returns the others', async (_name, membership) => {
    const service = await cannedService({ status: 200, body: { memberships: [membership, MEMBERSHIP] } });
    await expect(fetchMemberships(service.asPublic, request)).resolves.toEqual([MEMBERSHIP]);
  });

  it('counts a membership without isActive as active, because the list contains no others', {
    tags: ['memberships.is-active-true'],
  }, async () => {
    const { isActive: _isActive, ...membership } = MEMBERSHIP;
    const service = await cannedService({ status: 200, body: { memberships: [membership] } });
    await expect(fetchMemberships(service.asPublic, request)).resolves.toEqual([MEMBERSHIP]);
  });

  it('has no productType and no validFrom where they are unreadable', async () => {
    const membership = { ...MEMBERSHIP, productType: 7, validFrom: 'yesterday' };
    const service = await cannedService({ status: 200, body: { memberships: [membership] } });
    await expect(fetchMemberships(service.asPublic, request)).resolves.toEqual([
      { ...MEMBERSHIP, productType: undefined, validFrom: undefined },
    ]);
  });
});

describe('fetchProducts', () => {
  it('returns the whole list, including older products without a type', {
    tags: ['products.list-shape', 'products.type'],
  }, async () => {
    const products = [PRODUCT, { ...PRODUCT, type: null }];
    const service = await cannedService({ status: 200, body: { products } });
    await expect(fetchProducts(service.asPublic, request)).resolves.toEqual(products);
  });

  it('omits a product without an id, and keeps one without all else', async () => {
    const products = [{ ...PRODUCT, id: undefined }, null, { id: 'p2', name: 4, slug: {} }, PRODUCT];
    const service = await cannedService({ status: 200, body: { products } });
    await expect(fetchProducts(service.asPublic, request)).resolves.toEqual([
      { id: 'p2', name: undefined, slug: undefined, type: null },
      PRODUCT,
    ]);
  });
});
