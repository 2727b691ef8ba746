import {
  type Membership,
  type Product,
  type TokenPair,
  tokenPairSchemas,
  userIdentitySchemas,
} from '@latchkey/contract';
import { OAUTH_ERROR_CODES } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import {
  anyOAuthErrorSchemas,
  clientIdentityResponseSchemas,
  membershipListSchemas,
  productListSchemas,
  revokeInvalidClientSchemas,
} from '../src/oauth/responses.js';
import { accepts, rejectedPaths, without } from './schema-checks.js';

const uuid = '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90';

describe('a token pair', () => {
  const pair = {
    access_token: 'a',
    refresh_token: 'r',
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'memberships.read products.read',
  } satisfies TokenPair;
  const { strict, loose } = tokenPairSchemas;

  it('has exactly five fields', { tags: ['token.pair-access-token', 'token.pair-refresh-token'] }, () => {
    expect(rejectedPaths(strict, pair)).toEqual([]);
    for (const key of Object.keys(pair)) expect(rejectedPaths(strict, without(pair, key))).toEqual([key]);
    expect(accepts(strict, { ...pair, id_token: 'x' })).toBe(false);
    expect(rejectedPaths(strict, { ...pair, access_token: '', refresh_token: '' })).toEqual([
      'access_token',
      'refresh_token',
    ]);
  });

  it('has the type Bearer and the lifetime 3600 when the service sends it', {
    tags: ['token.pair-token-type', 'token.pair-expires-in'],
  }, () => {
    expect(rejectedPaths(strict, { ...pair, token_type: 'bearer' })).toEqual(['token_type']);
    for (const expires_in of [3599, '3600', null]) {
      expect(rejectedPaths(strict, { ...pair, expires_in })).toEqual(['expires_in']);
    }
  });

  it('has known scopes, separated by single spaces, when the service sends it', {
    tags: ['token.pair-scope'],
  }, () => {
    for (const scope of ['', 'openid', 'memberships.read,products.read', 'memberships.read  products.read']) {
      expect(rejectedPaths(strict, { ...pair, scope })).toEqual(['scope']);
    }
  });

  it('can have another lifetime, new scopes and new fields for a caller', {
    tags: ['versioning.ignore-unknown-fields'],
  }, () => {
    const grown = { ...pair, token_type: 'bearer', expires_in: 60, scope: 'orders.read', issued_at: 5 };
    expect(loose.parse(grown)).toEqual(grown);
    expect(rejectedPaths(loose, { ...pair, token_type: 'mac' })).toEqual(['token_type']);
    expect(rejectedPaths(loose, { ...pair, expires_in: 0 })).toEqual(['expires_in']);
  });
});

describe('a user identity', () => {
  it('has a uuid, and an email or null', { tags: ['userinfo.sub', 'userinfo.email-nullable'] }, () => {
    expect(rejectedPaths(userIdentitySchemas.strict, { sub: uuid, email: 'ada@example.com' })).toEqual([]);
    expect(rejectedPaths(userIdentitySchemas.strict, { sub: uuid, email: null })).toEqual([]);
    expect(rejectedPaths(userIdentitySchemas.strict, { sub: uuid })).toEqual(['email']);
    expect(rejectedPaths(userIdentitySchemas.strict, { sub: '7', email: null })).toEqual(['sub']);
    expect(rejectedPaths(userIdentitySchemas.strict, { sub: uuid.toUpperCase(), email: null })).toEqual([
      'sub',
    ]);
  });

  it('always has a sub for a caller', { tags: ['userinfo.sub-is-the-key'] }, () => {
    expect(rejectedPaths(userIdentitySchemas.loose, { sub: uuid, locale: 'en' })).toEqual([]);
    expect(rejectedPaths(userIdentitySchemas.loose, { email: 'ada@example.com' })).toEqual(['sub']);
  });
});

describe('the list of memberships', () => {
  const membership = {
    id: uuid,
    productType: 'community',
    isActive: true,
    validFrom: '2026-01-01T00:00:00.000Z',
    validUntil: '2026-02-01T00:00:00.000Z',
  } satisfies Membership;
  const list = (fields: object) => ({ memberships: [{ ...membership, ...fields }] });
  const { strict, loose } = membershipListSchemas;

  it('is an object with an array, empty without access', {
    tags: ['memberships.list-shape', 'memberships.empty-means-no-access'],
  }, () => {
    expect(rejectedPaths(strict, { memberships: [] })).toEqual([]);
    expect(rejectedPaths(strict, list({}))).toEqual([]);
    expect(accepts(strict, [])).toBe(false);
    expect(accepts(strict, { memberships: [], next: null })).toBe(false);
  });

  it('has four known product types, and a caller accepts others', {
    tags: ['memberships.product-type'],
  }, () => {
    for (const productType of ['community', 'digital_product', 'clipping_campaign', 'agency']) {
      expect(rejectedPaths(strict, list({ productType }))).toEqual([]);
    }
    expect(rejectedPaths(strict, list({ productType: 'event' }))).toEqual(['memberships.0.productType']);
    expect(rejectedPaths(loose, list({ productType: 'event' }))).toEqual([]);
  });

  it('contains active memberships only', {
    tags: ['memberships.is-active-true', 'memberships.active-only'],
  }, () => {
    expect(rejectedPaths(strict, list({ isActive: false }))).toEqual(['memberships.0.isActive']);
    expect(rejectedPaths(loose, list({ isActive: false }))).toEqual([]);
  });

  it('has no validUntil, or null, for lifetime access', { tags: ['memberships.valid-until'] }, () => {
    for (const view of [strict, loose]) {
      expect(rejectedPaths(view, list({ validUntil: null }))).toEqual([]);
      expect(rejectedPaths(view, { memberships: [without(membership, 'validUntil')] })).toEqual([]);
    }
  });

  it('has timestamps with milliseconds and Z, and a caller accepts any ISO-8601', {
    tags: ['memberships.valid-from', 'general.timestamp-format'],
  }, () => {
    expect(rejectedPaths(strict, list({ validFrom: '2026-01-01T00:00:00Z' }))).toEqual([
      'memberships.0.validFrom',
    ]);
    expect(rejectedPaths(loose, list({ validFrom: '2026-01-01T00:00:00Z' }))).toEqual([]);
    expect(rejectedPaths(loose, list({ validFrom: 'yesterday' }))).toEqual(['memberships.0.validFrom']);
  });

  it('has a uuid in every row', { tags: ['memberships.id'] }, () => {
    expect(rejectedPaths(strict, list({ id: 'm1' }))).toEqual(['memberships.0.id']);
  });
});

describe('the list of products', () => {
  const product = {
    id: uuid,
    name: 'Roasting at home',
    slug: 'roasting-at-home',
    type: 'ebook',
  } satisfies Product;
  const list = (fields: object) => ({ products: [{ ...product, ...fields }] });
  const { strict, loose } = productListSchemas;

  it('is an object with an array', { tags: ['products.list-shape'] }, () => {
    expect(rejectedPaths(strict, { products: [] })).toEqual([]);
    expect(rejectedPaths(strict, list({}))).toEqual([]);
  });

  it('has id, name, slug and type in every row', {
    tags: ['products.id', 'products.name', 'products.slug'],
  }, () => {
    for (const key of Object.keys(product)) {
      expect(rejectedPaths(strict, { products: [without(product, key)] })).toEqual([`products.0.${key}`]);
    }
  });

  it('has seven known types or null, and a caller accepts others', { tags: ['products.type'] }, () => {
    for (const type of ['ebook', 'course', 'video', 'audio', 'document', 'consultation', 'other', null]) {
      expect(rejectedPaths(strict, list({ type }))).toEqual([]);
    }
    expect(rejectedPaths(strict, list({ type: 'podcast' }))).toEqual(['products.0.type']);
    expect(rejectedPaths(loose, list({ type: 'podcast' }))).toEqual([]);
  });
});

describe('a client identity', () => {
  const data = { clientId: 'oac_a1b2c3d4e5f60718293a4b5c', name: 'Ember & Oak' };
  const { strict, loose } = clientIdentityResponseSchemas;

  it('has an id and a name, in a success envelope', {
    tags: ['client-identity.client-id', 'client-identity.name', 'client-identity.success-envelope'],
  }, () => {
    expect(rejectedPaths(strict, { success: true, data })).toEqual([]);
    expect(rejectedPaths(strict, { success: true, data: {} })).toEqual(['data.clientId', 'data.name']);
    expect(rejectedPaths(strict, { success: true, data: { ...data, clientId: 'oac_1' } })).toEqual([
      'data.clientId',
    ]);
  });

  it('has no keys for unset values, never null', { tags: ['client-identity.unset-keys-omitted'] }, () => {
    const full = {
      ...data,
      description: 'Coffee',
      logoUrl: 'https://x.example/l.png',
      widgetOriginAllowed: false,
    };
    expect(rejectedPaths(strict, { success: true, data: full })).toEqual([]);
    for (const key of ['description', 'logoUrl', 'widgetOriginAllowed']) {
      expect(rejectedPaths(strict, { success: true, data: { ...data, [key]: null } })).toEqual([
        `data.${key}`,
      ]);
      expect(rejectedPaths(strict, { success: true, data: { ...data, [key]: undefined } })).toEqual([
        `data.${key}`,
      ]);
      expect(rejectedPaths(loose, { success: true, data: { ...data, [key]: null } })).toEqual([]);
    }
  });

  it('has a boolean widgetOriginAllowed, and no other type', {
    tags: ['client-identity.widget-origin-allowed-presence'],
  }, () => {
    for (const widgetOriginAllowed of ['true', 1]) {
      expect(rejectedPaths(loose, { success: true, data: { ...data, widgetOriginAllowed } })).toEqual([
        'data.widgetOriginAllowed',
      ]);
    }
  });
});

describe('an OAuth error body', () => {
  const body = { error: 'invalid_grant', error_description: 'The authorization code is invalid or expired.' };

  it('consists of error and error_description', {
    tags: ['oauth-error.bare-body', 'oauth-error.description'],
  }, () => {
    expect(rejectedPaths(anyOAuthErrorSchemas.strict, body)).toEqual([]);
    expect(rejectedPaths(anyOAuthErrorSchemas.strict, { error: 'invalid_grant' })).toEqual([
      'error_description',
    ]);
    expect(accepts(anyOAuthErrorSchemas.strict, { ...body, success: false })).toBe(false);
  });

  it('has the seven codes of the spec, and server_error', () => {
    expect(OAUTH_ERROR_CODES).toHaveLength(7);
    for (const error of [...OAUTH_ERROR_CODES, 'server_error']) {
      expect(accepts(anyOAuthErrorSchemas.strict, { ...body, error })).toBe(true);
    }
    expect(accepts(anyOAuthErrorSchemas.strict, { ...body, error: 'unauthorized_client' })).toBe(false);
  });

  it('has no description when revoke rejects the credentials', {
    tags: ['revoke.invalid-client-no-description'],
  }, () => {
    expect(accepts(revokeInvalidClientSchemas.strict, { error: 'invalid_client' })).toBe(true);
    expect(
      accepts(revokeInvalidClientSchemas.strict, { error: 'invalid_client', error_description: 'no' }),
    ).toBe(false);
  });

  it('can have an unknown code and no description for a caller', () => {
    expect(accepts(anyOAuthErrorSchemas.loose, { error: 'slow_down', error_uri: 'https://x.example' })).toBe(
      true,
    );
    expect(accepts(anyOAuthErrorSchemas.loose, { error_description: 'nameless' })).toBe(false);
  });
});
