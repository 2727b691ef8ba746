import { ENDPOINTS } from '@latchkey/contract';
import type { EndpointName } from '@latchkey/contract/constants';
import fc from 'fast-check';
import * as z from 'zod';

/** A field of a request, as the published OpenAPI document describes it. */
export interface RequestField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

type Part = 'body' | 'query' | 'path';

/**
 * Returns the fields of a part of a request as JSON Schema, from the contract like the OpenAPI document. It doesn't
 * come from the service under test, which could describe its own mistakes as correct.
 */
export function requestFields(endpoint: EndpointName, part: Part): readonly RequestField[] {
  const parts: Readonly<Partial<Record<Part, z.ZodType>>> = ENDPOINTS[endpoint].request;
  const schema = parts[part];
  if (schema === undefined) throw new RangeError(`requestFields: ${endpoint} has no ${part}.`);
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, property]) => ({
    ...(property as Partial<RequestField>),
    name,
    isRequired: required.includes(name),
  }));
}

/** Maximum lengths that the specification states. A service may choose others for other fields. */
const SPECIFIED_LENGTHS = new Set(['utmSource', 'state', 'code_challenge']);
/** Fields with ISO-8601 timestamps. JSON Schema describes them as strings. */
const TIMESTAMPS = new Set(['validFrom', 'validUntil']);
const URLS = new Set(['successUrl', 'cancelUrl']);

/** A change that makes a valid request invalid. `undefined` removes the field. */
export interface InvalidField {
  readonly name: string;
  readonly value: unknown;
}

const wordWithoutDigits = fc.stringMatching(/^[g-z]{1,30}$/);

/** Generates values that a field of a JSON body must not have, by the specification. */
export function invalidInJson(field: RequestField): fc.Arbitrary<InvalidField> {
  const wrongTypes =
    field.type === 'integer' ? fc.constantFrom<unknown>('7', true) : fc.constantFrom<unknown>(7, false);
  const values: fc.Arbitrary<unknown>[] = [
    wrongTypes,
    // Null may count as absent in an optional field.
    field.isRequired ? fc.constantFrom<unknown>(null, [], {}) : fc.constantFrom<unknown>([], {}),
    ...invalidTexts(field),
    ...(field.minimum === undefined
      ? []
      : [fc.integer({ min: -(2 ** 40), max: field.minimum - 1 }), fc.constant(1.5)]),
  ];
  return withName(field, values);
}

/** Generates values that a query parameter must not have, by the specification. */
export function invalidInQuery(field: RequestField): fc.Arbitrary<InvalidField> {
  return withName(field, invalidTexts(field));
}

function withName(field: RequestField, values: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<InvalidField> {
  const present = values.map((value) => value.map((invalid) => ({ name: field.name, value: invalid })));
  const absent = field.isRequired ? [fc.constant({ name: field.name, value: undefined })] : [];
  return fc.oneof(...present, ...absent);
}

/** True if the specification says which values of the field are invalid, or that it is required. */
export function hasInvalidTexts(field: RequestField): boolean {
  return field.isRequired || invalidTexts(field).length > 0;
}

function invalidTexts({
  name,
  format,
  enum: allowed,
  minLength,
  maxLength,
}: RequestField): fc.Arbitrary<string>[] {
  const texts: fc.Arbitrary<string>[] = [];
  if (
    format === 'uuid' ||
    format === 'email' ||
    TIMESTAMPS.has(name) ||
    URLS.has(name) ||
    allowed !== undefined
  ) {
    texts.push(wordWithoutDigits.filter((word) => allowed?.includes(word) !== true));
  }
  if (SPECIFIED_LENGTHS.has(name)) {
    if (maxLength !== undefined) texts.push(lettersOf(maxLength + 1, maxLength + 40));
    if (minLength !== undefined && minLength > 1) texts.push(lettersOf(1, minLength - 1));
  }
  return texts;
}

function lettersOf(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'abcxyz'), minLength, maxLength });
}

/** Longest string that any service must accept in a field without a specified length. */
const COMMON_LENGTH = 60;

/** A time relative to the service's. */
export class InDays {
  readonly days: number;
  readonly hasMilliseconds: boolean;
  constructor(days: number, hasMilliseconds: boolean) {
    this.days = days;
    this.hasMilliseconds = hasMilliseconds;
  }
}

/** An end of access within a year. A service may reject an end that is many years away. */
const nearEnd = fc
  .tuple(fc.integer({ min: 1, max: 365 }), fc.boolean())
  .map(([days, hasMilliseconds]) => new InDays(days, hasMilliseconds));

/** Generators by field name, where JSON Schema only says string. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  validFrom: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  validUntil: nearEnd,
  successUrl: fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }),
  cancelUrl: fc.webUrl({ validSchemes: ['https'] }),
  phoneNumber: fc.integer({ min: 10_000_000, max: 999_999_999 }).map((number) => `+44${number}`),
  code_challenge: fc.constantFrom(43, 44, 86, 127, 128).map((length) => 'c'.repeat(length)),
  code_challenge_method: fc.constant('S256'),
  state: fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 80 }),
    fc.constantFrom(1, 1_023, 1_024).map((length) => 's'.repeat(length)),
  ),
  scope: fc.constantFrom(
    'memberships.read',
    'products.read',
    'memberships.read products.read',
    'products.read,memberships.read',
  ),
};

/** Generates values of a field, including those at its limits. */
function validValue(field: RequestField): fc.Arbitrary<unknown> {
  const known = BY_NAME[field.name];
  if (known !== undefined) return known;
  if (field.enum !== undefined) return fc.constantFrom(...field.enum);
  if (field.type === 'integer') {
    const { minimum = 0 } = field;
    return fc.oneof(
      fc.constant(minimum),
      fc.integer({ min: minimum, max: 2 ** 31 - 1 }),
      fc.constant(2 ** 40),
    );
  }
  return validText(field);
}

function validText({ name, minLength = 1, maxLength = COMMON_LENGTH }: RequestField): fc.Arbitrary<string> {
  const longest = name === 'utmSource' ? maxLength : Math.min(maxLength, COMMON_LENGTH);
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: Math.max(1, minLength), maxLength: longest }).map(visible),
    fc.constant('x'.repeat(longest)),
    fc.constant('x'.repeat(Math.max(1, minLength))),
  );
}

/** Some services trim strings, so generated ones don't begin or end with white space. */
function visible(text: string): string {
  return text.trim() === text ? text : text.replaceAll(' ', '-');
}

/** Generates objects with the required fields and any of the optional ones. Fields in `fixed` have its values. */
export function validFields(
  fields: readonly RequestField[],
  fixed: Readonly<Record<string, unknown>>,
): fc.Arbitrary<Record<string, unknown>> {
  const free = fields.filter(({ name }) => !Object.hasOwn(fixed, name));
  const record = fc.record(Object.fromEntries(free.map((field) => [field.name, validValue(field)])), {
    requiredKeys: free.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    noNullPrototype: true,
  });
  return record.map((generated) => ({ ...generated, ...fixed }));
}
