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
  it('is sent with the access token as bearer [userinfo.bearer] [memberships.bearer] [products.bearer]', async () => {
    const service = await cannedService({ status: 200, body });
    await read(service.asConfidential);
    const { method, url, headers } = onlyRequest(service);
    expect([method, url]).toEqual(['GET', path]);
    expect(headers.authorization).toBe('Bearer the-access-token');
  });

  it('tells a token that the service does not accept [userinfo.invalid-token] [memberships.invalid-token] [products.invalid-token]', async () => {
    const service = await cannedService({
      status: 401,
      body: { error: 'invalid_token', error_description: 'The access token is expired.' },
    });
    const error = await read(service.asPublic).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_token', status: 401 });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('the-access-token');
  });

  it('tells a token that lacks the scope [memberships.insufficient-scope] [products.insufficient-scope] [oauth-error.insufficient-scope]', async () => {
    const service = await cannedService({ status: 403, body: { error: 'insufficient_scope' } });
    await expect(read(service.asPublic)).rejects.toMatchObject({ code: 'insufficient_scope', status: 403 });
  });

  it.each(['', 'hello', 'null', '[]', '{}', '{"memberships":{},"products":{}}'])(
    'refuses the body %j',
    async (text) => {
      const service = await cannedService({ status: 200, body: text });
      await expect(read(service.asPublic)).rejects.toMatchObject({ code: 'unreadable_response' });
    },
  );
});

describe('fetchUserIdentity', () => {
  it('gives the identity with what it does not know [userinfo.returns-identity] [versioning.ignore-unknown-fields]', async () => {
    const service = await cannedService({ status: 200, body: { ...USER, locale: 'en' } });
    await expect(fetchUserIdentity(service.asPublic, request)).resolves.toEqual({ ...USER, locale: 'en' });
  });

  it('takes a null e-mail address [userinfo.email-nullable]', async () => {
    const service = await cannedService({ status: 200, body: { ...USER, email: null } });
    await expect(fetchUserIdentity(service.asPublic, request)).resolves.toEqual({ ...USER, email: null });
  });

  it.each([
    ['no sub', { sub: undefined }],
    ['an empty sub', { sub: '' }],
    ['a sub that is no text', { sub: 1 }],
    ['no e-mail key', { email: undefined }],
    ['an e-mail address that is no text', { email: {} }],
  ])('refuses an identity with %s', async (_what, change) => {
    const service = await cannedService({ status: 200, body: { ...USER, ...change } });
    await expect(fetchUserIdentity(service.asPublic, request)).rejects.toMatchObject({
      code: 'unreadable_response',
    });
  });
});

describe('fetchMemberships', () => {
  it('gives the whole list [memberships.list-shape] [memberships.not-paginated]', async () => {
    const memberships = [MEMBERSHIP, { ...MEMBERSHIP, productType: 'digital_product' }];
    const service = await cannedService({ status: 200, body: { memberships } });
    await expect(fetchMemberships(service.asPublic, request)).resolves.toEqual(memberships);
  });

  it('gives an empty list to who has no access now [memberships.empty-means-no-access]', async () => {
    const service = await cannedService({ status: 200, body: { memberships: [] } });
    await expect(fetchMemberships(service.asPublic, request)).resolves.toEqual([]);
  });

  it.each([
    ['lifetime access without an end', { validUntil: undefined }],
    ['lifetime access with a null end', { validUntil: null }],
    ['a kind of product that is new', { productType: 'newsletter' }],
    ['a field that is new', { seats: 3 }],
  ])('takes %s [memberships.valid-until] [versioning.ignore-unknown-fields]', async (_what, change) => {
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
    ['an isActive that is no boolean', { ...MEMBERSHIP, isActive: 'yes' }],
    ['no validFrom', { ...MEMBERSHIP, validFrom: undefined }],
    ['a validUntil that is no text', { ...MEMBERSHIP, validUntil: 0 }],
  ])('refuses the whole list for one membership with %s', async (_what, membership) => {
    const service = await cannedService({ status: 200, body: { memberships: [MEMBERSHIP, membership] } });
    await expect(fetchMemberships(service.asPublic, request)).rejects.toMatchObject({
      code: 'unreadable_response',
    });
  });
});

describe('fetchProducts', () => {
  it('gives the whole list, older products without a type too [products.list-shape] [products.type]', async () => {
    const products = [PRODUCT, { ...PRODUCT, type: null }];
    const service = await cannedService({ status: 200, body: { products } });
    await expect(fetchProducts(service.asPublic, request)).resolves.toEqual(products);
  });

  it.each([
    ['no id', { id: undefined }],
    ['no name', { name: undefined }],
    ['no slug', { slug: 4 }],
    ['no type key', { type: undefined }],
  ])('refuses the whole list for one product with %s', async (_what, change) => {
    const service = await cannedService({ status: 200, body: { products: [{ ...PRODUCT, ...change }] } });
    await expect(fetchProducts(service.asPublic, request)).rejects.toMatchObject({
      code: 'unreadable_response',
    });
  });
});
