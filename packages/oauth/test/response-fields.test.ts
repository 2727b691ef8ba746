import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import {
  exchangeCode,
  fetchClientIdentity,
  fetchMemberships,
  fetchProducts,
  fetchUserIdentity,
  isOAuthClientError,
  type OAuthService,
  refreshTokenSet,
} from '../src/index.js';
import { CLIENT_ID, TOKEN_PAIR } from './canned-service.js';

type Json = Record<string, unknown>;
/** Returns the value of a field in a result, for the value in the response. */
type Reading = (received: unknown) => unknown;

const text: Reading = (value) => (typeof value === 'string' && value !== '' ? value : undefined);
const textOrNull: Reading = (value) => text(value) ?? null;
const ISO = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-][\d:]+)?)?$/;
const time: Reading = (value) =>
  typeof value === 'string' && ISO.test(value) && Number.isFinite(Date.parse(value)) ? value : undefined;

const accessToken = 'the-access-token';
const exchange = {
  code: 'the-code',
  redirectUri: 'https://shop.example/auth/callback',
  codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  scopes: ['memberships.read'],
};
const MEMBERSHIP = {
  id: '6b8ea5d2-1c66-4a53-8d3c-1a4a2c3e7f11',
  productType: 'community',
  isActive: true,
  validFrom: '2026-01-01T00:00:00.000Z',
  validUntil: '2026-02-01T00:00:00.000Z',
};
const PRODUCT = { id: 'p1', name: 'Roasting at home', slug: 'roasting-at-home', type: 'course' };
const IDENTITY = {
  clientId: CLIENT_ID,
  name: 'Ember & Oak',
  description: 'Coffee, roasted on Tuesdays',
  logoUrl: 'https://shop.example/logo.svg',
};

/** The service at whose endpoints every response has this body. */
function serviceSending(body: string, { status = 200, headers = {} } = {}): OAuthService {
  return {
    serviceUrl: 'https://service.example',
    clientId: CLIENT_ID,
    clock: { now: () => 1000 },
    fetch: async () => new Response(body, { status, headers }),
  };
}

interface ReaderUnderTest {
  call(service: OAuthService): Promise<unknown>;
  /** A complete record. */
  record: Json;
  required: readonly string[];
  /** Fields of the record without which the call succeeds. */
  optional: readonly string[];
  /** Places the record in a response body. */
  place(record: unknown): unknown;
  /** The documented result for a record, which is `undefined` if the list omits it. */
  result(record: Json): unknown;
  /** True for a list, which omits unreadable records instead of failing. */
  isList?: boolean;
}

const SCOPES: Reading = (value) =>
  typeof value === 'string' ? value.split(/[ ,]+/).filter(Boolean) : exchange.scopes;
const lifetimeOf = (value: unknown): number => {
  const seconds = typeof value === 'string' ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds <= 2 ** 31 ? seconds : 3600;
};
const tokenSet = (pair: Json, kept?: string) => ({
  accessToken: pair.access_token,
  refreshToken: text(pair.refresh_token) ?? kept,
  expiresAt: 1000 + lifetimeOf(pair.expires_in) * 1000,
  scopes: SCOPES(pair.scope),
});
const isOtherType = (value: unknown) => typeof value === 'string' && value !== '' && !/^bearer$/i.test(value);

/** The tables of "Fields of a response" in README.md. */
const READERS: Record<string, ReaderUnderTest> = {
  exchangeCode: {
    call: (service) => exchangeCode(service, exchange),
    record: TOKEN_PAIR,
    required: ['access_token'],
    optional: ['refresh_token', 'token_type', 'expires_in', 'scope'],
    place: (record) => record,
    result: (record) => tokenSet(record),
  },
  refreshTokenSet: {
    call: (service) => refreshTokenSet(service, { refreshToken: 'old', scopes: exchange.scopes }),
    record: TOKEN_PAIR,
    required: ['access_token'],
    optional: ['refresh_token', 'token_type', 'expires_in', 'scope'],
    place: (record) => record,
    result: (record) => tokenSet(record, 'old'),
  },
  fetchUserIdentity: {
    call: (service) => fetchUserIdentity(service, { accessToken }),
    record: { sub: '0f3c0a54-6a5f-4c1e-9d3b-2f1f6f4f6a10', email: 'ada@example.com' },
    required: ['sub'],
    optional: ['email'],
    place: (record) => record,
    result: (record) => ({ ...record, email: textOrNull(record.email) }),
  },
  fetchMemberships: {
    call: async (service) => (await fetchMemberships(service, { accessToken }))[0],
    record: MEMBERSHIP,
    required: ['id'],
    optional: ['productType', 'isActive', 'validFrom', 'validUntil'],
    place: (record) => ({ memberships: [record] }),
    result: (record) => {
      const { isActive, validUntil } = record;
      const isLifetime = validUntil === undefined || validUntil === null;
      if (![undefined, null, true].includes(isActive as boolean)) return undefined;
      if (!isLifetime && time(validUntil) === undefined) return undefined;
      return {
        ...record,
        productType: text(record.productType),
        isActive: true,
        validFrom: time(record.validFrom),
      };
    },
    isList: true,
  },
  fetchProducts: {
    call: async (service) => (await fetchProducts(service, { accessToken }))[0],
    record: PRODUCT,
    required: ['id'],
    optional: ['name', 'slug', 'type'],
    place: (record) => ({ products: [record] }),
    result: (record) => ({
      ...record,
      name: text(record.name),
      slug: text(record.slug),
      type: textOrNull(record.type),
    }),
    isList: true,
  },
  fetchClientIdentity: {
    call: (service) => fetchClientIdentity(service),
    record: IDENTITY,
    required: [],
    optional: ['name', 'description', 'logoUrl', 'widgetOriginAllowed'],
    place: (record) => ({ success: true, data: record }),
    result: (record) => ({
      ...record,
      name: text(record.name),
      description: text(record.description),
      logoUrl: text(record.logoUrl),
      widgetOriginAllowed:
        typeof record.widgetOriginAllowed === 'boolean' ? record.widgetOriginAllowed : undefined,
    }),
  },
};

/** Any JSON value, or `undefined`, which JSON omits. */
const anyValue = fc.oneof(
  fc.constantFrom(undefined, null, '', 'x', 0, -1, 7, 1e300, '60', [7], 0.5, true, false, 'true', [], {}),
  fc.constantFrom('bearer', 'BEARER', '2026-01-01', '2026-01-01T00:00:00+02:00', 'until 2099', 'May 2099'),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Records with some of the fields replaced, unknown fields added, and all fields in any order. */
function changed(record: Json, fields: readonly string[]): fc.Arbitrary<Json> {
  const changes = fc.record(
    Object.fromEntries(fields.map((key) => [key, fc.oneof(fc.constant(record[key]), anyValue)])),
  );
  const added = fc.dictionary(
    fc.string({ minLength: 1 }).filter((key) => !(key in record) && key !== '__proto__'),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  );
  return (
    fc
      .tuple(changes, added)
      .map(([replaced, extra]): Json => ({ ...record, ...replaced, ...extra }))
      // An explicit other type is no bearer token (RFC 6749 section 7.1), which its own test covers.
      .filter(({ token_type: type }) => !isOtherType(type))
      .chain((all) => {
        const entries = Object.entries(all).filter(([, value]) => value !== undefined);
        return fc.shuffledSubarray(entries, { minLength: entries.length });
      })
      .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))))
  );
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    (result) => expect.unreachable(`The call returned ${JSON.stringify(result)}.`),
    (error: unknown) => (isOAuthClientError(error) ? error.code : error),
  );

describe.each(Object.entries(READERS))('%s', (_name, reader) => {
  const { call, record, required, optional, place, result, isList = false } = reader;

  it('succeeds without, and with any value of, each field that is not required', {
    tags: ['versioning.ignore-unknown-fields'],
  }, async () => {
    const statuses = fc.constantFrom(200, 201, 202, 299);
    await fc.assert(
      fc.asyncProperty(changed(record, optional), statuses, async (data, status) => {
        const service = serviceSending(JSON.stringify(place(data)), { status });
        expect(await call(service)).toEqual(result(data));
      }),
      fuzzRuns(100),
    );
  });

  it.each(required)('never succeeds without a readable %s', async (field) => {
    const unreadable = anyValue.filter((value) => text(value) === undefined);
    await fc.assert(
      fc.asyncProperty(changed(record, optional), unreadable, async (data, value) => {
        const calling = call(serviceSending(JSON.stringify(place({ ...data, [field]: value }))));
        if (isList) expect(await calling).toBeUndefined();
        else expect(await failureOf(calling)).toBe('unreadable_response');
      }),
      fuzzRuns(100),
    );
  });

  it('never succeeds without a record', async () => {
    const values = fc.jsonValue({ maxDepth: 2 }).filter((value) => !isRecord(value));
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const calling = call(serviceSending(JSON.stringify(place(value))));
        if (isList) expect(await calling).toBeUndefined();
        else expect(await failureOf(calling)).toBe('unreadable_response');
      }),
      fuzzRuns(100),
    );
  });

  it('reads the last one of repeated keys, as JSON.parse does', async () => {
    const repeated = Object.keys(record).map((key) => `${JSON.stringify(key)}:{"a":[1]}`);
    const body = JSON.stringify(place('RECORD')).replace(
      '"RECORD"',
      `{${repeated.join(',')},${JSON.stringify(record).slice(1)}`,
    );
    expect(await call(serviceSending(body))).toEqual(result(record));
  });

  it('accepts unknown fields with deep nesting and huge numbers', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const body = JSON.stringify(place('RECORD')).replace(
      '"RECORD"',
      `{"deep":${deep},"huge":1e999,${JSON.stringify(record).slice(1, -1)},"more":${deep}}`,
    );
    expect(await call(serviceSending(body))).toMatchObject(result(record) as object);
  });

  it('ignores __proto__ keys', async () => {
    const proto = '{"__proto__":{"isActive":true,"id":"x","widgetOriginAllowed":true,"polluted":1},';
    const body = JSON.stringify(place(record)).replaceAll('{', proto);
    const received = await call(serviceSending(body));
    expect(received).toEqual(result(record));
    expect(Object.getPrototypeOf(received)).toBe(Object.prototype);
    expect(Object.keys(received as object)).not.toContain('__proto__');
    expect(Object.assign({}, received)).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });

  it.each(['application/json; charset=utf-8', 'text/json', 'text/html', 'application/octet-stream', ''])(
    'accepts the content type "%s", and a byte order mark',
    async (type) => {
      const body = `\ufeff${JSON.stringify(place(record))}`;
      const service = serviceSending(body, { headers: { 'content-type': type } });
      expect(await call(service)).toEqual(result(record));
    },
  );
});

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('a token pair', () => {
  const pairWith = (change: object) =>
    exchangeCode(serviceSending(JSON.stringify({ ...TOKEN_PAIR, ...change })), exchange);

  it('of another type is rejected, because this package sends Bearer (RFC 6749 section 7.1)', async () => {
    const others = fc
      .oneof(fc.constantFrom('DPoP', 'mac', 'N_A'), fc.string({ minLength: 1 }))
      .filter(isOtherType);
    await fc.assert(
      fc.asyncProperty(others, async (type) => {
        expect(await failureOf(pairWith({ token_type: type }))).toBe('unreadable_response');
      }),
      fuzzRuns(100),
    );
  });

  it('without scope has the requested scopes, and none if the caller does not pass them', async () => {
    const body = JSON.stringify({ access_token: 'a' });
    const { scopes: _scopes, ...without } = exchange;
    expect((await exchangeCode(serviceSending(body), exchange)).scopes).toEqual(['memberships.read']);
    expect((await exchangeCode(serviceSending(body), without)).scopes).toEqual([]);
    expect((await refreshTokenSet(serviceSending(body), { refreshToken: 'old' })).scopes).toEqual([]);
  });

  it('with an empty scope has no scopes', async () => {
    expect((await pairWith({ scope: '' })).scopes).toEqual([]);
  });
});

describe('a list', () => {
  it('contains all readable memberships, whatever the others contain', async () => {
    const others = fc.array(fc.oneof(anyValue, changed(MEMBERSHIP, ['id', 'isActive', 'validUntil'])));
    await fc.assert(
      fc.asyncProperty(others, others, async (before, after) => {
        const body = JSON.stringify({ memberships: [...before, { ...MEMBERSHIP, id: 'mine' }, ...after] });
        const memberships = await fetchMemberships(serviceSending(body), { accessToken });
        expect(memberships).toContainEqual({ ...MEMBERSHIP, id: 'mine' });
        for (const { isActive, validUntil } of memberships) {
          expect(isActive).toBe(true);
          expect([undefined, null, time(validUntil)]).toContain(validUntil);
        }
      }),
      fuzzRuns(100),
    );
  });

  it.each([{ memberships: {} }, { memberships: null }, {}, { memberships: 'none' }])(
    'must be an array: %o fails, because it is not known that there is no membership',
    async (body) => {
      const service = serviceSending(JSON.stringify(body));
      expect(await failureOf(fetchMemberships(service, { accessToken }))).toBe('unreadable_response');
    },
  );
});

describe('a client identity', () => {
  const identity = (data: unknown, widgetOrigin?: string) =>
    fetchClientIdentity(serviceSending(JSON.stringify({ data })), { widgetOrigin });

  it('has the requested clientId if the response repeats none, or repeats it in another letter case', async () => {
    const ids = [undefined, null, 7, '', CLIENT_ID.toUpperCase()];
    for (const clientId of ids) {
      expect(await identity({ ...IDENTITY, clientId })).toMatchObject({ clientId: CLIENT_ID });
    }
  });

  it('of another client is rejected', async () => {
    const clientId = 'oac_0123456789abcdef01234567';
    expect(await failureOf(identity({ ...IDENTITY, clientId }))).toBe('unreadable_response');
  });

  it('must repeat the clientId exactly if it decides about an origin', {
    tags: ['client-identity.origin-must-be-allowed'],
  }, async () => {
    const allowed = { ...IDENTITY, widgetOriginAllowed: true };
    const origin = 'https://shop.example';
    expect(await identity(allowed, origin)).toEqual(allowed);
    for (const clientId of [
      undefined,
      null,
      7,
      '',
      CLIENT_ID.toUpperCase(),
      'oac_0123456789abcdef01234567',
    ]) {
      expect(await failureOf(identity({ ...allowed, clientId }, origin))).toBe('unreadable_response');
    }
  });

  it('allows an origin only with true', { tags: ['client-identity.origin-must-be-allowed'] }, async () => {
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        const { widgetOriginAllowed } = await identity(
          { ...IDENTITY, widgetOriginAllowed: value },
          'https://a.example',
        );
        expect(widgetOriginAllowed === true).toBe(value === true);
      }),
      fuzzRuns(100),
    );
  });

  it('is rejected if the envelope reports a failure', async () => {
    const body = JSON.stringify({ success: false, data: IDENTITY });
    expect(await failureOf(fetchClientIdentity(serviceSending(body)))).toBe('unreadable_response');
  });
});
