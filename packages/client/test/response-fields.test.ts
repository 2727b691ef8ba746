import { parseTimestamp } from '@latchkey/contract/constants';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { isLatchkeyApiError, LatchkeyClient } from '../src/index.js';
import { API_KEY } from './scripted-service.js';

type Json = Record<string, unknown>;
/** Returns the value of a field in a result, for the value in the response. */
type Reading = (received: unknown) => unknown;

const text: Reading = (value) => (typeof value === 'string' && value !== '' ? value : undefined);
const time: Reading = (value) =>
  typeof value === 'string' && parseTimestamp(value) !== undefined ? value : undefined;
const flag: Reading = (value) => (typeof value === 'boolean' ? value : undefined);
const count: Reading = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const orNull =
  (reading: Reading): Reading =>
  (value) =>
    value === null ? null : reading(value);

interface EndpointUnderTest {
  call(client: LatchkeyClient): Promise<object>;
  /** Complete `data`. */
  data: Json;
  /** Fields without which the call fails, and the code of its error. */
  required: Record<string, { reading: Reading; code: string }>;
  /** All other fields of the spec. */
  optional: Record<string, Reading>;
}

const COMMUNITY = '5eed0000-0000-4000-8000-0000000000c0';
const SLOT = {
  id: 'slot-1',
  slots: 100,
  slotsUsed: 1,
  availableSlots: 99,
  startsAt: '2026-07-01T18:00:00.000Z',
  endsAt: '2026-07-02T18:00:00.000Z',
  isCurrentlyActive: false,
};
const SLOT_FIELDS: Record<string, Reading> = {
  id: text,
  slots: orNull(count),
  slotsUsed: count,
  availableSlots: orNull(count),
  startsAt: time,
  endsAt: orNull(time),
  isCurrentlyActive: flag,
};

/** The tables of "Fields of a response" in README.md. */
const ENDPOINTS: Record<string, EndpointUnderTest> = {
  provisionExternal: {
    call: (client) =>
      client.provisionExternal({ communityId: COMMUNITY, externalOrderId: 'o', email: 'grace@example.com' }),
    data: {
      membershipId: '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90',
      userId: '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f91',
      validFrom: '2026-06-12T14:05:00.000Z',
      validUntil: '2026-07-12T14:05:00.000Z',
      status: 'created',
    },
    required: { membershipId: { reading: text, code: 'unreadable_answer' } },
    optional: {
      userId: text,
      validFrom: time,
      validUntil: orNull(time),
      status: (value) => (typeof value === 'string' ? value : undefined),
    },
  },
  checkMessenger: {
    call: (client) => client.checkMessenger({ communityId: COMMUNITY, messengerUserId: 1001 }),
    data: { isActive: true, membershipId: '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90' },
    required: { isActive: { reading: flag, code: 'unreadable_answer' } },
    optional: { membershipId: (value) => text(value) ?? null },
  },
  buyPlan: {
    call: (client) =>
      client.buyPlan({
        communityId: COMMUNITY,
        pricingPlanId: COMMUNITY,
        externalId: 'x',
        email: 'grace@example.com',
        successUrl: 'https://shop.example/thanks',
        cancelUrl: 'https://shop.example/cart',
      }),
    data: { checkoutUrl: 'https://pay.example/c/1' },
    required: { checkoutUrl: { reading: text, code: 'failed_in_success' } },
    optional: {},
  },
  inviteLink: {
    call: (client) => client.inviteLink({ externalId: 'x' }),
    data: { link: 'https://chat.example/+abc', expiresAt: '2026-06-13T14:05:00.000Z' },
    required: { link: { reading: text, code: 'unreadable_answer' } },
    optional: { expiresAt: time },
  },
  dropSignup: {
    call: (client) => client.dropSignup({ communityId: COMMUNITY, email: 'grace@example.com' }),
    data: { signedUp: true, hasExistingAccount: false, dropSlotInfo: SLOT },
    required: { signedUp: { reading: flag, code: 'unreadable_answer' } },
    optional: {
      hasExistingAccount: flag,
      dropSlotInfo: (value) => (isObject(value) ? resultOf(value, SLOT_FIELDS) : undefined),
    },
  },
};

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the documented result for `data`: fields of the spec as they are read, and unknown fields unchanged. */
function resultOf(data: Json, readings: Record<string, Reading>): Json {
  const unknown = Object.entries(data).filter(
    ([key]) => !Object.hasOwn(readings, key) && key !== '__proto__',
  );
  const known = Object.entries(readings).map(([key, reading]) => [key, reading(data[key])]);
  return Object.fromEntries([...unknown, ...known]);
}

function clientReceiving(body: string, status = 200): LatchkeyClient {
  return new LatchkeyClient({
    serviceUrl: 'https://service.example',
    apiKey: API_KEY,
    fetch: async () => new Response(body, { status }),
  });
}

/** Any JSON value, or `undefined`, which JSON omits. */
const anyValue = fc.oneof(
  fc.constantFrom(undefined, null, '', 'x', 0, -1, 1e300, true, false, 'true', '2026-02-30', [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Objects with some of the fields replaced, unknown fields added, and all fields in any order. */
function changed(data: Json, changeable: readonly string[]): fc.Arbitrary<Json> {
  const change = (key: string) =>
    key === 'dropSlotInfo'
      ? fc.oneof(fc.constant(SLOT), anyValue, changed(SLOT, Object.keys(SLOT)))
      : fc.oneof(fc.constant(data[key]), anyValue);
  const changes = fc.record(Object.fromEntries(changeable.map((key) => [key, change(key)])));
  const added = fc.dictionary(
    fc.string({ minLength: 1 }).filter((key) => !Object.hasOwn(data, key) && key !== '__proto__'),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  );
  return fc
    .tuple(changes, added)
    .chain(([replaced, extra]) => {
      const entries = Object.entries({ ...data, ...replaced, ...extra }).filter(([, v]) => v !== undefined);
      return fc.shuffledSubarray(entries, { minLength: entries.length });
    })
    .map((entries) => Object.fromEntries(entries));
}

describe.each(Object.entries(ENDPOINTS))('%s', (_name, { call, data, required, optional }) => {
  const readings = {
    ...optional,
    ...Object.fromEntries(Object.entries(required).map(([key, { reading }]) => [key, reading])),
  };

  it('succeeds without, and with any value of, each field that is not required', {
    tags: ['envelope.every-key-optional', 'versioning.ignore-unknown-fields'],
  }, async () => {
    const envelope = fc.record(
      {
        success: fc.constantFrom(true, null, 'yes', 1),
        message: anyValue,
        correlationKey: anyValue,
        logUrl: anyValue,
        errorCode: fc.constantFrom(undefined, null, 7),
      },
      { requiredKeys: [] },
    );
    const responses = fc.tuple(
      changed(data, Object.keys(optional)),
      envelope,
      fc.constantFrom(200, 201, 202),
    );
    await fc.assert(
      fc.asyncProperty(responses, async ([changedData, rest, status]) => {
        const body = JSON.stringify({ ...rest, data: changedData });
        expect(await call(clientReceiving(body, status))).toEqual(
          resultOf(JSON.parse(JSON.stringify(changedData)), readings),
        );
      }),
      fuzzRuns(100),
    );
  });

  it('keeps an unknown field that has the name of a method of objects', async () => {
    const body = JSON.stringify({ success: true, data: { ...data, toString: {}, constructor: 1 } });
    expect(await call(clientReceiving(body))).toEqual(
      resultOf({ ...data, toString: {}, constructor: 1 }, readings),
    );
  });

  it.each(Object.entries(required))('fails without a readable %s', async (key, { reading, code }) => {
    const responses = fc.tuple(
      changed(data, Object.keys(optional)),
      anyValue.filter((value) => reading(value) === undefined),
    );
    await fc.assert(
      fc.asyncProperty(responses, async ([changedData, value]) => {
        const body = JSON.stringify({ success: true, data: { ...changedData, [key]: value } });
        const failure = await call(clientReceiving(body)).then(
          () => expect.unreachable('The call succeeded.'),
          (error: unknown) => error,
        );
        expect(isLatchkeyApiError(failure) && failure.code).toBe(code);
      }),
      fuzzRuns(100),
    );
  });

  it('reads the last one of repeated keys, as JSON.parse does', async () => {
    const entries = Object.entries(data).map(
      ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
    );
    const repeated = Object.keys(data).map((key) => `${JSON.stringify(key)}:{"deep":[1]}`);
    const body = `{"data":7,"data":{${[...repeated, '"x":1', '"x":2', ...entries].join(',')}}}`;
    expect(await call(clientReceiving(body))).toEqual({ ...data, x: 2 });
  });

  it('accepts unknown fields with deep nesting and huge numbers', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const body = `{"data":{"deep":${deep},"huge":1e999,${JSON.stringify(data).slice(1)},"more":${deep}}`;
    expect(await call(clientReceiving(body))).toMatchObject(data);
  });

  it('ignores __proto__ keys', async () => {
    const proto = '"__proto__":{"isActive":true,"membershipId":"m","polluted":1}';
    const body = `{${proto},"data":{${proto},${JSON.stringify(data).slice(1)}}`;
    const result = await call(clientReceiving(body));
    expect(result).toEqual(data);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.keys(result)).not.toContain('__proto__');
    expect(Object.assign({}, result)).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a response that contradicts itself', () => {
  it('is no membership: an inactive check has no membershipId', async () => {
    const body = JSON.stringify({ data: { isActive: false, membershipId: 'm' } });
    const check = clientReceiving(body).checkMessenger({ communityId: COMMUNITY, messengerUserId: 1 });
    expect(await check).toEqual({ isActive: false, membershipId: null });
  });
});

describe('dropSignup', () => {
  it('returns a result without dropSlotInfo, for an address with an account', async () => {
    const body = JSON.stringify({ success: true, data: { signedUp: false, hasExistingAccount: true } });
    const signup = clientReceiving(body, 201).dropSignup({
      communityId: COMMUNITY,
      email: 'ada@example.com',
    });
    expect(await signup).toEqual({ signedUp: false, hasExistingAccount: true, dropSlotInfo: undefined });
  });
});
