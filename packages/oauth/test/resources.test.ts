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
  it('sends the access token as bearer [userinfo.bearer] [memberships.bearer] [products.bearer]', async () => {
    const service = await cannedService({ status: 200, body });
    await read(service.asConfidential);
    const { method, url, headers } = onlyRequest(service);
    expect([method, url]).toEqual(['GET', path]);
    expect(headers.authorization).toBe('Bearer the-access-token');
  });

  it('rejects with `invalid_token` for a token that the service rejects [userinfo.invalid-token] [memberships.invalid-token] [products.invalid-token]', async () => {
    const service = await cannedService({
      status: 401,
      body: { error: 'invalid_token', error_description: 'The access token is expired.' },
    });
    const error = await read(service.asPublic).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_token', status: 401 });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('the-access-token');
  });

  it('rejects with `insufficient_scope` for a token without the scope [memberships.insufficient-scope] [products.insufficient-scope] [oauth-error.insufficient-scope]', async () => {
    const service = await cannedService({ status: 403, body: { error: 'insufficient_scope' } });
    await expect(read(service.asPublic)).rejects.toMatchObject({ code: 'insufficient_scope', status: 403 });
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
  it('returns the identity with its unknown fields [userinfo.returns-identity] [versioning.ignore-unknown-fields]', async () => {
    const service = await cannedService({ status: 200, body: { ...USER, locale: 'en' } });
    await expect(fetchUserIdentity(service.asPublic, request)).resolves.toEqual({ ...USER, locale: 'en' });
  });

  it('accepts a null email address [userinfo.email-nullable]', async () => {
    const service = await cannedService({ status: 200, body: { ...USER, email: null } });
    await expect(fetchUserIdentity(service.asPublic, request)).resolves.toEqual({ ...USER, email: null });
  });

  it.each([
    ['no sub', { sub: undefined }],
    ['an empty sub', { sub: '' }],
    ['a sub that is not a string', { sub: 1 }],
    ['no email key', { email: undefined }],
    ['an email address that is not a string', { email: {} }],
  ])('rejects an identity with %s', async (_name, change) => {
    const service = await cannedService({ status: 200, body: { ...USER, ...change } });
    await expect(fetchUserIdentity(service.asPublic, request)).rejects.toMatchObject({
      code: 'unreadable_response',
    });
  });
});

describe('fetchMemberships', () => {
  it('returns the whole list [memberships.list-shape] [memberships.not-paginated]', async () => {
    const memberships = [MEMBERSHIP, { ...MEMBERSHIP, productType: 'digital_product' }];
    const service = await cannedService({ status: 200, body: { memberships } });
    await expect(fetchMemberships(service.asPublic, request)).resolves.toEqual(memberships);
  });

  it('returns an empty list for a user without access [memberships.empty-means-no-access]', async () => {
    const service = await cannedService({ status: 200, body: { memberships: [] } });
    await expect(fetchMemberships(service.asPublic, request)).resolves.toEqual([]);
  });

  it.each([
    ['lifetime access without validUntil', { validUntil: undefined }],
    ['lifetime access with a null validUntil', { validUntil: null }],
    ['an unknown productType', { productType: 'newsletter' }],
    ['an unknown field', { seats: 3 }],
  ])('accepts %s [memberships.valid-until] [versioning.ignore-unknown-fields]', async (_name, change) => {
    const service = await cannedService({
      status: 200,
      body: { memberships: [{ ...MEMBERSHIP, ...change }] },
    });
    const expected = JSON.parse(JSON.stringify({ ...MEMBERSHIP, ...change }));
    await expect(fetchMemberships(service.asPublic, request)).resolves.toEqual([expected]);
  });

  it.each([
    ['null', null],
    ['no id', { ...MEMBERSHIP, id: undefined }],
    ['no productType', { ...MEMBERSHIP, productType: null }],
    ['an isActive that is not a boolean', { ...MEMBERSHIP, isActive: 'yes' }],
    ['no validFrom', { ...MEMBERSHIP, validFrom: undefined }],
    ['a validUntil that is not a string', { ...MEMBERSHIP, validUntil: 0 }],
  ])('rejects the whole list for one membership with %s', async (_name, membership) => {
    const service = await cannedService({ status: 200, body: { memberships: [MEMBERSHIP, membership] } });
    await expect(fetchMemberships(service.asPublic, request)).rejects.toMatchObject({
      code: 'unreadable_response',
    });
  });
});

describe('fetchProducts', () => {
  it('returns the whole list, including older products without a type [products.list-shape] [products.type]', async () => {
    const products = [PRODUCT, { ...PRODUCT, type: null }];
    const service = await cannedService({ status: 200, body: { products } });
    await expect(fetchProducts(service.asPublic, request)).resolves.toEqual(products);
  });

  it.each([
    ['no id', { id: undefined }],
    ['no name', { name: undefined }],
    ['no slug', { slug: 4 }],
    ['no type key', { type: undefined }],
  ])('rejects the whole list for one product with %s', async (_name, change) => {
    const service = await cannedService({ status: 200, body: { products: [{ ...PRODUCT, ...change }] } });
    await expect(fetchProducts(service.asPublic, request)).rejects.toMatchObject({
      code: 'unreadable_response',
    });
  });
});
