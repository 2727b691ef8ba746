import { gzipSync } from 'node:zlib';
import { ENDPOINTS, type Endpoint, rejectionSchemas } from '@latchkey/contract';
import type { EndpointName } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import fc from 'fast-check';
import { expect } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { type ApiKeyRequest, type ApiKeyResponse, callWithKey } from './api-key-requests.js';
import type { ServiceUnderTest } from './service-under-test.js';

/** Name of an endpoint that accepts an API key. */
export type ApiKeyEndpointName = {
  [Name in EndpointName]: (typeof ENDPOINTS)[Name]['auth'] extends { kind: 'api-key' } ? Name : never;
}[EndpointName];

/** Endpoint to fuzz, with a valid request: its body, or the parameters of its path. */
export interface FuzzTarget {
  readonly endpoint: ApiKeyEndpointName;
  readonly valid: Readonly<Record<string, unknown>>;
  /**
   * Number of requests on each of the two engines.
   * @default 1000
   */
  readonly runs?: number;
}

/**
 * Sends an endpoint wrong types, sizes, encodings and bytes, made from a valid request. Asserts that no
 * response is a 5xx, that each has the contract's body for its status, and that none contains the key. Some
 * requests happen to be valid. Returns the number of responses by status, so that the caller can assert that
 * some failed.
 */
export async function fuzzEndpoint(
  service: ServiceUnderTest,
  { endpoint: name, valid, runs = 400 }: FuzzTarget,
): Promise<ReadonlyMap<number, number>> {
  const endpoint: Endpoint = ENDPOINTS[name];
  const statuses = new Map<number, number>();
  const requests =
    endpoint.request.body === undefined ? oddPaths(endpoint, valid) : oddBodies(endpoint, valid);
  await fc.assert(
    fc.asyncProperty(requests, oddHeaders, async (request, headers) => {
      const answer = await callWithKey(service, { ...request, headers: { ...request.headers, ...headers } });
      expectShape(endpoint, answer);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }),
    fuzzRuns(runs),
  );
  return statuses;
}

/** Responses before the endpoint: unknown path, too large, another type. */
const STATUSES_BEFORE_ENDPOINT = [404, 413, 415];

function expectShape({ success, failures }: Endpoint, { status, headers, body, text }: ApiKeyResponse): void {
  const rejection = rejectionSchemas.strict.safeParse(body);
  const known = status === success.status ? success.body : failures[status];
  const isKnown = status < 500 && known?.strict.safeParse(body).success === true;
  const isRejected = STATUSES_BEFORE_ENDPOINT.includes(status) && rejection.success;
  expect(isKnown || isRejected, `${status} ${text}`).toBe(true);
  if (rejection.success) expect(rejection.data.statusCode).toBe(status);
  expect(headers['cache-control']).toBe('no-store');
  expect(text).not.toContain(sandboxScenario.apiKey);
}

/** Any 16-bit units: NUL, controls, lone surrogates. */
const oddText = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 9, 10, 0x2f, 0xd800, 0xdfff, 0xfeff)), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));

/** One character, repeated many times. */
export const longText = fc
  .tuple(fc.constantFrom('a', ' ', '\u0000', '😀', '1', '%'), fc.nat(5000))
  .map(([unit, times]) => unit.repeat(times));

const deepList = fc.integer({ min: 1, max: 5000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth));

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: oddText },
  longText,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, -0, Number.MAX_SAFE_INTEGER, 2 ** 53, {}, [], ''),
  fc.constantFrom(
    'null',
    'undefined',
    '2026-02-30',
    '0000-00-00',
    '+275760-09-13',
    '9999-12-31T23:59:59-01:00',
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue(),
);

/** Names with a meaning to JavaScript objects. */
export const HOSTILE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '',
  'toJSON',
];

/** Valid value in the wrong place, or a list or an object of it. */
function misplaced(valid: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...Object.values(valid)), fc.nat(3))
    .map(([value, form]) => [value, [value], [value, value], { value }][form]);
}

/** JSON text with fields replaced, omitted, repeated or added. */
export function oddJson(valid: Readonly<Record<string, unknown>>): fc.Arbitrary<string> {
  const change = fc.tuple(
    fc.oneof(fc.constantFrom(...Object.keys(valid)), fc.constantFrom(...HOSTILE_NAMES)),
    fc.oneof(
      { weight: 6, arbitrary: fc.oneof(oddValue, misplaced(valid)).map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: deepList },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    fc.boolean(),
  );
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const fields = new Map(Object.entries(valid).map(([name, value]) => [name, [JSON.stringify(value)]]));
    for (const [name, value, isRepeated] of changes) {
      const before = isRepeated ? (fields.get(name) ?? []) : [];
      fields.set(name, value === undefined ? [] : [...before, value]);
    }
    const pairs = [...fields].flatMap(([name, values]) =>
      values.map((value) => `${JSON.stringify(name)}:${value}`),
    );
    return `{${pairs.join(',')}}`;
  });
}

/** Bytes that are invalid JSON, invalid UTF-8 or another format. */
function oddBytes(valid: Readonly<Record<string, unknown>>): fc.Arbitrary<Buffer> {
  const text = JSON.stringify(valid);
  const bytes = Buffer.from(text);
  const cut = fc.nat(bytes.length);
  const rubbish = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((units) => Buffer.from(units));
  return fc.oneof(
    rubbish,
    cut.map((at) => bytes.subarray(0, at)),
    fc
      .tuple(cut, rubbish)
      .map(([at, inserted]) => Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)])),
    fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
    deepList.map((list) => Buffer.from(list)),
    fc.constantFrom(
      Buffer.from(`\ufeff${text}`),
      Buffer.from(text, 'utf16le'),
      Buffer.from(`${text}${' '.repeat(100_001)}`),
      Buffer.from(`${text.slice(0, -1)},"more":"${'x'.repeat(99_000)}"}`),
      gzipSync(text),
      Buffer.alloc(0),
    ),
  );
}

/** Requests with an invalid body, most of them JSON. */
export function oddBodies(
  { path, method }: Pick<Endpoint, 'path' | 'method'>,
  valid: Readonly<Record<string, unknown>>,
): fc.Arbitrary<ApiKeyRequest> {
  return fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: oddJson(valid).map((text) => Buffer.from(text)) },
        { weight: 1, arbitrary: oddBytes(valid) },
      ),
      fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, oddBodyHeaders),
      oddQuery,
    )
    .map(([bytes, headers, query]) => ({ path: `${path}${query}`, method, bytes, headers }));
}

const oddBodyHeaders = fc.oneof(
  fc
    .constantFrom(
      ...['', 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'multipart/form-data'],
      ...[
        'application/json; charset=utf-16',
        'application/json; charset=latin1',
        'application/json; charset=no',
      ],
      ...[
        'application/json; charset="UTF-8"',
        'APPLICATION/JSON',
        'application/json;',
        'application/problem+json',
      ],
    )
    .map((type) => ({ 'content-type': type })),
  fc
    .constantFrom('gzip', 'deflate', 'br', 'zip', 'gzip, gzip', '')
    .map((encoding) => ({ 'content-encoding': encoding })),
);

/** Path segment, encoded validly or not. */
export const oddSegment = fc.oneof(
  oddText.map((text) =>
    Buffer.from(text, 'utf8').reduce((all, byte) => `${all}%${byte.toString(16).padStart(2, '0')}`, ''),
  ),
  fc.stringMatching(/^[!$-.0-;=@-~]{1,20}$/),
  fc.constantFrom(
    '%',
    '%0',
    '%zz',
    '%00',
    '%E0%A4%A',
    '%ED%A0%80',
    '%FF',
    '..%2f..',
    '%2e%2e',
    '0',
    '-1',
    '1.0',
    '01',
  ),
  fc.constantFrom('__proto__', 'constructor', '9007199254740992', `${'9'.repeat(400)}`, 'a'.repeat(9000)),
);

function oddPaths(
  { path, method }: Endpoint,
  valid: Readonly<Record<string, unknown>>,
): fc.Arbitrary<ApiKeyRequest> {
  const names = Object.keys(valid);
  return fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom(...names), oddSegment), { minLength: 1, maxLength: 2 }),
      oddQuery,
    )
    .map(([changes, query]) => {
      const parameters = { ...valid, ...Object.fromEntries(changes) };
      const sent = names.reduce((all, name) => all.replace(`{${name}}`, () => `${parameters[name]}`), path);
      return { path: `${sent}${query}`, method };
    });
}

/** Sometimes adds an unexpected query. */
export const oddQuery = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  fc.constantFrom(
    '?',
    '?%',
    '?a[]=1&a[]=2',
    '?__proto__[x]=1',
    '?communityId=1&communityId=2',
    '?%00',
    '??',
    `?${'a'.repeat(9000)}`,
  ),
);

const ODD_HEADERS: readonly Readonly<Record<string, string | readonly string[]>>[] = [
  { authorization: '' },
  { authorization: 'Bearer svc_' },
  { authorization: [`Bearer ${sandboxScenario.apiKey}`, 'Bearer x'] },
  { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
  { traceparent: '00-00000000000000000000000000000000-00f067aa0ba902b7-01' },
  { traceparent: ['a', 'b'] },
  { accept: 'text/html' },
  { accept: 'nonsense;;q=x' },
  { cookie: '%;=;__proto__=1' },
];

const oddHeaders = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_HEADERS) },
);
