import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { callControl } from './control-caller.js';
import { createSandboxUnderTest, type SandboxUnderTest } from './sandbox-under-test.js';

/** Schema of a value in the document of the control API. */
interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** Endpoint of the control API, with its schemas. */
interface Endpoint {
  call: string;
  query: readonly string[];
  body: Schema | undefined;
}

/** Characters of an address that fits into the headers that the service accepts. */
const LONGEST_ADDRESS = 60_000;

/** Streams, which do not end. */
const ENDLESS = /\/stream$/;

let service: SandboxUnderTest;
let endpoints: Endpoint[];
let ids: string[];

beforeAll(async () => {
  service = await createSandboxUnderTest();
  const { body } = await callControl<{ paths: Record<string, Record<string, Operation>> }>(
    service,
    'GET /openapi.json',
  );
  endpoints = Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => ({
      call: `${method.toUpperCase()} ${path.replace('/sandbox/api', '')}`,
      query: parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name),
      body: requestBody?.content['application/json']?.schema,
    })),
  );
  endpoints = endpoints.filter(({ call }) => !ENDLESS.test(call));
  const front = await (await service.request('/sandbox')).text();
  ids = [...new Set(front.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|oac_\w+/g))].slice(0, 20);
});

afterAll(async () => {
  await service.server.close();
});

const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '__proto__',
    'constructor',
    '../..',
    'javascript:alert(1)',
    '%',
    '-1',
  ),
  fc.constantFrom(
    '2026-02-30',
    '+275760-09-13T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    'http://[::1',
    'a@b.example',
  ),
  fc.array(fc.nat(0xffff), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
  fc.tuple(fc.constantFrom('a', '😀', ' '), fc.nat(3_000)).map(([unit, times]) => unit.repeat(times)),
);
/** Texts for an address. The server itself rejects U+0000 there. */
const oddPart = oddText.map((text) => Buffer.from(text.replaceAll('\0', '')).toString());
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, [], {}),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values that nearly fit a schema. */
function near(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const variants = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (depth > 5) return oddValue;
  if (variants !== undefined) return fc.oneof(...variants.map((variant) => near(variant, depth + 1)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return often(fc.constantFrom(...schema.enum));
  const type = [schema.type].flat()[0];
  if (type === 'object' || schema.properties !== undefined) {
    const fields = Object.entries(schema.properties ?? {});
    const values = Object.fromEntries(fields.map(([name, value]) => [name, near(value, depth + 1)]));
    return often(fc.record(values, { requiredKeys: [...(schema.required ?? [])] }));
  }
  if (type === 'array') return often(fc.array(near(schema.items ?? {}, depth + 1), { maxLength: 3 }));
  if (type === 'integer') return often(fc.oneof(fc.nat(40), fc.maxSafeInteger()));
  if (type === 'number') return often(fc.double({ noNaN: true, noDefaultInfinity: true }));
  if (type === 'boolean') return often(fc.boolean());
  if (schema.format === 'uuid') return often(fc.oneof(fc.constantFrom(...ids), fc.uuid()));
  if (schema.format === 'date-time') {
    return often(
      fc.date({ noInvalidDate: true, max: new Date('9999-12-31') }).map((date) => date.toISOString()),
    );
  }
  return often(fc.oneof(fc.constantFrom('Name', 'fuzz-name', '#b4541a', 'EUR', ...ids), oddText));
}

function often(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: value }, oddValue);
}

/** Requests to any endpoint, with the parameters and fields that it has. */
function requests() {
  return fc.constantFrom(...endpoints).chain(({ call, query, body }) => {
    const segment = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...ids) },
      fc.constantFrom('fuzz-name', 'users'),
      oddPart,
    );
    const names = [...call.matchAll(/\{\w+\}/g)];
    const parameters = fc.array(segment, { minLength: names.length, maxLength: names.length });
    const search = fc.record(Object.fromEntries(query.map((name) => [name, oddPart])), { requiredKeys: [] });
    return fc
      .tuple(parameters, search, body === undefined ? fc.constant(undefined) : near(body))
      .map(([values, fields, sent]) => {
        let path = call;
        for (const value of values) path = path.replace(/\{\w+\}/, () => encodeURIComponent(value) || 'x');
        const text = new URLSearchParams(fields as Record<string, string>).toString();
        return { call: text === '' ? path : `${path}?${text}`, body: sent };
      });
  });
}

describe('any call of the control API', () => {
  it('with any fields has an answer of the described format, and no internal error', async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fc.constant(undefined).chain(requests), async ({ call, body }) => {
        // Node itself rejects longer addresses with 431.
        fc.pre(call.length < LONGEST_ADDRESS);
        const started = performance.now();
        const answer = await callControl<{ error?: { code: string; message: string } }>(service, call, body);
        const seen = `${call.slice(0, 500)} ${JSON.stringify(body)?.slice(0, 2_000)}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`;
        expect(answer.status, `${seen} ${service.log.at(-1)?.slice(0, 2_000)}`).toBeLessThan(500);
        expect(performance.now() - started, seen).toBeLessThan(20_000);
        if (answer.status >= 400) expect(answer.body?.error?.message, seen).toBeTypeOf('string');
        expect(JSON.stringify(answer.body ?? null).includes(service.server.controlToken), seen).toBe(false);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }),
      { ...fuzzRuns(120), endOnFailure: true },
    );
    expect([...statuses.keys()].some((status) => status < 300)).toBe(true);
    expect(statuses.get(400)).toBeGreaterThan(0);
  });
});
